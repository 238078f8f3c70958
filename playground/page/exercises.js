// The exercises: text, hints, an editor, and the report of the check. Code and points stay in this browser.

import { marked } from "marked";
import { exercises as allWords, page as pageWords } from "../words.json";
import { createEditor } from "./editor.js";
import { save } from "./files.js";
import { filled, Output } from "./output.js";

const element = (name, attributes = {}, ...children) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
};

export async function start(place, { lang, file, store }) {
  const words = allWords[lang];
  const texts = await (await fetch(file)).json();
  const kept = store("legacy_autograd exercises"); // {number: {source, points, checked: the source that was checked}}
  const notes = readNotes();
  let exercise, judge, isChecking = false; // judge: a promise

  function readNotes() {
    try {
      return JSON.parse(kept.read()) ?? {};
    } catch {
      return {}; // it is damaged
    }
  }

  function note(values) {
    notes[exercise.number] = { ...notes[exercise.number], ...values };
    kept.write(JSON.stringify(notes));
    listAll();
  }

  // --- the page's parts

  const choice = element("select", { id: "exercise", onchange: () => (location.hash = `#exercise=${choice.value}`) });
  const about = element("span", { className: "about" });
  const text = element("div", { className: "text" });
  const parts = element("ol", { className: "parts" });
  const editorPlace = element("div", { id: "exercise-editor" });
  const check = element("button", { type: "button", id: "check", className: "main", title: words.check_key, onclick: checkCode }, words.check);
  const stop = element("button", { type: "button", id: "stop-check", disabled: true, onclick: endCheck }, pageWords[lang].stop);
  const next = element("button", { type: "button", id: "next", hidden: true, onclick: () => (location.hash = `#exercise=${exercise.number + 1}`) }, words.next);
  const restart = element("button", { type: "button", id: "restart", onclick: startAgain }, words.restart);
  const files = element("select", { id: "save-answer", title: pageWords[lang].save_key, onchange: saveAnswer },
    new Option(pageWords[lang].save, ""), new Option(words.save_py, "py"), new Option(words.save_ipynb, "ipynb"));
  const status = element("span", { id: "check-status" });
  status.setAttribute("role", "status");
  const report = element("div", { id: "report", className: "output", tabIndex: 0 });
  report.setAttribute("role", "region");
  report.setAttribute("aria-label", words.report);
  const spoken = (words) => element("span", { className: "spoken" }, words);

  place.append(
    element("div", { className: "bar" }, element("label", { className: "grow" }, spoken(words.exercise), choice), about),
    element("div", { className: "work" },
      element("section", { className: "pane reading" }, element("h2", { className: "spoken" }, words.text), text,
        element("h2", {}, words.parts), parts, element("p", { className: "how" }, words.kept)),
      element("section", { className: "pane" },
        element("div", { className: "bar" }, check, stop, next,
          element("span", { className: "rest" }, restart, element("label", {}, spoken(pageWords[lang].save_key), files))),
        editorPlace,
        element("div", { className: "bar head" }, element("h2", {}, words.report), status),
        report)),
  );
  const output = new Output(report, { ...pageWords[lang], picture: words.picture });
  const editor = createEditor(editorPlace, {
    text: "", label: words.code, how: "editor-how", run: checkCode,
    changed(source) {
      if (!exercise || source === (noted().source ?? exercise.source)) return;
      note({ source });
      prepare();
    },
  });
  const noted = () => notes[exercise.number] ?? {};

  function listAll() {
    choice.replaceChildren(...texts.map(({ number, title, points }) =>
      new Option(`${number}. ${title}: ${stateOf(number, points)}`, number, false, number === exercise?.number)));
  }

  function stateOf(number, of) {
    const { points, source, checked } = notes[number] ?? {};
    if (points === undefined) return source === undefined ? words.not_started : words.started;
    const state = points === of ? words.done : filled(words.points, { points, of });
    return source === checked ? state : `${state}; ${words.changed}`;
  }

  function listParts(states = {}) {
    parts.replaceChildren(...exercise.groups.map(({ name, title, points, hints }) => {
      const given = element("div", { className: "hints" });
      const buttons = hints.map((hint, i) => {
        const button = element("button", { type: "button" }, filled(words.hint, { level: i + 1 }));
        button.setAttribute("aria-label", filled(words.hint_of, { level: i + 1, part: title }));
        button.setAttribute("aria-expanded", "false");
        const shown = element("p", { hidden: true });
        shown.innerHTML = marked.parseInline(hint);
        given.append(shown);
        button.onclick = () => {
          shown.hidden = !shown.hidden;
          button.setAttribute("aria-expanded", String(!shown.hidden));
        };
        return button;
      });
      const heading = element("p", { className: "part" });
      heading.innerHTML = marked.parseInline(filled(words.part, { title, points }));
      if (states[name]) heading.append(" ", element("strong", { className: `state ${states[name].replaceAll(" ", "-")}` }, words[states[name]]));
      const item = element("li", {}, heading, element("div", { className: "bar" }, ...buttons), given);
      item.setAttribute("aria-live", "polite");
      return item;
    }));
  }

  // --- what the buttons do

  function open(number) {
    const known = texts.find((one) => one.number === number);
    if (isChecking && known !== exercise) endCheck();
    exercise = known ?? texts.find(({ number, points }) => notes[number]?.points !== points) ?? texts[0];
    about.textContent = filled(words.about, exercise);
    text.innerHTML = marked.parse(exercise.text);
    listParts();
    listAll();
    const { source } = noted();
    editor.replace(source ?? exercise.source);
    output.clear();
    output.note(words.empty);
    status.textContent = "";
    next.hidden = true;
  }

  // The judge and the student's Python start with the first change of the code, so that they are ready for the check.
  function prepare() {
    judge ??= import("../exercises_session.js").then(({ Exercises }) => new Exercises({ base: new URL(".", location.href).href }));
    return judge;
  }

  async function endCheck() {
    (await judge)?.stop();
  }

  async function checkCode() {
    if (isChecking) return;
    isChecking = check.disabled = true;
    stop.disabled = false;
    const asked = exercise, source = editor.text, of = exercise.points;
    output.clear();
    status.textContent = words.checking;
    try {
      const found = await (await prepare()).check(asked.number, source, lang);
      if (asked !== exercise) return;
      const points = found.points[0];
      note({ source: editor.text, points, checked: source });
      output.print(found.report);
      for (const svg of found.pictures) output.show({ "image/svg+xml": svg });
      output.flush();
      report.scrollTop = 0;
      listParts(found.states);
      const values = { points, of, next: asked.number + 1 };
      const isLast = asked === texts.at(-1);
      status.textContent = filled(points < of ? words.some : isLast ? words.all_done : words.all_passed, values);
      next.hidden = points < of || isLast;
    } catch (error) {
      if (error.name === "Stopped") output.note(words.stopped);
      else {
        output.note(filled(pageWords[lang].crashed, { reason: error.message }), "note error");
        (await judge)?.close();
        judge = undefined; // the next check starts them anew
      }
      status.textContent = "";
    } finally {
      isChecking = check.disabled = false;
      stop.disabled = true;
    }
  }

  function startAgain() {
    if (!confirm(words.restart_sure)) return;
    editor.replace(exercise.source);
    editor.focus();
  }

  function saveAnswer() {
    const name = exercise.file_name;
    if (files.value === "py") save(`${name}.py`, editor.text, "text/x-python");
    else if (files.value === "ipynb") save(`${name}.ipynb`, notebookOf(exercise, editor.text), "application/x-ipynb+json");
    files.value = "";
  }

  return { open };
}

// Return the notebook that nbgrader collects, with the student's code in its cells. The code's cells begin with `# %%`,
// in the order of the notebook's. If the student has removed such a line, the first cell to write gets all of the code.
function notebookOf({ notebook, code_cells }, source) {
  const made = structuredClone(notebook);
  const cells = source.split(/^# %%.*\n/m).slice(/^# %%/.test(source) ? 1 : 0).map((cell) => cell.replace(/^\n+|\s+$/g, ""));
  const isWhole = cells.length === code_cells.length;
  const first = code_cells.find((place) => made.cells[place].metadata.nbgrader.solution);
  code_cells.forEach((place, i) => {
    const text = isWhole ? cells[i] : place === first ? source.trimEnd() : made.cells[place].metadata.nbgrader.solution ? "" : null;
    if (text !== null) made.cells[place].source = text.split(/^/m);
  });
  return JSON.stringify(made, null, 1) + "\n";
}
