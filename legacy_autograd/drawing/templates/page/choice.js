// "Free choice": the reader acts as the engine. Any Function that has received a gradient can run (naive.js). At the end
// the gradients are compared with the correct ones.
{
  const { element } = page.card;
  const { naive, questions } = page;
  let chosen = null; // { number, view, nodes, local } of the track; null while the mode is off
  let picks = [];
  let rule = naive.AGAIN;
  let isCompared = false;
  let ui = null;

  const button = (key, onclick, className) => {
    const made = element("button", page.words[key], className);
    made.type = "button";
    made.onclick = onclick;
    return made;
  };
  const label = (number) => chosen.nodes[number].label;
  const joined = (parts) => parts.join(page.words.comma);

  // --- the mode

  function enter(panel) {
    const { tracks } = page.program;
    panel.append(element("h2", page.words.choice));
    const number = tracks.findIndex(({ kind, derivatives }) => kind === "backward" && derivatives && !derivatives.refused);
    if (number < 0) {
      const refused = tracks.map(({ derivatives }) => derivatives && derivatives.refused).find(Boolean) || { why: "none" };
      panel.append(element("p", page.say("choice_refused", { why: page.say(`refused_${refused.why}`, refused) })));
      return;
    }
    chosen = { number, view: page.views[number], nodes: tracks[number].nodes, local: tracks[number].derivatives };
    picks = [];
    isCompared = false;
    ui = {
      run: element("div", undefined, "picks"),
      log: element("ol", undefined, "log"),
      result: element("div", undefined, "result"),
      undo: button("choice_undo", () => change(picks.slice(0, -1))),
      reset: button("choice_reset", () => change([])),
      compare: button("choice_compare", compare, "main"),
    };
    ui.run.setAttribute("role", "group");
    ui.run.setAttribute("aria-label", page.words.choice_run);
    ui.result.setAttribute("role", "status");
    const acts = element("div", undefined, "acts");
    acts.append(ui.undo, ui.reset, ui.compare);
    panel.append(element("p", page.words.choice_intro), ui.run, acts, ui.result, rules(), element("h3", page.words.choice_log), ui.log);
    page.stepper.pause(true);
    show();
  }

  function leave() {
    if (chosen) {
      chosen.view.clearMarks();
      chosen = ui = null;
      page.stepper.pause(false);
    }
  }

  function rules() {
    const set = element("div", undefined, "rules");
    set.setAttribute("role", "radiogroup");
    set.setAttribute("aria-label", page.words.choice_rule);
    set.append(element("p", page.words.choice_rule));
    for (const [value, key] of [[naive.AGAIN, "rule_again"], [naive.NEW, "rule_new"]]) {
      const [one, input] = [element("label"), element("input")];
      Object.assign(input, { type: "radio", name: "rule", value, checked: value === rule });
      input.onchange = () => {
        rule = value;
        change([]);
      };
      one.append(input, ` ${page.words[key]}`);
      set.append(one);
    }
    return set;
  }

  // --- running

  function pick(number) {
    const state = naive.run(chosen.nodes, chosen.local, picks, rule);
    if (naive.candidates(state).includes(number)) change([...picks, number]);
  }

  function change(to) {
    picks = to;
    isCompared = false;
    show();
  }

  function compare() {
    isCompared = true;
    show();
    ui.result.scrollIntoView({ block: "nearest" });
  }

  function show() {
    const state = naive.run(chosen.nodes, chosen.local, picks, rule);
    if (picks.length && naive.isComplete(state)) isCompared = true;
    const focused = document.activeElement;
    const where = ui.run.contains(focused) ? focused.value : null;
    const sentences = state.log.map((entry) => entryTexts(entry, state));
    list(state);
    ui.log.replaceChildren(...sentences.map(([what, ...wrong]) => {
      const item = element("li", what);
      for (const text of wrong) item.append(element("strong", text));
      return item;
    }));
    const { root, seed } = chosen.local;
    const start = page.say("choice_start", { label: label(root), values: joined(naive.texts(state, root, seed)) });
    ui.result.replaceChildren(...(isCompared ? result(state) : []));
    for (const one of [ui.undo, ui.reset, ui.compare]) one.disabled = picks.length === 0;
    ui.compare.hidden = isCompared;
    page.sentence.say(sentences.length ? sentences.at(-1).join(" ") : start, chosen.number);
    paint(state);
    if (where !== null || focused.disabled || focused.hidden) focus(where);
  }

  // A run may remove its button; the focus then moves to the next button.
  function focus(where) {
    const same = ui.run.querySelector(`button[value="${where}"]`);
    const next = same || ui.run.querySelector("button") || (ui.undo.disabled ? null : ui.undo);
    if (next) next.focus({ preventScroll: true });
  }

  function list(state) {
    const numbers = naive.candidates(state).sort((a, b) => b - a);
    const hasNew = (number) => naive.unused(state, number).length > 0;
    const again = numbers.filter((number) => !hasNew(number));
    const made = (number, text, className) => {
      const one = element("button", text, className);
      one.type = "button";
      one.value = number;
      one.onclick = () => pick(number);
      return one;
    };
    ui.run.replaceChildren(...numbers.filter(hasNew).map((number) => {
      const key = state.runs[number] ? "choice_run_late" : "choice_run_one";
      return made(number, page.say(key, { label: label(number), values: shown(state, number, naive.unused(state, number)) }));
    }));
    if (again.length) {
      const line = element("div", undefined, "again");
      line.append(element("span", page.words.choice_run_again), ...again.map((number) => made(number, label(number))));
      ui.run.append(line);
    }
  }

  const shown = (state, number, parts) =>
    parts.map(({ output, values }) => naive.text(state, number, output, values)).join(" + ");

  // The event, then the mistake in it.
  function entryTexts(entry, state) {
    const node = chosen.nodes[entry.number];
    const fields = { label: node.label, grad: questions.gradName(node) };
    fields.values = joined(naive.texts(state, entry.number, entry.gradients));
    const sent = joined(entry.sent.map(({ to, output, values }) =>
      page.say("choice_sent_one", { to: label(to), values: naive.text(state, to, output, values) })));
    const ran = entry.sent.length ? "choice_ran" : "choice_ran_nowhere";
    const texts = [node.leaf
      ? page.say("choice_ran_leaf", { ...fields, after: naive.text(state, entry.number, 0, entry.after) })
      : page.say(ran, { ...fields, sent })];
    if (entry.missing.length) {
      const names = [...new Set(entry.missing.map(([user]) => label(user)))];
      texts.push(page.say(entry.missing.length === 1 ? "choice_early_one" : "choice_early_many", { missing: joined(names) }));
    }
    if (entry.isUnknown) {
      const whole = joined(naive.texts(state, entry.number, state.whole[entry.number]));
      texts.push(page.say("choice_unknown", { ...fields, whole }));
    }
    if (entry.runsBefore && state.rule === naive.AGAIN) {
      texts.push(page.words[node.leaf ? "choice_twice_leaf" : "choice_twice"]);
    }
    for (const { to, output, values, runsBefore } of entry.sent) {
      if (runsBefore) texts.push(page.say("choice_late", { to: label(to), values: naive.text(state, to, output, values) }));
    }
    return texts;
  }

  // --- the comparison

  function result(state) {
    const found = naive.compare(state);
    const isRight = found.leaves.every((leaf) => leaf.isRight);
    const table = element("table");
    table.append(element("caption", page.words.choice_result));
    const head = table.createTHead().insertRow();
    for (const key of ["choice_leaf", "choice_got", "choice_wanted"]) {
      const cell = element("th", page.words[key]);
      cell.scope = "col";
      head.append(cell);
    }
    for (const leaf of found.leaves) {
      const row = table.createTBody().insertRow();
      row.className = leaf.isRight ? "right" : "wrong";
      row.insertCell().textContent = questions.gradName(chosen.nodes[leaf.number]);
      row.insertCell().textContent =
        `${leaf.got === null ? page.words.choice_nothing : naive.text(state, leaf.number, 0, leaf.got)} ${leaf.isRight ? "✓" : "✗"}`;
      row.insertCell().textContent = naive.text(state, leaf.number, 0, leaf.wanted);
    }
    const whole = [table];
    const left = Object.keys(state.parts).map(Number).filter((number) => naive.unused(state, number).length);
    if (left.length) whole.push(element("p", page.say("choice_left_over", { labels: joined(left.map(label)) })));
    const why = [...new Set(found.leaves.flatMap((leaf) => leaf.why).map((one) => page.say(...one)))];
    if (why.length) {
      const reasons = element("ul", undefined, "reasons");
      reasons.append(...why.map((text) => element("li", text)));
      whole.push(element("h3", page.words.choice_why), reasons);
    }
    const runs = { runs: found.runs, enough: found.enough };
    const lesson = !isRight ? "choice_some_wrong" : found.runs > found.enough ? "choice_all_right_runs" : "choice_all_right";
    whole.push(element("p", page.say(lesson, runs), `verdict ${isRight ? "right" : "wrong"}`));
    return whole;
  }

  // --- the graph

  function paint(state) {
    const { view, nodes, local } = chosen;
    const last = state.log.at(-1);
    const numbers = naive.candidates(state);
    const painted = { nodes: {}, edges: {}, panels: {}, index: state.log.length, ended: false, wrong: null };
    for (const [key, node] of Object.entries(nodes)) {
      painted.nodes[key] = node.requires_grad ? nodeState(state, Number(key)) : page.stepper.state.tracks[chosen.number].nodes[key];
    }
    for (const entry of state.log) {
      for (const { from, input, to, output, values } of entry.sent) {
        const grad = naive.record(state, to, output, values);
        painted.edges[`${from}_${input}`] = { state: entry === last ? "active" : "given", grad };
      }
    }
    const turn = last ? last.number : local.root;
    painted.step = { turn, nodes: { [turn]: {} }, edges: last ? painted.edges : {} };
    view.clearMarks();
    for (const number of numbers) if (naive.unused(state, number).length) view.mark(number, "choice");
    view.paint(painted, { turn: last ? [painted.step] : [], now: true });
  }

  function nodeState(state, number) {
    const parts = state.parts[number] || [];
    const runs = state.runs[number] || 0;
    const late = naive.unused(state, number);
    const record = (values, output = 0) => naive.record(state, number, output, values);
    const values = chosen.nodes[number].sizes.map((_, output) => parts.filter((part) => part.output === output));
    const is = {
      state: parts.length === 0 ? "idle" : runs === 0 || late.length ? "ready" : "done",
      words: "",
      grads: values.map((some, output) => some.length
        ? record(some.map((part) => part.values).reduce((a, b) => a.map((x, i) => x + b[i])), output) : null),
      parts: parts.filter(({ from }) => from !== null).map((part) => [`${part.from}_${part.input}`, part.output, record(part.values, part.output)]),
    };
    if (runs === 0 && parts.length) is.words = page.words.choice_node_received;
    else if (runs && late.length) is.words = page.words.choice_node_late;
    else if (runs) is.words = runs === 1 ? page.words.choice_node_ran : page.say("choice_node_ran_times", { times: runs });
    const last = state.log.at(-1);
    if (!isCompared && last && last.number === number) is.state = "running";
    if (chosen.nodes[number].leaf && runs) {
      const before = chosen.local.held[number];
      is.held = [before && record(before), record(state.grads[number])];
    }
    return is;
  }

  page.onLoad(() => {
    page.views.forEach((view, track) => view.onPick((number) => {
      if (!chosen || chosen.number !== track) return false;
      pick(number);
      return true;
    }));
  });
  if (page.data.programs.some(({ tracks }) => tracks.some(({ derivatives }) => derivatives))) {
    page.addMode({ key: "choice", enter, leave });
  }
}
