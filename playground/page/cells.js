// The cells of a notebook page: they are edited and run here, and share one Python.

import { cells as allWords, page as pageWords } from "../words.json";
import { createEditor } from "./editor.js";
import { filled, Output, tellTheme } from "./output.js";
import { Runner } from "./runner.js";

// The theme's colours are furo's; light-dark() follows the choice of the page.
const STYLE = `
.live-editor, .live-output { color-scheme: light;
  --raised: var(--color-code-background, light-dark(#ffffff, #1a1c1e)); --text: var(--color-foreground-primary); --quiet: var(--color-foreground-secondary);
  --line: var(--color-background-border); --accent: var(--color-brand-content); --active: light-dark(#e7ecf2, #2b2f34); --selected: light-dark(#cfe1f5, #2f4a68);
  --wrong: light-dark(#b00020, #ff9dab); --code-keyword: light-dark(#7b1fa2, #d6a5f0); --code-string: light-dark(#2a6a1f, #9fd690);
  --code-number: light-dark(#9a3c00, #ffb07c); --code-comment: light-dark(#5a6570, #9aa5b0); --code-name: light-dark(#0b5394, #8cc4f8);
  --mono: var(--font-stack--monospace); }
body[data-theme="dark"] :is(.live-editor, .live-output) { color-scheme: dark; }
@media (prefers-color-scheme: dark) { body:not([data-theme="light"]) :is(.live-editor, .live-output) { color-scheme: dark; } }
.live-editor { margin: .5rem 0; border: 1px solid var(--line); border-radius: .4rem; overflow: hidden; font-size: .81rem; }
.live-output { padding: .5rem .7rem; margin-bottom: 1rem; border-left: 3px solid var(--accent); }
.live-output > * + * { margin-top: .6rem; }
.live-output summary { cursor: pointer; color: var(--accent); }
.live-output .printed { margin: 0; padding: 0; background: none; font: .81rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.live-output .error { color: var(--wrong); }
.live-output .note { margin: 0; color: var(--quiet); }
.live-output .note.error { color: var(--wrong); }
.live-output img.shown { max-width: 100%; height: auto; background: #ffffff; border-radius: 6px; }
.live-output iframe.shown { display: block; width: 100%; height: 10rem; border: 0; }
.live-output .tools { display: flex; gap: .8rem; justify-content: flex-end; font-size: .82rem; }
`;

export function start(elements, barWords) {
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
  const lang = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  const words = allWords[lang];
  const cells = elements.map((element, i) => new Cell(element, i));
  let hasState = false, queue = [], running = null;
  let runner = begin();
  new MutationObserver(tellTheme).observe(document.body, { attributeFilter: ["data-theme"] });

  function begin() {
    const state = (name) => running && (name === "starting" || name === "running") && running.say(words[name]);
    return new Runner({ base: new URL(".", import.meta.url).href, lang, state });
  }

  async function run(asked) {
    queue.push(...asked.filter((cell) => cell !== running && !queue.includes(cell)));
    for (const cell of queue) cell.wait();
    if (running) return;
    while ((running = queue.shift())) {
      const cell = running;
      let isDone = false;
      try {
        isDone = await cell.run(runner);
      } catch (error) {
        cell.output.note(filled(words.crashed, { reason: error.message }), "note error");
        runner.session.close();
        runner = begin();
        hasState = false;
      }
      cell.end();
      if (!isDone) for (const waiting of queue.splice(0)) waiting.skip();
    }
  }

  function Cell(element, i) {
    const input = element.querySelector(".cell_input"), bar = element.querySelector(".live-bar");
    const stored = element.querySelector(".cell_output");
    const source = input.querySelector("pre").textContent.replace(/\n$/, "");
    const buttons = Object.fromEntries([...bar.querySelectorAll("button")].map((button) => [button.dataset.live, button]));
    const name = `cell ${i + 1}`;
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const place = document.createElement("div");
    place.className = "live-output cell_output";
    place.hidden = true;
    place.tabIndex = 0;
    place.setAttribute("role", "region");
    place.setAttribute("aria-label", filled(barWords.output, { number: i + 1 }));
    bar.after(place);
    const stop = add("stop", "", () => runner.stop());
    const restore = add("restore", barWords.restore_key, putBack);
    bar.append(status);
    stop.hidden = restore.hidden = true;
    this.output = new Output(place, pageWords[lang]);
    let editor;

    function add(key, title, onclick) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: barWords[key], title, onclick });
      bar.append(button);
      return button;
    }

    this.edit = () => {
      if (!editor) {
        const frame = document.createElement("div");
        frame.className = "live-editor";
        input.after(frame);
        input.hidden = true;
        buttons.edit.hidden = true;
        restore.hidden = false;
        editor = createEditor(frame, { text: source, label: filled(barWords.cell, { number: i + 1 }), run: () => run([this]) });
        editor.frame = frame;
      }
      editor.focus();
    };

    this.say = (text) => (status.textContent = text);
    this.wait = () => this.say(words.waiting);
    this.skip = () => this.say(words.skipped);

    this.end = () => {
      stop.hidden = true;
      buttons.run.disabled = false;
    };

    // Return whether the cell ran to its end.
    this.run = async (runner) => {
      place.hidden = restore.hidden = stop.hidden = false;
      if (stored) stored.hidden = true;
      buttons.run.disabled = true;
      this.output.clear();
      editor?.mark(null);
      this.say(words.starting);
      const reply = await runner.run(editor?.text ?? source, this.output, { name, keep: hasState });
      if (reply === null) {
        hasState = false;
        this.output.note(words.stopped);
        this.say("");
        return false;
      }
      hasState = true;
      const seconds = reply.seconds.toFixed(2);
      if (reply.error) {
        editor?.mark(reply.line, reply.error.trim().split("\n").at(-1));
        this.output.fail(reply.error, editor && reply.line, (line) => editor.goTo(line));
        if (/^NameError/m.test(reply.error) && i) this.output.note(words.try_above);
      } else if (this.output.isEmpty) this.output.note(words.no_output);
      this.say(filled(reply.error ? words.failed : words.ended, { seconds }));
      return !reply.error;
    };

    function putBack() {
      editor?.close();
      editor?.frame.remove();
      editor = undefined;
      input.hidden = buttons.edit.hidden = false;
      place.hidden = restore.hidden = true;
      if (stored) stored.hidden = false;
      status.textContent = "";
      buttons.edit.focus();
    }
  }

  return {
    press(i, name) {
      if (name === "edit") cells[i].edit();
      else run(name === "above" ? cells.slice(0, i) : [cells[i]]);
    },
  };
}
