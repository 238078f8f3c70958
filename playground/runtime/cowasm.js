// CPython 3.11 and NumPy 1.24 of CoWasm (npm: python-wasm), behind the interface that every runtime here has:
// start(archives, {print, progress, hosts}) → {run, write, read, unpack, stop, megabytes}. pyodide.js has it too. This one
// can also be started with `saved`, what `save()` of an earlier start returned, and is then where that one was.
// It needs no SharedArrayBuffer, so that a server need not send special headers.

import { Volume, createFsFromVolume } from "@cowasm/memfs";
import importKernel from "@cowasm/kernel/dist/wasm/worker/import";
import posix from "@cowasm/kernel/dist/wasm/worker/posix-browser";
import bindings from "wasi-js/dist/bindings/browser";
import { members } from "../tar.js";
import { answer } from "./answer.js";

const KERNEL = "/usr/lib/kernel.wasm";
const PYTHON = "/usr/lib/python.wasm";
const CALLS = "/usr/lib/calls.wasm";
const HOME = "/home/student";
const FAILURE = "/bridge/failure";
const MOST_MEMORY = 1500; // megabytes
const PAGE = 65536; // bytes, of WebAssembly's memory
const ENVIRONMENT = { PYTHONHOME: "/usr", PYTHONEXECUTABLE: PYTHON, HOME, PYTHONDONTWRITEBYTECODE: "1", PYTHONNOUSERSITE: "1" };

// `archives` are tar files (Uint8Array); print(text, isError) gets what Python writes to its standard streams, and
// `hosts` are the functions that Python calls by name, as playground/bridge.py does.
export async function start(archives, { print, progress, hosts, saved }) {
  progress("unpacking");
  const fs = fileSystem();
  const unpack = (archive) => unpackInto(fs, archive);
  archives.forEach(unpack);
  answerQuestions(fs, hosts);
  progress("python");
  const libraries = new Libraries(fs, saved);
  const decoders = [new TextDecoder(), new TextDecoder()];
  const printer = (isError) => (data) => print(decoders[Number(isError)].decode(data, { stream: true }), isError);
  const kernel = await importKernel({
    source: KERNEL,
    bindings: { ...bindings, fs, posix },
    options: {
      env: ENVIRONMENT,
      wasmEnv: { wasmGetSignalState: () => 0 },
      sleep: wait,
      getStdin: () => Buffer.from(""),
      sendStdout: printer(false),
      sendStderr: printer(true),
    },
    importWebAssembly: async (file, imports) => {
      callDirectly(imports.env, new WebAssembly.Module(fs.readFileSync(CALLS)));
      return libraries.instantiate(file, imports);
    },
    importWebAssemblySync: (file, imports) => libraries.instantiate(file, imports),
    readFileSync: (file) => fs.readFileSync(file),
    maxMemoryMB: MOST_MEMORY,
  });
  kernel.callWithString("chdir", HOME);
  libraries.watch(kernel);
  if (saved) libraries.restore(kernel);
  else kernel.callWithString({ name: "cowasm_python_init", dll: PYTHON });
  return {
    run(code) {
      fs.writeFileSync(FAILURE, "");
      const failed = kernel.callWithString({ name: "cowasm_python_exec", dll: PYTHON }, withFailure(code));
      if (failed) throw new Error(fs.readFileSync(FAILURE, "utf8") || `${code} failed`);
    },
    write: (file, text) => fs.writeFileSync(file, text),
    read: (file) => fs.readFileSync(file, "utf8"),
    unpack,
    save: () => libraries.save(kernel),
    stop: () => self.close(),
    megabytes: () => kernel.memory.buffer.byteLength / 2 ** 20,
  };
}

// The libraries that the kernel loads: Python, and Python's and NumPy's extension modules.
//
// All of Python's state is in the memory of WebAssembly, and its functions are in a table, in the order in which the
// libraries were loaded. So the state of a Python can be saved as its memory and the order of its libraries. It is restored
// by loading the same libraries in that order at the same addresses, and copying the memory. No file may be open then.
class Libraries {
  #fs;
  #saved;
  #loaded = []; // the files, in order
  #places = []; // the results of malloc for the libraries, in order: [bytes, address]
  #environment;

