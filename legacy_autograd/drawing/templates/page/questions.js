// The questions about the next step, and the check of an answer. Both are computed from the steps so far; this file does
// not touch the document. A reason is a list: a key of `page.words`, then the fields of that text.
page.questions = (() => {
  const MOST_ELEMENTS = 6;
  const MOST_NAMES = 6; // in a text

  // The steps of a program with the facts for the questions: the Function, the edge, the tensors.
  function read(program) {
    const record = (place) => place === null || place === undefined ? null : program.records[place];
    return program.steps.map(({ track = 0, event, facts = {} }) => {
      const step = { track, event, function: facts.of, counts: facts.counts };
      if (facts.by) {
        [step.by, step.input] = facts.by;
        [step.function, step.output] = program.tracks[track].nodes[step.by].inputs[step.input];
      }
      step.after = event === "free" ? facts.after : record(facts.after);
      step.before = record(facts.before);
      step.gradient = record(facts.gradient);
      step.gradients = facts.gradients && facts.gradients.map(record);
      return step;
    });
  }

  // The state of a track after the steps up to `at`: missing and received gradients of each Function, and the stack.
  function situation(track, steps, at) {
    const fresh = () => ({ waits: {}, uses: {}, sent: new Set(), received: {}, ready: [], done: new Set(), running: null });
    let now = fresh();
    for (const step of steps.slice(0, at + 1)) {
      if (step.track !== track) continue;
      const number = step.function;
      if (step.event === "begin") now = fresh(); // a track may have several backwards, one after the other
      if (step.event === "begin" || step.event === "push") now.ready.push(number);
      else if (step.event === "count") {
        for (const [counted, counts] of Object.entries(step.counts)) {
          now.waits[counted] = [...counts];
          now.uses[counted] = sum(counts);
        }
      } else if (step.event === "pop" || step.event === "end") {
        if (now.running !== null) now.done.add(now.running);
        now.running = number ?? null;
        now.ready = now.ready.filter((other) => other !== number);
      } else if (step.event === "free") {
        now.waits[number][step.output] = step.after;
        now.sent.add(`${step.by}_${step.input}`);
      } else if (step.event === "add") (now.received[number] ||= []).push(step);
    }
    return now;
  }

  // The question that the step after `at` answers, or null.
  function ask({ nodes, derivatives: local }, steps, at) {
    const next = steps[at + 1];
    const make = next && { pop: askNext, count: askUses, free: askWaits, add: askAdded, ran: askSent }[next.event];
    if (!make) return null;
    const now = situation(next.track, steps, at);
    const question = make({ nodes, local, steps, at, next, now });
    return question && { ...question, track: next.track, at, nodes, now };
  }

  // Asked if several Functions are on the stack, or if one has just received its first gradient and must still wait.
  function askNext({ next, now }) {
    const waiting = Object.keys(now.received).map(Number);
    const choices = [...new Set([...now.ready, ...waiting])].filter((n) => !now.done.has(n) && n !== now.running);
    const isNew = (number) => now.received[number].every((step) => step.by === now.running);
    if (choices.length < 2 || (now.ready.length < 2 && !choices.some((n) => !now.ready.includes(n) && isNew(n)))) return null;
    return { kind: "next", answer: next.function, choices: choices.sort((a, b) => a - b), words: ["ask_next"] };
  }

  function askUses({ nodes, next }) {
    const counts = Object.entries(next.counts).map(([number, outputs]) => [Number(number), sum(outputs)]);
    const most = Math.max(0, ...counts.map(([, count]) => count));
    if (most < 2) return null;
    const [number] = counts.find(([, count]) => count === most);
    const fields = { label: nodes[number].label, outputs: nodes[number].sizes.length };
    if (fields.outputs === 1) return { kind: "uses", about: number, answer: most, words: ["ask_uses", fields] };
    return { kind: "uses", about: number, answer: [...next.counts[number]], words: ["ask_uses_each", fields] };
  }

  // Asked at the first gradient of a Function that receives several, once for each turn.
  function askWaits({ nodes, steps, at, next, now }) {
    const number = next.function;
    const isFirst = sum(now.waits[number]) === now.uses[number];
    if (now.uses[number] < 2 || !isFirst) return null;
    for (let i = at; i >= 0 && steps[i].event !== "pop"; i--) {
      const { track, event, function: earlier } = steps[i];
      if (track === next.track && event === "free" && now.uses[earlier] > 1) return null;
    }
    const fields = { label: nodes[number].label, by: nodes[next.by].label };
    const answer = now.uses[number] - 1;
    return { kind: "waits", about: number, by: next.by, input: next.input, answer, words: ["ask_waits", fields] };
  }

  // Asked when the last gradient arrives at a Function that received others before.
  function askAdded({ nodes, steps, next, at, now }) {
    const number = next.function;
    const node = nodes[number];
    const [answer, arriving] = [numbers(next.after), numbers(next.gradient)];
    if (!next.before || !answer || !arriving || sum(now.waits[number]) > 0 || node.sizes.length > 1) return null;
    const fields = { label: node.label, by: nodes[next.by].label, gradient: text(arriving), grad: gradName(node) };
    const parts = { before: numbers(next.before), arriving, held: null };
    if (node.leaf) {
      const isItsOwn = (s) => s.track === next.track && s.event === "accumulate" && s.function === number;
      const added = steps.slice(at + 1).find(isItsOwn);
      if (!added || text(numbers(added.gradient) || []) !== text(answer)) return null; // a hook replaced it
      parts.held = numbers(added.before);
    }
    return { kind: "added", about: number, answer, ...parts, words: [node.leaf ? "ask_added" : "ask_summed", fields] };
  }

  // Asked if the multiplication is easy: single numbers with few digits, and a derivative other than 1.
  function askSent({ nodes, local, steps, next, at }) {
    const number = next.function;
    const jacobians = local && local.jacobians && local.jacobians[number];
    const run = steps.slice(0, at + 1).findLast((s) => s.track === next.track && s.event === "pop");
    const received = run && run.gradients && run.gradients.length === 1 && numbers(run.gradients[0]);
    if (!jacobians || !received || received.length > 1) return null;
    const input = jacobians.findIndex((by) => by && by[0][0].length === 1 && by[0][0][0] !== 1);
    const answer = input < 0 ? null : numbers(next.gradients[input]);
    if (!answer) return null;
    const derivative = jacobians[input][0][0][0];
    if (![derivative, received[0], answer[0]].every(isEasy)) return null;
    const to = nodes[nodes[number].inputs[input][0]].label;
    const fields = { label: nodes[number].label, to, gradient: text(received), input };
    const isTwice = nodes[number].inputs.filter(([source]) => nodes[source].label === to).length > 1;
    const words = [isTwice ? "ask_sent_one" : "ask_sent", fields];
    return { kind: "sent", about: number, input, answer, derivative, received, fields, words };
  }

  // { right, why } for an answer: the number of a Function for "next", otherwise the typed text. `right` is null if the
  // text is not an answer.
  function judge(question, given) {
    return { next: judgeNext, uses: judgeUses, waits: judgeWaits, added: judgeAdded, sent: judgeSent }[question.kind](
      question, given);
  }

  function judgeNext({ nodes, now, answer }, given) {
    const node = nodes[given];
    const fields = { label: node.label, last: nodes[answer].label };
    if (given === answer) return { right: true, why: [now.ready.length > 1 ? "next_last" : "next_only", fields] };
    const wrong = (key, more) => ({ right: false, why: [key, { ...fields, ...more }] });
    if (!node.requires_grad) return wrong("next_unused");
    if (now.done.has(given) || given === now.running) return wrong("next_done");
    if (now.ready.includes(given)) return wrong("next_not_last");
    const missing = { count: sum(now.waits[given] || []), missing: missingText(nodes, now, given) };
    if (!now.received[given]) return wrong("next_nothing", missing);
    return wrong(missing.count === 1 ? "next_waits_one" : "next_waits_many", missing);
  }

  function judgeUses({ nodes, about, answer }, given) {
    if (Array.isArray(answer)) return judgeUsesOfEach({ nodes, about, answer }, given);
    const count = whole(given);
    if (count === null) return { right: null, why: ["not_a_count"] };
    const users = usersOf(nodes, about);
    const fields = { label: nodes[about].label, users: listText(nodes, users), count: answer };
    if (count === answer) return { right: true, why: ["uses_right", fields] };
    const isOnceEach = count === new Set(users.map(([user]) => user)).size;
    return { right: false, why: [isOnceEach ? "uses_each" : "uses_wrong", fields] };
  }

  function judgeUsesOfEach({ nodes, about, answer }, given) {
    const typed = parse(given, answer.length);
    if (typed === null) return { right: null, why: ["not_counts", { count: answer.length }] };
    const label = nodes[about].label;
    if (typed.length !== answer.length) {
      return { right: false, why: ["wrong_count_uses", { label, count: answer.length, typed: typed.length }] };
    }
    const users = answer.map((_, output) => {
      const some = listText(nodes, usersOf(nodes, about).filter(([, , of]) => of === output));
      return page.say(some ? "uses_of_output" : "uses_of_none", { output, users: some });
    });
    const right = typed.every(({ value }, output) => value === answer[output]);
    return { right, why: [right ? "uses_right_each" : "uses_wrong_each", { label, users: users.join(page.words.comma) }] };
  }

  function judgeWaits({ nodes, now, about, by, input, answer }, given) {
    const count = whole(given);
    if (count === null) return { right: null, why: ["not_a_count"] };
    const then = { ...now, sent: new Set([...now.sent, `${by}_${input}`]) };
    const label = nodes[about].label;
    const fields = { label, before: answer + 1, missing: missingText(nodes, then, about), count: answer };
    return { right: count === answer, why: [count === answer ? "waits_right" : "waits_wrong", fields] };
  }

  function judgeAdded({ nodes, about, answer, before, arriving, held, words }, given) {
    const typed = parse(given, answer.length);
    if (typed === null) return { right: null, why: ["not_numbers"] };
    const fields = { ...words[1], before: text(before), answer: text(answer), held: held && text(held) };
    if (typed.length !== answer.length) return wrongCount(typed, answer, nodes[about].label);
    if (isSame(typed, answer)) return { right: true, why: ["added_right", fields] };
    let key = "added_wrong";
    if (held && isSame(typed, plus(held, answer))) key = "added_after";
    else if (isSame(typed, before)) key = "added_before";
    else if (isSame(typed, arriving)) key = "added_arriving";
    return { right: false, why: [key, fields] };
  }

  function judgeSent({ answer, derivative, received, fields }, given) {
    const typed = parse(given, 1);
    if (typed === null) return { right: null, why: ["not_numbers"] };
    if (typed.length > 1) return wrongCount(typed, answer, fields.to);
    const more = { ...fields, derivative: text([derivative]), answer: text(answer) };
    if (isSame(typed, answer)) return { right: true, why: ["sent_right", more] };
    return { right: false, why: [isSame(typed, received) ? "sent_unchanged" : "sent_wrong", more] };
  }

  const wrongCount = (typed, answer, label) => ({
    right: false, why: ["wrong_count", { label, count: answer.length, typed: typed.length }],
  });

  // The text for a reader who wants to see the answer.
  function answerText(question) {
    if (question.kind === "next") return question.nodes[question.answer].label;
    return Array.isArray(question.answer) ? text(question.answer) : String(question.answer);
  }

  function reason(question) {
    return judge(question, question.kind === "next" ? question.answer : answerText(question)).why;
  }

  // --- the graph

  // [number of the user, its input, the output] of each use that passes back a gradient
  function usersOf(nodes, number) {
    return Object.entries(nodes).flatMap(([user, node]) => node.requires_grad
      ? node.inputs.flatMap(([source, output], input) => source === number ? [[Number(user), input, output]] : [])
      : []);
  }

  function missingText(nodes, now, number) {
    return listText(nodes, usersOf(nodes, number).filter(([user, input]) => !now.sent.has(`${user}_${input}`)));
  }

  function listText(nodes, users) {
    const times = new Map();
    for (const [user] of users) times.set(user, (times.get(user) || 0) + 1);
    const items = [...times].map(([user, count]) => nodes[user].label + (count > 1 ? ` ×${count}` : ""));
    const [first, more] = [items.slice(0, MOST_NAMES).join(page.words.comma), items.length - MOST_NAMES];
    return more > 0 ? page.say("and_more", { items: first, count: more }) : first;
  }

  function gradName(node) {
    const name = node.label.replace(/ #\d+$/, "");
    return name === node.kind ? page.say("grad_of", { label: node.label }) : `${name}.grad`;
  }

  // --- numbers

  const sum = (counts) => counts.reduce((a, b) => a + b, 0);
  const plus = (a, b) => a.map((x, i) => x + b[i]);

  // All numbers of a tensor's record, or null if there are too many to show.
  function numbers(record) {
    if (!record || record.size.reduce((a, b) => a * b, 1) > MOST_ELEMENTS) return null;
    if (record.values.length < record.size.reduce((a, b) => a * b, 1)) return null;
    const named = { nan: NaN, inf: Infinity, "-inf": -Infinity };
    return record.values.map((x) => typeof x === "string" ? named[x] : x);
  }

  const isEasy = (x) => Number.isFinite(x) && Math.abs(x) < 1000 && Math.abs(x - Number(x.toPrecision(3))) < 1e-12;

  function numberText(x) {
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
    return String(Number(x.toPrecision(4))).replace("-", "−");
  }

  function text(values) {
    return values.length === 1 ? numberText(values[0]) : `[${values.map(numberText).join(", ")}]`;
  }

  function whole(given) {
    const typed = parse(given, 1);
    return typed && typed.length === 1 && Number.isInteger(typed[0].value) && typed[0].value >= 0 ? typed[0].value : null;
  }

  // The typed text as [{ value, decimals }], or null: "4", "[1, 2]", "1/3", "-.5", and what an input method types for
  // Chinese: "－６。5", "【1，2】". Any dash is a minus. If the answer is one number, a comma
  // between digits is a decimal comma.
  function parse(given, count) {
    const plain = given.normalize("NFKC").replace(/[\u2010-\u2015\u2212]/g, "-").replace(/\u2044/g, "/").replace(/。/g, ".")
      .replace(/、/g, ",").replace(/[[\](){}【】〔〕〖〗「」『』〈〉《》]/g, " ").replace(/\s*\/\s*/g, "/").trim();
    const single = count === 1 ? plain.replace(/^([+-]?\d+),(\d+)$/, "$1.$2") : plain;
    const typed = single.split(/[\s,;]+/).filter(Boolean).map(parseOne);
    return typed.length === 0 || typed.includes(null) ? null : typed;
  }

  function parseOne(token) {
    if (/^[+-]?(nan|inf(inity)?)$/i.test(token)) {
      const value = /nan/i.test(token) ? NaN : token[0] === "-" ? -Infinity : Infinity;
      return { value, decimals: null };
    }
    const parts = token.split("/");
    if (parts.length > 2 || !parts.every((part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part))) return null;
    const value = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(token);
    const digits = /^[+-]?0*\.?0*(\d[\d.]*)$/.exec(token);
    const isRounded = digits && token.includes(".") && digits[1].replace(".", "").length > 1;
    return { value, decimals: isRounded ? token.split(".")[1].length : null };
  }

  // A typed number is correct if it is within a thousandth, or equals the answer rounded to the typed decimals.
  function isClose({ value, decimals }, right) {
    if (!Number.isFinite(right)) return Object.is(value, right);
    const error = Math.abs(value - right);
    return error <= 1e-3 * Math.abs(right) + 1e-12 || (decimals !== null && error <= 0.5 * 10 ** -decimals + 1e-12);
  }

  const isSame = (typed, values) => typed.length === values.length && typed.every((x, i) => isClose(x, values[i]));

  return { read, ask, judge, answerText, reason, usersOf, gradName, text, parse, isSame, situation };
})();
