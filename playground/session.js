// A session of Python in a web worker, as the page uses it: run a program, call a function of playground/python, stop.
// BUILD names the files; build.py puts it in.

const files = BUILD;
export const { runtime } = files; // "cowasm" or "pyodide"

// The archives that each kind of session needs to start, and those that it needs before its first call.
const NEEDED = { main: ["python", "package"], judge: ["python", "package"], student: ["python", "student"] };
// The kinds that start from the same archives share what they save.
const SAVED = { main: "package", judge: "package", student: "student" };
const LATER = { main: ["sources"], judge: ["sources", "questions"], student: [] };

const LONG = 1000; // milliseconds

// One worker with its Python. `ready` resolves when it can be called.
class Python {
  #worker;
  #calls = new Map();
  #count = 0;
  #failed; // rejects `ready`

  // on(event, data) is told what the worker posts: print, show, progress, and "crashed" once it has ended by itself.
  constructor(base, kind, on) {
    this.on = on;
    this.isReady = this.hasEnded = false;
    this.ready = new Promise((resolve, reject) => {
      this.#failed = reject;
      this.#start(base, kind, resolve);
    });
    this.ready.catch(() => {}); // a session's user hears of it from `ready` of the session
  }

  #start(base, kind, started) {
    this.#worker = new Worker(new URL(files.worker, base), { type: "module" });
    this.#worker.onerror = (event) => this.#crash(event.message ?? "its script did not load");
    this.#worker.onmessage = ({ data: { event, ...data } }) => {
      if (event === "ready") {
        this.isReady = true;
        started(data);
      } else if (event === "stale") {
        this.#worker.terminate(); // it could not use what it had saved, and has deleted it
        this.#start(base, kind, started);
      } else if (event === "result") this.#settle(data);
      else if (event === "crashed") this.#crash(data.text);
      else this.on(event, data);
    };
    const filesOf = (names) => names.map((name) => files.archives[name]);
    const archives = { archives: filesOf(NEEDED[kind]), later: filesOf(LATER[kind]) };
    this.#worker.postMessage({ command: "begin", base, kind: SAVED[kind], ...archives });
  }

  get isBusy() {
    return this.#calls.size > 0;
  }

  call(name, argument) {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ command: "call", id, name, argument });
    });
  }

  // End it at once. Whoever waits for it gets this error.
  end(error) {
    this.hasEnded = true;
    this.#worker.terminate();
    this.#failed(error);
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  #settle({ id, value, failed }) {
    const { resolve, reject } = this.#calls.get(id);
    this.#calls.delete(id);
    if (failed) reject(new Error(failed));
    else resolve(value);
  }

  #crash(text) {
    this.end(named("Crashed", `Python stopped: ${text}`));
    this.on("crashed", { text });
  }
}

function named(name, text) {
  return Object.assign(new Error(text), { name });
}

export class Session {
  #base;
  #kind;
  #on;
  #python = null;
  #spare = null; // a second worker, which takes over when the first is stopped; it starts once a program runs long
  #ready;

  // `kind` is "main", "judge" or "student": they differ in the archives that their worker gets. `on` has functions:
  // print(text, isError), show(bundle), progress(step) and state("starting" | "ready" | "running" | "stopped").
  constructor({ base = "./", kind = "main", on = {} } = {}) {
    this.#base = new URL(base, document.baseURI).href;
    this.#kind = kind;
    this.#on = on;
    this.#begin();
  }

  // Resolves when Python can run programs; rejects with an Error whose message is a sentence for the user.
  get ready() {
    return this.#ready;
  }

  // Run a program. Resolves with {line, error, traced, files, seconds}; see playground/python/playground/programs.py.
  async run(source, options = {}) {
    const began = performance.now();
    const reply = await this.call("programs.run", { source, ...options });
    return { ...reply, seconds: (performance.now() - began) / 1000 };
  }

  // Call a function of playground/python by "module.name". Rejects if Python fails, or with an Error that is named
  // "Stopped" or "Crashed".
  async call(name, argument = {}) {
    await this.#ready;
    const python = this.#python;
    this.#tell("state", "running");
    const clock = setTimeout(() => (this.#spare ??= new Python(this.#base, this.#kind, () => {})), LONG);
    try {
      return await python.call(name, argument);
    } finally {
      clearTimeout(clock);
      if (python === this.#python && !python.isBusy) this.#tell("state", "ready");
    }
  }

  // End Python at once; a new one takes over.
  stop() {
    this.#tell("state", "stopped");
    this.#python.end(named("Stopped", "Stopped"));
    this.#begin();
  }

  // End Python for good.
  close() {
    this.#python.end(named("Stopped", "closed"));
    this.#spare?.end(named("Stopped", "closed"));
  }

  #begin() {
    if (this.#spare?.hasEnded) this.#spare = null;
    const python = (this.#python = this.#spare ?? new Python(this.#base, this.#kind, () => {}));
    this.#spare = null;
    python.on = (event, data) => this.#hear(python, event, data);
    this.#ready = python.ready;
    if (!python.isReady) this.#tell("state", "starting");
    python.ready.then(
      () => python === this.#python && this.#tell("state", "ready"),
      () => {},
    );
  }

  #hear(python, event, data) {
    if (event === "print") this.#tell("print", data.text, data.isError);
    else if (event === "show") this.#tell("show", data.bundle);
    else if (event === "progress") this.#tell("progress", data.text, data.seconds);
    else if (event === "crashed") {
      this.#tell("state", "stopped");
      if (python.isReady) this.#begin(); // otherwise a second try would fail as well
    }
  }

  #tell(event, ...values) {
    this.#on[event]?.(...values);
  }
}
