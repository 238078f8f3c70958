// An editor for Python: CodeMirror with the colours of the page, and a mark at the line of an error.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The style sheet gives these colours in both themes.
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword, tags.self],
    color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--code-comment)" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.definition(tags.variableName)), tags.className],
    color: "var(--code-name)" },
]);

const LOOK = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--raised)", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: ".5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--raised)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--selected)" },
  ".cm-selectionMatch": { backgroundColor: "var(--selected)" },
  ".cm-gutter-lint": { width: "1em" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 .1em" },
  ".cm-panels, .cm-tooltip": { color: "var(--text)", backgroundColor: "var(--raised)", borderColor: "var(--line)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--wrong) 1px" },
});

// `place` becomes the editor. `how` is the id of the text that says how to leave it; `run` is called for Ctrl+Enter
// and Shift+Enter, `changed(text)` after each change of the text.
export function createEditor(place, { text, label, how, run, changed, gutter = true }) {
  const go = () => (run(), true);
  const view = new EditorView({
    parent: place,
    doc: text,
    extensions: [
      Prec.highest(keymap.of([{ key: "Mod-Enter", run: go }, { key: "Ctrl-Enter", run: go }, { key: "Shift-Enter", run: go }])),
      gutter ? [lineNumbers(), lintGutter()] : [],
      history(),
      drawSelection(),
      highlightSpecialChars(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      bracketMatching(),
      indentOnInput(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      python(),
      syntaxHighlighting(COLOURS),
      LOOK,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, ...(how && { "aria-describedby": how }), tabindex: "0", autocapitalize: "off", autocorrect: "off" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        if (update.startState.doc !== update.state.doc) queueMicrotask(() => mark(null));
        changed?.(update.state.doc.toString());
      }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    ],
  });

  function mark(line, message) {
    const found = [];
    if (line && line <= view.state.doc.lines) {
      const { from, to, text } = view.state.doc.line(line);
      found.push({ from: from + text.length - text.trimStart().length, to, severity: "error", message });
    }
    view.dispatch(setDiagnostics(view.state, found));
  }

  return {
    get text() {
      return view.state.doc.toString();
    },
    // The change is one step of the history: Ctrl+Z brings back what was there.
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    },
    mark,
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus(place = 0) {
      view.dispatch({ selection: { anchor: place } });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