  constructor(fs, saved) {
    this.#fs = fs;
    this.#saved = saved;
  }

  instantiate(file, imports) {
    if (file !== KERNEL) this.#loaded.push(file);
    if (imports.env.malloc) delete this.#environment.malloc; // what is being loaded gets the kernel's own
    const module = new WebAssembly.Module(this.#fs.readFileSync(file));
    this.#fs.writeFileSync(file, ""); // it is read once, and takes memory
    return new WebAssembly.Instance(module, imports);
  }

  // Note where libraries are put. The loader takes `malloc` from the kernel's environment, when it loads the first.
  watch(kernel) {
    const malloc = kernel.getFunction("malloc");
    this.#environment = kernel.instance.env;
    this.#environment.malloc = (bytes) => {
      const known = this.#saved?.places.findIndex(([size]) => size === bytes) ?? -1;
      const address = known < 0 ? malloc(bytes) : this.#saved.places.splice(0, known + 1).at(-1)[1];
      this.#places.push([bytes, address]);
      return address;
    };
  }

  save(kernel) {
    const memory = new Uint8Array(kernel.memory.buffer).slice();
    return { memory, loaded: [...this.#loaded], places: [...this.#places] };
  }

  restore(kernel) {
    const { memory, loaded } = this.#saved;
    kernel.memory.grow((memory.length - kernel.memory.buffer.byteLength) / PAGE);
    for (const file of loaded) kernel.callWithString("dlopen", file);
    if (this.#saved.places.length) throw new Error("the libraries were not loaded as before");
    new Uint8Array(kernel.memory.buffer).set(memory);
    this.#saved = null;
  }
}

// Replace the functions of JavaScript through which Python calls C functions by those of calls.wat.
function callDirectly(env, module) {
  const { __indirect_function_table } = env;
  const parameters = (index) => __indirect_function_table.get(index).length;
  const { call, get } = new WebAssembly.Instance(module, { env: { __indirect_function_table, parameters } }).exports;
  env._PyCFunctionWithKeywords_TrampolineCall = env.descr_set_trampoline_call = call;
  env.descr_get_trampoline_call = get;
}

// CoWasm tells that a program failed, and not why.
function withFailure(code) {
  return `
try:
    exec(${JSON.stringify(code)})
except BaseException:
    import traceback
    with open(${JSON.stringify(FAILURE)}, "w") as file:
        traceback.print_exc(file=file)
    raise`;
}

// A worker of a page may not block in any other way.
function wait(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

// A file system in memory, with the standard streams and the folders that Python expects.
function fileSystem() {
  const volume = Volume.fromJSON({ "/dev/stdin": "", "/dev/stdout": "", "/dev/stderr": "" });
  volume.releasedFds = [0, 1, 2];
  for (const [name, mode] of [["stderr", "w"], ["stdout", "w"], ["stdin", "r"]]) volume.openSync(`/dev/${name}`, mode);
  const fs = createFsFromVolume(volume);
  for (const folder of ["/bridge", HOME, "/tmp"]) fs.mkdirSync(folder, { recursive: true });
  return fs;
}

function unpackInto(fs, archive) {
  let folder = "";
  for (const [name, content] of members(archive)) {
    const next = `/${name.slice(0, name.lastIndexOf("/"))}`;
    if (next !== folder) fs.mkdirSync((folder = next), { recursive: true });
    fs.writeFileSync(`/${name}`, content, { mode: 0o777 });
  }
}

// CoWasm's Python cannot call JavaScript, but it opens files, and this file system is ours: Python writes its question
// to one file, and the answer is computed when Python opens another.
function answerQuestions(fs, hosts) {
  const open = fs.openSync;
  fs.openSync = (file, ...rest) => {
    if (file === "/bridge/answer") {
      fs.writeFileSync(file, answer(hosts, fs.readFileSync("/bridge/question", "utf8")));
    }
    return open(file, ...rest);
  };
}
