// The web worker in which Python runs. session.js posts {command, …} to it, and it posts {event, …} back.

import { start } from "runtime";
import { fetchArchive } from "./tar.js";

const post = (event, data) => self.postMessage({ event, ...data });
const seconds = (since) => (performance.now() - since) / 1000;
let python, viz, loaded;

async function begin({ base, archives }) {
  const began = performance.now();
  const progress = (text) => post("progress", { text, seconds: seconds(began) });
  progress("loading");
  const bytes = await Promise.all(archives.map((name) => fetchArchive(new URL(name, base))));
  const started = await start(bytes, {
    print: (text, isError) => post("print", { text, isError }),
    progress,
    base,
    hosts: {
      layout: (source) => viz.renderString(source, { format: "svg" }),
      print: ({ text, isError }) => post("print", { text, isError }),
      show: (bundle) => post("show", { bundle }),
    },
  });
  started.run("import sys; sys.path.insert(0, '/usr/lib/playground'); import bundle");
  progress("numpy");
  started.run("import numpy");
  progress("package");
  started.run("import playground.service");
  post("ready", { seconds: seconds(began), megabytes: started.megabytes() });
  return started;
}

// What Python does not need to start, and the first call may: the package's sources, which tracebacks and step pages
// show, and Graphviz.
async function rest({ base, later }) {
  const { unpack } = await python;
  const archives = await Promise.all(later.map((name) => fetchArchive(new URL(name, base))));
  archives.forEach(unpack);
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
