// A worker that uses a runtime of playground/runtime through the interface that all of them have, and tells what it saw.

import { start } from "runtime";
import { fetchArchive } from "../../playground/tar.js";

self.onmessage = async ({ data: { base, archives, library } }) => {
  const told = { printed: [], progress: [] };
  try {
    const bytes = await Promise.all(archives.map((name) => fetchArchive(new URL(name, base))));
    const python = await start(bytes, {
      base,
      print: (text, isError) => told.printed.push([text, isError]),
      progress: (step) => told.progress.push(step),
      hosts: {
        twice: (number) => 2 * number,
        refuse() {
          throw new Error("not today");
        },
      },
    });
    python.write("/home/student/in.txt", "zwölf");
    python.run("print(open('in.txt', encoding='utf-8').read(), flush=True)");
    if (library) python.run("import sys; sys.path.insert(0, '/test'); import bundle");
    python.run("import sys; print('to the other', file=sys.stderr, flush=True)");
    python.run("sys.path.insert(0, '/test'); import bridge");
    python.run("open('out.txt', 'w').write(f'{bridge.host(\"twice\", 21)}')");
    told.written = python.read("/home/student/out.txt");
    python.run("try:\n    bridge.host('refuse', None)\nexcept ValueError as error:\n    print(error, flush=True)");
    try {
      python.run("1 / 0");
    } catch (error) {
      told.failure = error.message;
    }
    told.megabytes = python.megabytes();
    self.postMessage(told);
    python.stop();
    setTimeout(() => self.postMessage({ failure: "it has not stopped" }), 0);
  } catch (error) {
    self.postMessage({ failure: `${error.stack ?? error}` });
  }
};
