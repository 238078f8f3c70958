// The web worker in which Python runs. session.js posts {command, …} to it, and it posts {event, …} back.

import { start } from "runtime";
import { forget, keep, recall } from "./saved.js";
import { fetchArchive } from "./tar.js";

const post = (event, data) => self.postMessage({ event, ...data });
const seconds = (since) => (performance.now() - since) / 1000;
let python, viz, loaded;

async function begin({ base, kind, archives }) {
  const began = performance.now();
  const progress = (text) => post("progress", { text, seconds: seconds(began) });
  progress("loading");
  const name = new URL(`saved?${new URLSearchParams({ kind, files: [self.location.pathname, ...archives] })}`, base).href;
  const [saved, ...bytes] = await Promise.all([
    recall(name),
    ...archives.map((archive) => fetchArchive(new URL(archive, base))),
  ]);
  const options = {
    print: (text, isError) => post("print", { text, isError }),
    progress,
    base,
    saved,
    hosts: {
      layout: (source) => viz.renderString(source, { format: "svg" }),
      print: ({ text, isError }) => post("print", { text, isError }),
      show: (bundle) => post("show", { bundle }),
    },
  };
  const started = await (saved ? resume(bytes, options, name) : startAnew(bytes, options, name));
  // What was copied from is given back now, and not when the garbage collector comes: it is more than Python's own memory.
  for (const array of saved ? [saved.memory, ...bytes] : bytes) array.buffer.transfer?.(0);
  post("ready", { seconds: seconds(began), megabytes: started.megabytes(), resumed: Boolean(saved) });
  return started;
}

async function startAnew(bytes, options, name) {
  const started = await start(bytes, options);
  started.run("import sys; sys.path.insert(0, '/usr/lib/playground'); import bundle");
  options.progress("numpy");
  started.run("import numpy");
  options.progress("package");
  started.run("import playground.service");
  if (started.save) keep(name, started.save()).catch(() => {}); // where there is no room, the next start takes longer
  return started;
}

// Start from a saved state. Where that fails, the page starts another worker without it.
async function resume(bytes, options, name) {
  try {
    const started = await start(bytes, options);
    started.run("playground.service.resume()");
    return started;
  } catch (error) {
    await forget(name);
    post("stale", { text: `${error.message ?? error}` });
    return new Promise(() => {});
  }
}

// What Python does not need to start, and the first call may: the package's sources, which tracebacks and step pages
// show, and Graphviz.
async function rest({ base, later }) {
  const { unpack } = await python;
  const archives = await Promise.all(later.map((name) => fetchArchive(new URL(name, base))));
  archives.forEach(unpack);
  for (const array of archives) array.buffer.transfer?.(0);
  const { instance } = await import("@viz-js/viz");
  viz = await instance();
}

async function call({ id, name, argument }) {
  const { run, write, read, megabytes } = await python;
  await loaded;
  const began = performance.now();
  write("/bridge/request", JSON.stringify({ name, argument }));
  run("playground.service.serve()");
  const result = JSON.parse(read("/bridge/result"));
  post("result", { id, ...result, seconds: seconds(began), megabytes: megabytes() });
}

const COMMANDS = {
  begin(data) {
    python = begin(data);
    loaded = rest(data);
    return loaded;
  },
  call,
};

self.onmessage = async ({ data }) => {
  try {
    await COMMANDS[data.command](data);
  } catch (error) {
    post("crashed", { text: `${error.message ?? error}` });
  }
};
