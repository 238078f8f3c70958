// The page: one program in an editor, and what it prints and shows. The editor and Python are loaded when they are needed.

import { page as allWords } from "../words.json";
import { steppingProgram } from "./expression.js";
import { asNotebook, cellsOf, programIn, save } from "./files.js";
import { filled, Output, tellTheme } from "./output.js";

const lang = document.documentElement.lang;
const words = allWords[lang];
const { programs, exercises: exercisesFile } = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const MOST_KEPT = 8;
const kept = store("legacy_autograd programs");

// What the browser keeps on this machine; a private window may keep nothing.
function store(key) {
  return {
    read() {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        localStorage.setItem(key, text);
      } catch {
        // it is not kept
      }
    },
  };
}

const output = new Output($("output"), words);
output.note(words.empty);
$("output").classList.add("empty");
const say = (text) => ($("status").textContent = text);

// --- the editor: the plain field of the page until CodeMirror has come

const field = document.querySelector("#editor textarea");
let current = programs[0].name; // the gallery's entry that is in the editor
let editor = {
  get text() {
    return field.value;
  },
  replace: (text) => (field.value = text),
  mark() {},
  goTo: () => field.focus(),
};
field.oninput = () => changed(field.value);
field.onkeydown = (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.shiftKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
};

async function loadEditor() {
  const { createEditor } = await import("./editor.js");
  const hadFocus = document.activeElement === field;
  const text = field.value;
  const place = field.selectionStart;
  $("editor").replaceChildren();
  editor = createEditor($("editor"), { text, label: words.editor, how: "editor-how", run, changed });
  if (hadFocus) editor.focus(place);
}

let isOpening = false; // the editor gets another program, which is no change of the user's

function changed(text) {
  if (isOpening) return;
  let entry = own.find(({ name }) => name === current);
  if (!entry) {
    entry = { name: `own-${Date.now()}` };
    own = [entry, ...own].slice(0, MOST_KEPT);
    choose(entry.name);
  }
  entry.source = text;
  kept.write(JSON.stringify(own));
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  showView();
}

function open(text, name) {
  isOpening = true;
  editor.replace(text);
  isOpening = false;
  choose(name);
}

function openOwn(text) {
  open(text, "");
  changed(text);
}

// --- the gallery, with the programs that were written here, the newest first

let own = keptPrograms();

function keptPrograms() {
  try {
    const found = JSON.parse(kept.read() ?? "[]");
    return found.filter(({ name, source }) => /^own-\d+$/.test(name) && typeof source === "string");
  } catch {
    return []; // it is damaged
  }
}

const entries = () => [
  ...own.map((entry) => ({ ...entry, group: "own", title: titleOf(entry) })),
  ...programs,
];

function titleOf({ name }) {
  const when = new Date(Number(name.slice(4)));
  return `${words.own}, ${when.toLocaleString(lang, { dateStyle: "short", timeStyle: "short" })}`;
}

function choose(name) {
  current = name;
  const groups = Object.groupBy(entries(), (entry) => entry.group);
  const shown = Object.entries(groups).map(([group, entries]) => {
    const element = document.createElement("optgroup");
    element.label = words[group];
    element.append(...entries.map(({ name, title }) => new Option(title, name, false, name === current)));
    return element;
  });
  const known = entries().find((entry) => entry.name === name);
  if (!known) shown.unshift(new Option(words.linked_program, "", true, true));
  $("gallery").replaceChildren(...shown);
  $("about").innerHTML = known?.about ?? "";
}

$("gallery").onchange = () => {
  const entry = entries().find(({ name }) => name === $("gallery").value);
  if (entry) open(entry.source, entry.name);
};

// --- Python

let runner; // a promise

function wake() {
  if (runner) return runner;
  runner = import("./runner.js").then(
    ({ Runner }) =>
      new Runner({
        base: new URL(".", location.href).href,
        lang,
        state: (name) => (name !== "ready" || !isRunning) && words[name] && say(words[name]),
      }),
  );
  runner.then(({ session }) => session.ready).then(keepForOffline, () => {});
  return runner;
}

// A reader who only looks at the page loads no more than it; the other files are kept once Python runs.
const keepForOffline = () => navigator.serviceWorker?.register("offline.js").catch(() => {});

let isRunning = false;

async function run({ step = false } = {}) {
  if (isRunning) return;
  setRunning(true);
  if (matchMedia("(max-width: 60rem)").matches) $("output-name").scrollIntoView(); // it is below the editor
  output.clear();
  editor.mark(null);
  say(words.starting);
  const program = editor.text;
  let seconds = 0;
  try {
    const python = await wake();
    const cells = cellsOf(program).filter((cell) => cell.kind === "code");
    let keep = false, isTraced = false;
    for (const { source, line } of cells) {
      const reply = await python.run("\n".repeat(line) + source, output, { name: "program.py", keep, step });
      if (reply === null) return output.note(words.stopped);
      seconds += reply.seconds;
      keep = true;
      isTraced ||= reply.traced;
      for (const name of reply.files ?? []) offerFile(name, python);
      if (reply.error) {
        editor.mark(reply.line, reply.error.trim().split("\n").at(-1));
        output.fail(reply.error, reply.line, (line) => editor.goTo(line));
        say(filled(words.failed, { seconds: seconds.toFixed(2) }));
        return;
      }
    }
    if (step && !isTraced) output.note(words.no_backward);
    else if (output.isEmpty) output.note(words.no_output);
    say(filled(words.ended, { seconds: seconds.toFixed(2) }));
  } catch (error) {
    output.note(filled(words.crashed, { reason: error.message }), "note error");
    say("");
    runner?.then(({ session }) => session.close());
    runner = undefined; // the next run starts Python anew
  } finally {
    setRunning(false);
  }
}

