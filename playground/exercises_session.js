// Checks an answer in the page: the judge and the student's code run in two workers, which exchange messages through
// this file. The student's worker holds neither the answers nor the checks, and is a new one for each check.

import { Session } from "./session.js";

const SECONDS = 60; // for one question; judge.py names them in its reports

export class Exercises {
  #judge;
  #student;
  #on;

  // `on` has the functions progress(step) and state(name) of a Session; they tell of the judge.
  constructor({ base = "./", on = {} } = {}) {
    this.#on = on;
    this.#judge = new Session({ base, kind: "judge", on: { progress: on.progress } });
    this.#student = new Session({ base, kind: "student" });
  }

  get ready() {
    return Promise.all([this.#judge.ready, this.#student.ready]);
  }

  // Resolves with {report, passed, points, states, pictures}; see playground/python/playground/judge.py.
  async check(number, source, lang = "en") {
    await this.ready;
    this.#on.state?.("running");
    try {
      return await this.#check(number, source, lang);
    } finally {
      this.#student.stop();
      this.#on.state?.("ready");
    }
  }

  // End a check: its promise rejects with an Error named "Stopped".
  stop() {
    this.#student.stop();
    this.#judge.stop();
  }

  close() {
    this.#student.close();
    this.#judge.close();
  }

  async #check(number, source, lang) {
    const { questions, seed } = await this.#judge.call("judge.questions", { number, source });
    const replies = await this.#replies(questions);
    for (;;) {
      const verdict = await this.#judge.call("judge.verdict", { number, source, replies, seed, lang });
      if (!verdict.questions) return verdict;
      // The next question, and those that follow it as long as the student's code makes no further mistake.
      const known = questions.indexOf(verdict.questions[0], 1);
      replies.push(...(await this.#replies(known < 0 ? verdict.questions : questions.slice(known))));
    }
  }

  // The student's replies to these questions in turn, up to the first mistake that shows at once: the judge leaves out
  // what follows it.
  async #replies(questions) {
    const replies = [];
    for (const question of questions) {
      const reply = await this.#reply(question);
      replies.push([question, reply]);
      if (reply.ended || reply.trouble || reply.troubles?.length) break;
    }
    return replies;
  }

  async #reply(question) {
    await this.#student.ready;
    let isLate = false;
    const clock = setTimeout(() => {
      isLate = true;
      this.#student.stop();
    }, SECONDS * 1000);
    try {
      return await this.#student.call("student.reply", { question });
    } catch (error) {
      if (isLate) return { ended: "time" };
      if (error.name === "Crashed") return { ended: error.message };
      throw error;
    } finally {
      clearTimeout(clock);
    }
  }
}
