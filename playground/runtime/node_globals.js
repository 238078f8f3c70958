// The names of Node.js that CoWasm's scripts use. The bundler puts them in where they are used.
import { Buffer } from "buffer";
import process from "process/browser";

process.argv = [];
process.cwd = () => "/home/student";
process.pid = 1;

export { Buffer, process };
