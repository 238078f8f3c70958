// The Python of one page: it starts when it is first needed, and runs one program at a time.

import { Session } from "../session.js";

export class Runner {
  // state(name) is told "starting", "ready", "running" and "stopped".
  constructor({ base, lang, state }) {
    this.lang = lang;
    this.output = null; // where what the running program shows goes
    this.isRunning = false;
    this.session = new Session({
      base,
      kind: "main",
      on: {
        print: (text, isError) => this.output?.print(text, isError),
        show: (bundle) => this.output?.show(bundle),
        state,
      },
    });
    this.session.ready.catch(() => {}); // run() tells of it
  }

  // Return the session's reply, or null if the program was stopped.
  async run(source, output, options) {
    this.output = output;
    this.isRunning = true;
    const stopped = new Promise((resolve) => (this.end = resolve));
    try {
      const done = this.session.ready.then(() => this.session.run(source, { lang: this.lang, ...options }));
      done.catch(() => {}); // if it was stopped
      return await Promise.race([done, stopped]);
    } finally {
      this.isRunning = false;
      this.output = null;
    }
  }

  stop() {
    if (!this.isRunning) return;
    this.output = null; // what is still on its way is not shown
    this.session.stop();
    this.end(null);
  }
}
