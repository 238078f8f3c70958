// Pyodide (npm: pyodide), behind the interface of cowasm.js. npm has its Python and not its NumPy: who builds the page
// gives a wheel of NumPy for it. PYODIDE is put in by build.py: {wheel: its name, or null}.

import { loadPyodide } from "pyodide";
import { answer } from "./answer.js";

const HOME = "/home/student";

export async function start(archives, { print, progress, hosts, base }) {
  progress("python");
  const folder = new URL("pyodide/", base).href;
  const decoders = [new TextDecoder(), new TextDecoder()];
  const writer = (isError) => ({
    write(bytes) {
      print(decoders[Number(isError)].decode(bytes, { stream: true }), isError);
      return bytes.length;
    },
  });
  const pyodide = await loadPyodide({ indexURL: folder });
  pyodide.setStdout(writer(false));
  pyodide.setStderr(writer(true));
  if (PYODIDE.wheel) await pyodide.loadPackage(folder + PYODIDE.wheel);
  const unpack = (archive) => pyodide.unpackArchive(archive, "tar", { extractDir: "/" });
  progress("unpacking");
  archives.forEach(unpack);
  for (const name of ["/bridge", HOME]) pyodide.FS.mkdirTree(name);
  pyodide.FS.chdir(HOME);
  pyodide.registerJsModule("page_bridge", { ask: (question) => answer(hosts, question) });
  return {
    run: (code) => void pyodide.runPython(code),
    write: (file, text) => pyodide.FS.writeFile(file, text),
    read: (file) => pyodide.FS.readFile(file, { encoding: "utf8" }),
    unpack,
    stop: () => self.close(),
    megabytes: () => pyodide._module.HEAP8.length / 2 ** 20,
  };
}