// A file that the program wrote, such as a page or a picture, to be saved on this machine.
function offerFile(name, python) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "to-line";
  button.textContent = filled(words.save_file, { name });
  button.onclick = async () => {
    const text = await python.session.call("programs.file", { name });
    save(name.split("/").at(-1), Uint8Array.from(text, (letter) => letter.charCodeAt(0)), "application/octet-stream");
  };
  output.flush();
  $("output").append(button);
}

function setRunning(value) {
  isRunning = value;
  $("run").disabled = $("step").disabled = $("draw").disabled = value;
  $("stop").disabled = !value;
  document.body.classList.toggle("running", value);
}

$("run").onclick = () => run();
$("step").onclick = () => run({ step: true });
$("stop").onclick = async () => (await runner)?.stop();

$("expression").onsubmit = (event) => {
  event.preventDefault();
  if (isRunning) return;
  const { values, program } = steppingProgram($("formula").value, $("values").value, editor.text);
  $("values").value = values;
  openOwn(program);
  run();
};

// The first move of the reader in the page brings the editor and starts Python, so that they are there when they are needed.
function atFirst(events, begin) {
  const once = () => {
    for (const name of events) removeEventListener(name, once);
    begin();
  };
  for (const name of events) addEventListener(name, once, { passive: true });
}
atFirst(["pointerover", "pointerdown", "keydown", "focusin", "touchstart", "scroll"], loadEditor);
if (!navigator.connection?.saveData) atFirst(["pointermove", "pointerdown", "keydown", "touchstart"], wake);

// --- links and files

$("share").onclick = async () => {
  const { linkOf } = await import("./share.js");
  const link = linkOf(editor.text);
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    say(words.shared);
  } catch {
    say(words.share_by_hand);
  }
};

$("open").onclick = () => $("file").click();
$("file").onchange = () => {
  if ($("file").files.length) openFile($("file").files[0]);
  $("file").value = "";
};
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length && !$("program").hidden) openFile(event.dataTransfer.files[0]);
});

async function openFile(file) {
  try {
    openOwn(programIn(file.name, await file.text(), words));
    say("");
  } catch (error) {
    say(filled(words.file_broken, { name: file.name, reason: error.message }));
  }
}

$("save").onchange = () => {
  if ($("save").value === "py") save("program.py", editor.text, "text/x-python");
  else if ($("save").value === "ipynb") save("program.ipynb", asNotebook(editor.text), "application/x-ipynb+json");
  $("save").value = "";
};

// --- the page around

// The site's pages keep the reader's choice under the same name.
$("theme").onclick = () => {
  const chosen = document.documentElement.dataset.theme;
  const next = { light: "dark", dark: "" }[chosen] ?? "light";
  if (next) document.documentElement.dataset.theme = next;
  else delete document.documentElement.dataset.theme;
  store("theme").write(next || "auto");
  tellTheme();
};

$("language").onclick = () => ($("language").href = $("language").href.split("#")[0] + location.hash);

let exercisesView; // a promise, once they were opened

const isOfExercises = (hash) => /^#exercises?(=\d+)?$/.test(hash);

function showView() {
  const hash = location.hash;
  const isExercises = isOfExercises(hash);
  $("program").hidden = isExercises;
  $("exercises").hidden = !isExercises;
  const current = isExercises ? "view-exercises" : hash === "#engine" ? "view-engine" : "view-program";
  for (const id of ["view-program", "view-engine", "view-exercises"]) {
    if (id === current) $(id).setAttribute("aria-current", "page");
    else $(id).removeAttribute("aria-current");
  }
}

async function route(hash = location.hash) {
  showView();
  if (isOfExercises(hash)) {
    exercisesView ??= import("./exercises.js").then(({ start }) => start($("exercises"), { lang, file: exercisesFile, store }));
    (await exercisesView).open(Number(/=(\d+)/.exec(hash)?.[1]) || null);
  } else if (hash.startsWith("#p=")) {
    const { programOf } = await import("./share.js");
    try {
      const text = programOf(hash);
      if (text !== editor.text) {
        open(text, "");
        say(words.linked);
      }
    } catch {
      say(words.link_broken);
    }
  } else if (hash === "#engine" || hash.startsWith("#example=")) {
    const wanted = hash === "#engine" ? "own_engine" : hash.slice(9);
    const program = programs.find(({ name }) => name === wanted);
    if (program) open(program.source, program.name);
  }
}
// The address of the event: an edit may have cleared the page's own since.
addEventListener("hashchange", (event) => route(new URL(event.newURL).hash));

if (own.length) {
  field.value = own[0].source;
  current = own[0].name;
}
choose(current);
await route();
