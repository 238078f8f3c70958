// A session of Python in a web worker, as the page uses it: run a program, call a function of playground/python, stop.
// BUILD names the files; build.py puts it in.

const files = BUILD;

// The archives that each kind of session needs to start, and those that it needs before its first call.
const NEEDED = { main: ["python", "package"], judge: ["python", "package"], student: ["python", "student"] };
const LATER = { main: ["sources"], judge: ["sources", "questions"], student: [] };

export class Session {
  #base;
  #kind;
  #on;
  #worker = null;
  #calls = new Map();
  #count = 0;
  #ready;
  #settle;
  #isReady = false;

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

  // Run a program. Resolves with {line, error, seconds}; `error` is the text of its traceback, or null.
  async run(source, options = {}) {
    const began = performance.now();
    const reply = await this.call("programs.run", { source, ...options });
    return { ...reply, seconds: (performance.now() - began) / 1000 };
  }

  // Call a function of playground/python by "module.name". Rejects if Python fails or is stopped.
  async call(name, argument = {}) {
    await this.#ready;
    const id = ++this.#count;
    this.#tell("state", "running");
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ command: "call", id, name, argument });
    });
  }

  // End Python at once and start it anew. Calls that wait are rejected with an Error named "Stopped".
  stop() {
    this.#end("Stopped", "stopped");
    this.#tell("state", "stopped");
    this.#begin();
  }

  // End Python for good.
  close() {
    this.#end("Stopped", "closed");
  }

  #begin() {
    this.#isReady = false;
    this.#ready = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#ready.catch(() => {});
    this.#tell("state", "starting");
    const worker = (this.#worker = new Worker(new URL(files.worker, this.#base), { type: "module" }));
    worker.onmessage = ({ data }) => worker === this.#worker && this.#receive(data);
    worker.onerror = (event) => worker === this.#worker && this.#crash(event.message ?? "the worker did not load");
    const named = (kinds) => kinds[this.#kind].map((name) => files.archives[name]);
    worker.postMessage({ command: "begin", base: this.#base, archives: named(NEEDED), later: named(LATER) });
  }

  #receive({ event, ...data }) {
    if (event === "print") this.#tell("print", data.text, data.isError);
    else if (event === "show") this.#tell("show", data.bundle);
    else if (event === "progress") this.#tell("progress", data.text, data.seconds);
    else if (event === "crashed") this.#crash(data.text);
    else if (event === "ready") {
      this.#isReady = true;
      this.#tell("state", "ready");
      this.#settle.resolve(data);
    } else if (event === "result") {
      const { resolve, reject } = this.#calls.get(data.id);
      this.#calls.delete(data.id);
      if (!this.#calls.size) this.#tell("state", "ready");
      if (data.failed) reject(new Error(data.failed));
      else resolve(data.value);
    }
  }

  // Python itself failed. If it had started, it is started anew; otherwise a second try would fail as well.
  #crash(text) {
    const hadStarted = this.#isReady;
    this.#end("Crashed", `Python stopped: ${text}`);
    this.#tell("state", "stopped");
    if (hadStarted) this.#begin();
  }

  #end(name, text) {
    this.#worker?.terminate();
    this.#worker = null;
    const error = Object.assign(new Error(text), { name });
    this.#settle.reject(error);
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  #tell(event, ...values) {
    this.#on[event]?.(...values);
  }
}
