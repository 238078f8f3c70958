// wasi-js names this package of several file systems in one. There is one file system here, and the package, which
// states no licence, stays out of the bundle.
export class Union {
  constructor() {
    throw new Error("there is one file system here, and no union of several");
  }
}
