// "Predict": the next steps are hidden; the page asks questions (questions.js) and keeps a score.
{
  const { element } = page.card;
  const { ask, judge, answerText, reason } = page.questions;
  let steps = null; // the program's steps in the form of questions.js; null while the mode is off
  let ui = null;
  let question = null; // the open question, or the one that was answered at this step
  let entries = new Map(); // {step: { at, question, answers: [[text, right]], status: "open" | "right" | "shown" }}
  let seen = new Set(); // the steps whose question was shown; the next time they do not stop the page

  const button = (key, onclick, className) => {
    const made = element("button", page.words[key], className);
    made.type = "button";
    made.onclick = onclick;
    return made;
  };

  function questionAt(at) {
    const track = at < page.stepper.last && page.program.tracks[steps[at + 1].track];
    return track && track.kind === "backward" ? ask(track, steps, at) : null;
  }

  function questionText({ track, words }) {
    const { title } = page.program.tracks[track];
    const text = page.say(...words);
    return title ? page.say("ask_of_track", { title, text }) : text;
  }

  // --- the mode

  function enter(panel) {
    steps = page.questions.read(page.program);
    ui = {
      ask: element("p", undefined, "ask"),
      question: element("div", undefined, "question"),
      verdict: element("p", undefined, "verdict"),
      score: element("p"),
      text: element("textarea"),
      copied: element("span", undefined, "copied"),
    };
    for (const one of [ui.ask, ui.verdict, ui.copied]) one.setAttribute("role", "status");
    ui.text.readOnly = true;
    ui.text.rows = 4;
    ui.text.setAttribute("aria-label", page.words.score_heading);
    ui.next = button("go_on", () => page.stepper.playOn());
    ui.reveal = button("reveal", reveal);
    const acts = element("div", undefined, "acts");
    acts.append(ui.next, ui.reveal);
    const score = element("details", undefined, "score");
    score.append(element("summary"), ui.text, button("copy_score", copy), button("start_again", restart), ui.copied);
    score.firstChild.append(ui.score);
    panel.append(element("h2", page.words.predict), ui.ask, ui.question, ui.verdict, acts, score);
    page.stepper.hide(halt); // shows the step again, and so asks
    if (!question) page.stepper.playOn();
  }

  function leave() {
    close();
    steps = ui = null;
    page.stepper.hide(null);
  }

  function restart() {
    entries = new Map();
    seen = new Set();
    page.stepper.go(0);
    page.stepper.hide(halt);
  }

  // The first step between two steps with a question that was not asked yet.
  function halt(from, to) {
    for (let at = from; at < to; at++) if (!seen.has(at) && questionAt(at)) return at;
    return to;
  }

  // --- a question

  function close() {
    for (const view of page.views) view.clearMarks();
    question = null;
  }

  function tell() {
    if (!steps) return;
    const hadFocus = ui.question.contains(document.activeElement) || ui.next === document.activeElement;
    const byKeys = document.activeElement.matches(":focus-visible");
    close();
    const { index, last } = page.stepper;
    question = questionAt(index);
    ui.verdict.textContent = "";
    ui.verdict.className = "verdict";
    if (question) open(index);
    else {
      const key = index === last ? "predict_end" : entries.size ? "predict_on" : "predict_intro";
      ui.ask.textContent = page.words[key];
      ui.question.replaceChildren();
    }
    ui.ask.classList.toggle("asked", question !== null);
    goOn(!question || isClosed());
    ui.next.hidden = index === last;
    if (question && byKeys && !isClosed()) ui.question.querySelector("button, input").focus();
    else if (hadFocus) ui.next.focus();
    count();
  }

  function open(at) {
    page.stepper.stop();
    seen.add(at);
    if (!entries.has(at)) entries.set(at, { at, question, answers: [], status: "open" });
    ui.ask.textContent = questionText(question);
    ui.question.replaceChildren(question.kind === "next" ? choices() : form());
    if ("about" in question) view().mark(question.about, "asked");
    if (isClosed()) finish(entries.get(at).status);
    else if ("about" in question) view().show([question.about]);
    else view().show(question.choices, [question.now.running]);
  }

  const entry = () => entries.get(question.at);
  const isClosed = () => entry().status !== "open";
  const view = () => page.views[question.track];

  function choices() {
    const list = element("div", undefined, "picks");
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", page.words.ask_next);
    for (const number of question.choices) {
      const one = element("button", question.nodes[number].label);
      one.type = "button";
      one.value = number;
      one.onclick = () => answer(number);
      list.append(one);
    }
    const whole = element("div");
    whole.append(element("p", page.words.ask_next_how, "how"), list);
    return whole;
  }

  function form() {
    const made = element("form");
    const [label, input] = [element("label", page.words.your_answer), element("input")];
    const example = element("span", exampleText(), "how");
    const send = element("button", page.words.answer, "main");
    Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false, id: "answer-text" });
    input.setAttribute("aria-describedby", "answer-example");
    example.id = "answer-example";
    label.htmlFor = input.id;
    made.append(label, input, send, example);
    made.onsubmit = (event) => {
      event.preventDefault();
      if (input.value.trim()) answer(input.value);
    };
    return made;
  }

  function exampleText() {
    if (!Array.isArray(question.answer)) return page.words.example_count;
    const count = question.answer.length;
    return count === 1 ? page.words.example_one : page.say("example_many", { count });
  }

  function answer(given) {
    if (isClosed()) return;
    const { right, why } = judge(question, given);
    if (right !== null) {
      const text = question.kind === "next" ? question.nodes[given].label : given.trim();
      entry().answers.push([text, right]);
      if (question.kind === "next") view().mark(given, right ? "right" : "wrong");
    }
    if (right) {
      entry().status = "right";
      finish("right");
      ui.next.focus({ preventScroll: true });
    } else {
      say("wrong", right === null ? page.say(...why) : page.say("judged", { verdict: page.words.wrong, why: page.say(...why) }));
      const input = ui.question.querySelector("input");
      if (input) input.select();
    }
    count();
  }

  function reveal() {
    entry().status = "shown";
    finish("shown");
    ui.next.focus({ preventScroll: true });
    count();
  }

  function say(look, text) {
    ui.verdict.className = `verdict ${look}`;
    ui.verdict.textContent = text;
    ui.verdict.scrollIntoView({ block: "nearest" });
  }

  // After the answer, the question remains visible until the next step.
  function finish(status) {
    const why = page.say(...reason(question));
    const right = page.say("judged", { verdict: page.words.right, why });
    say("right", status === "right" ? right : page.say("revealed", { answer: answerText(question), why }));
    for (const one of ui.question.querySelectorAll("button, input")) one.disabled = true;
    const input = ui.question.querySelector("input");
    if (input && !input.value) input.value = answerText(question);
    if (question.kind === "next") {
      view().mark(question.answer, "right");
      ui.question.querySelector(`button[value="${question.answer}"]`).classList.add("right");
    }
    goOn(true);
  }

  function goOn(yes) {
    ui.next.textContent = page.words[yes ? "go_on" : "skip"];
    ui.next.classList.toggle("main", yes);
    ui.reveal.hidden = yes;
  }

  // --- the score

  const counted = () => [...entries.values()].filter((one) => one.answers.length || one.status === "shown");

  function scoreText() {
    const all = counted();
    if (!all.length) return page.words.score_none;
    const right = all.filter(({ answers }) => answers.length && answers[0][1]).length;
    const score = page.say("score", { right, asked: all.length });
    const shown = all.filter(({ status }) => status === "shown").length;
    return shown ? page.say("score_shown", { score, shown }) : score;
  }

  function scoreLines() {
    return counted().sort((a, b) => a.at - b.at).map(({ at, question, answers, status }) => {
      const given = answers.map(([answer, right]) => page.say(right ? "score_right" : "score_wrong", { answer }));
      if (status === "shown") given.push(page.say("score_reveal", { answer: answerText(question) }));
      const fields = { step: page.stepper.placeOf(at + 1), question: questionText(question), answers: given.join(page.words.comma) };
      return page.say("score_line", fields);
    });
  }

  function count() {
    ui.score.textContent = scoreText();
    ui.text.value = [page.program.title, scoreText(), ...scoreLines()].join("\n");
    ui.copied.textContent = "";
  }

  async function copy() {
    let done = true;
    try {
      await navigator.clipboard.writeText(ui.text.value);
    } catch { // a frame in a notebook, or no permission
      ui.text.select();
      done = document.execCommand("copy");
    }
    ui.copied.textContent = page.words[done ? "copied" : "copy_by_hand"];
  }

  page.onLoad(() => {
    entries = new Map();
    seen = new Set();
    page.views.forEach((view, track) => view.onPick((number) => {
      if (!question || question.kind !== "next" || question.track !== track || isClosed()) return false;
      answer(number);
      return true;
    }));
  });
  page.stepper.onStep(tell);
  const inStep = page.data.programs.some(({ steps }) => steps.some(({ joined }) => joined)); // one walk would reveal the other
  if (!inStep && page.data.programs.some(({ tracks }) => tracks.some(({ kind }) => kind === "backward"))) {
    page.addMode({ key: "predict", enter, leave });
  }
}
