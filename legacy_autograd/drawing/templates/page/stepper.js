// The current step, its size, speed, keys, address. Paints every track and shows the text of the step.
//
// page.stepper.index, .last, .go(i), .forward(), .back(); .placeOf(i) is the visible number of a step
// page.stepper.onStep(fn)     fn(state) after each step, with the result of page.replay.at(index)
// page.stepper.hide(halt)     hides the later steps: controls pass the step reached only forward, up to halt(from, to);
//                             null shows all again
// page.stepper.playOn()       plays quickly, up to halt; with reduced motion, or if it plays already, goes there at once
// page.stepper.pause(yes)     disables the steps while other code paints the graph
// page.onLoad(fn)             fn(program) after a program was loaded, including the first
// page.addMode({ key, enter, leave })  a button beside "watch"; its label is page.words[key]; enter(panel) gets #aside
{
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  // The texts are in the file once, in the part for readers without scripts if there is one. A <textarea> decodes them,
  // since a document with an element for each is collected only seconds later, which takes as long as several keys.
  const decoder = document.createElement("textarea");
  const said = [...document.querySelector("noscript").textContent.matchAll(/<ol class="said">(.*?)<\/ol>/gs)].map(([, list]) => {
    decoder.innerHTML = list.replaceAll("<li>", "\u0001");
    return decoder.value.split("\u0001").slice(1);
  });
  data.programs.forEach(({ steps }, p) => steps.forEach((one, i) => {
    one.track ??= 0;
    one.turn ??= null;
    one.text ??= said[p][i];
  }));
  const embedded = document.documentElement.classList.contains("embedded");
  page.data = data;
  page.words = data.words;
  // page.say("step_of", { step: 1 }): the text of that key with its {fields} filled in.
  page.say = (key, fields = {}) => page.words[key].replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? fields[name] : whole));

  const stepping = [];
  const loading = [];
  const modes = [];
  const MILLISECONDS = 1400;
  const QUICK = 350;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let program = null;
  let index = 0;
  let last = 0;
  let state = null;
  let grain = "every";
  let moments = []; // [first, last] of the steps that are shown together; several if several walks are in step
  let momentOf = []; // the index in `moments` of each step
  let stops = []; // the last step of each turn
  let halt = null;
  let paused = false;
  let reached = 0;
  let timer = null;
  let mode = null;

  function divide() {
    moments = [];
    program.steps.forEach((step, i) => {
      if (step.joined) moments.at(-1)[1] = i;
      else moments.push([i, i]);
      momentOf[i] = moments.length - 1;
    });
    const inStep = moments.length <= last; // then a turn contains the steps of all walks
    stops = moments.filter(([first], i) => {
      const [step, next] = [program.steps[first], moments[i + 1] && program.steps[moments[i + 1][0]]];
      return !next || next.turn !== step.turn || (!inStep && next.track !== step.track);
    }).map(([, final]) => final);
  }

  const moment = (i) => moments[momentOf[i]];
  const end = () => (halt ? reached : last);
  const after = () => (grain === "every" ? index + 1 : stops.find((stop) => stop > index) ?? last);
  const before = () => (grain === "every" ? moment(index)[0] - 1 : stops.findLast((stop) => stop < index) ?? 0);

  function go(wanted) {
    const target = moment(Math.max(0, Math.min(last, Math.round(wanted))))[1];
    reached = Math.max(reached, target);
    if (state !== null && (target === index || paused)) return;
    index = target;
    show();
  }

  const step = (target) => {
    if (paused || target < 0 || target > last) return;
    go(halt && target > reached ? halt(index, target) : target);
  };

  // The steps that the page shows at once: one, or all of a Function's turn up to here.
  const shown = () => {
    if (grain === "every") return moment(index);
    if (moments.length <= last) return [(stops.findLast((stop) => stop < index) ?? -1) + 1, index];
    return [page.replay.turn(index)[0], index];
  };

  const TELLING = new Set(["begin", "count", "ran", "accumulate", "drop", "add", "hook", "note", "forward", "wrap", "link", "raise", "end"]);

  function sentence([first, final]) {
    const steps = program.steps.slice(first, final + 1);
    const isFirst = (s) => s.event === "add" && s.facts && s.facts.before === null; // the text of "ran" contains it
    const one = momentOf[first] === momentOf[final];
    const telling = one ? steps : steps.filter((s) => TELLING.has(s.event) && !isFirst(s));
    return (telling.length ? telling : steps.slice(-1)).map((s) => s.text).join(one ? "\n" : " ");
  }

  function show() {
    state = page.replay.at(index);
    const now = new Set(program.steps.slice(moment(index)[0], index + 1).map((step) => step.track));
    state.isNow = (number) => now.has(number);
    const span = shown();
    page.sentence.say(sentence(span), state.step.track); // before the views place it
    page.views.forEach((view, number) => {
      const turn = [];
      for (let i = span[0]; i <= span[1]; i++) if (program.steps[i].track === number) turn.push(program.steps[i]);
      view.paint(state.tracks[number], { turn, now: now.has(number) });
    });
    page.source.paint(state);
    find("place").textContent = place();
    find("place").dataset.widest = place(last);
    find("slider").value = index;
    find("slider").setAttribute("aria-valuetext", `${place()}: ${state.step.text}`);
    ends();
    for (const row of find("all").querySelectorAll("tbody tr")) {
      row.classList.toggle("now", momentOf[row.dataset.step] === momentOf[index]);
      row.hidden = halt && Number(row.dataset.step) > reached;
    }
    address();
    if (index === last) stop();
    for (const fn of stepping) fn(state);
  }

  function place(at = index) {
    const place = page.say("step_of", { step: momentOf[at] + 1, steps: moments.length });
    if (grain === "every") return place;
    const done = stops.filter((stop) => stop < at).length + 1;
    return page.say("turn_of", { turn: done, turns: stops.length, place });
  }

  // A control that cannot go further keeps the focus: it has aria-disabled and no effect.
  function ends() {
    const off = (id, yes) => find(id).setAttribute("aria-disabled", String(yes));
    off("first", moment(index)[0] === 0);
    off("back", moment(index)[0] === 0);
    off("next", index >= last);
    off("last", index >= end());
  }

  // --- playing

  function stop() {
    clearTimeout(timer);
    timer = null;
    playing();
  }

  function playing() {
    find("play").classList.toggle("on", timer !== null);
    find("play").setAttribute("aria-label", page.words[timer === null ? "play" : "pause"]);
    find("words").setAttribute("aria-live", timer === null ? "polite" : "off");
  }

  function tick(milliseconds = MILLISECONDS) {
    const speed = Number(find("speed").value);
    timer = setTimeout(() => {
      step(after());
      if (timer !== null && index < last) tick(milliseconds);
      else stop();
    }, milliseconds / speed);
  }

  function playOn() {
    const atOnce = calm.matches || timer !== null;
    stop();
    if (atOnce) return step(last);
    tick(QUICK);
    playing();
  }

  function play() {
    if (timer !== null) return stop();
    if (paused) return;
    if (index === last && !halt) go(0);
    if (index < last) tick();
    playing();
  }

  // --- grain, address

  function setGrain(wanted) {
    if (wanted === grain) return;
    grain = wanted;
    for (const button of find("grains").children) button.setAttribute("aria-pressed", String(button.value === grain));
    if (state !== null) show();
  }

  const hasAddress = !embedded && location.protocol !== "about:"; // a frame in a notebook has none
  let writing = null;
  function address() {
    if (!hasAddress) return;
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", addressText()), 120);
  }

  function addressText() {
    const parts = [`step=${momentOf[index] + 1}`];
    if (grain !== "every") parts.push(`grain=${grain}`);
    if (data.programs.length > 1) parts.push(`program=${data.programs.indexOf(program) + 1}`);
    if (mode && mode.key !== "watch") parts.push(`mode=${mode.key}`);
    return `#${parts.join("&")}`;
  }

  function obey(hash) {
    if (hash === addressText() && state !== null) return;
    const wanted = new URLSearchParams(hash.slice(1));
    const number = (name, usual = 1) => (/^\d+$/.test(wanted.get(name) || "") ? Number(wanted.get(name)) : usual);
    const chosen = data.programs[Math.min(number("program"), data.programs.length) - 1] || data.programs[0];
    if (["function", "every"].includes(wanted.get("grain"))) setGrain(wanted.get("grain"));
    if (chosen !== program) load(chosen);
    stop();
    setMode(modes[0]);
    go(moments[Math.max(0, Math.min(moments.length, number("step", chosen.at)) - 1)][1]);
    setMode(modes.find(({ key }) => key === wanted.get("mode")));
  }

  // Copy the address of this step in this mode.
  async function link() {
    const text = location.href.replace(/#.*|$/, addressText());
    let isDone = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch { // a frame without the permission
      const box = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(box);
      box.select();
      isDone = document.execCommand("copy");
      box.remove();
    }
    find("linked").textContent = isDone ? page.words.linked : text;
    setTimeout(() => { find("linked").textContent = ""; }, isDone ? 2500 : 20000);
  }

  // --- modes: watch, and what predict.js and choice.js add

  function addMode(added) {
    if (!modes.length) modes.push({ key: "watch", enter() {}, leave() {} });
    modes.push(added);
    find("modes").hidden = false;
    find("modes").replaceChildren(...modes.map((one) => {
      const button = document.createElement("button");
      button.type = "button";
      button.value = one.key;
      button.textContent = page.words[one.key];
      button.onclick = () => setMode(one);
      return button;
    }));
    mode ||= modes[0];
    pressMode();
  }

  const pressMode = () => {
    for (const button of find("modes").children) button.setAttribute("aria-pressed", String(button.value === mode.key));
    find("app").dataset.mode = mode ? mode.key : "watch";
    document.documentElement.classList.toggle("not-watching", find("app").dataset.mode !== "watch");
  };

  function setMode(wanted) {
    stop();
    if (!wanted || wanted === mode) return;
    mode.leave();
    mode = wanted;
    find("aside").hidden = mode.key === "watch";
    find("aside").replaceChildren();
    pressMode();
    mode.enter(find("aside"));
    page.views.forEach((view) => view.resized());
    address();
  }

  function hide(wanted) {
    halt = wanted;
    reached = index;
    find("app").classList.toggle("hiding", halt !== null);
    if (state !== null) show();
  }

  function pause(yes) {
    paused = yes;
    if (!yes && state !== null) show();
  }

  // --- a program

  function load(next) {
    if (mode && mode.key !== "watch") setMode(modes[0]);
    stop();
    program = next;
    page.program = next;
    state = null;
    index = reached = 0;
    last = next.steps.length - 1;
    divide();
    page.replay.load(next);
    find("program").value = data.programs.indexOf(next);
    find("title").textContent = data.programs.length > 1 ? data.title : next.title || data.title;
    find("text").hidden = !next.text;
    find("text").innerHTML = next.text || "";
    find("app").classList.toggle("with-curves", find("text").querySelector(".curves") !== null);
    find("slider").max = last;
    find("dock").prepend(find("words")); // from the graph that is replaced
    page.views = page.buildTracks(find("tracks"), next);
    page.source.build(next);
    buildLegend(next);
    find("all").querySelector("tbody").replaceChildren();
    if (find("all").open) table();
    for (const fn of loading) fn(next);
  }

  function table() {
    const body = find("all").querySelector("tbody");
    if (body.children.length) return;
    body.replaceChildren(...program.steps.map((one, i) => {
      const row = document.createElement("tr");
      row.dataset.step = i;
      row.classList.toggle("now", i === index);
      row.hidden = halt && i > reached;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = i + 1;
      button.value = i;
      button.setAttribute("aria-label", page.say("go_to", { step: i + 1 }));
      row.insertCell().append(button);
      row.insertCell().textContent = one.text;
      return row;
    }));
  }

  function buildLegend(program) {
    const kinds = new Set(program.tracks.map((track) => track.kind));
    if (program.steps.some((step) => step.marks)) kinds.add("marks");
    const entries = Object.entries(page.words.legends).filter(([, entry]) => entry.kinds.some((kind) => kinds.has(kind)));
    find("legend").replaceChildren(...entries.map(([look, entry]) => {
      const item = document.createElement("li");
      item.innerHTML = `<svg viewBox="0 0 38 22" aria-hidden="true"><g class="node ${look.replaceAll("-", " ")}">` +
        `<rect class="shape" x="3" y="3" width="32" height="16" rx="5"/></g></svg>`;
      item.append(` ${entry.text}`);
      return item;
    }));
  }

  // --- keys

  const KEYS = {
    ArrowRight: () => step(after()), ArrowLeft: () => step(before()), Home: () => step(0), End: () => step(end()), " ": play,
    g: () => setGrain(grain === "every" ? "function" : "every"),
    s: () => page.source.next(),
    l: () => hasAddress && link(),
    "[": () => faster(-1), "]": () => faster(1),
    "+": () => active().zoom(1.25), "=": () => active().zoom(1.25), "-": () => active().zoom(0.8),
    u: () => active().unfold(), 0: () => active().fit(), f: () => active().follow(true), Escape: () => page.card.close(),
    "shift ArrowLeft": () => active().pan(60, 0), "shift ArrowRight": () => active().pan(-60, 0),
    "shift ArrowUp": () => active().pan(0, 60), "shift ArrowDown": () => active().pan(0, -60),
  };

  const active = () => page.views.find((view) => view.element.contains(document.activeElement)) || page.views[state.step.track];

  function faster(by) {
    const select = find("speed");
    select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
  }

  function pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const typing = event.target.matches("input:not(#slider), textarea, select");
    if (typing && event.key !== "Escape") return;
    if (event.key === " " && event.target.closest("button, summary, [role=button], [role=tab], a")) return;
    const key = KEYS[event.shiftKey && event.key.startsWith("Arrow") ? `shift ${event.key}` : event.key];
    if (!key || (event.key.startsWith("Arrow") && event.target.closest("[role=tablist]"))) return;
    event.preventDefault(); // the slider would step a second time, the page would scroll
    if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key) && !event.shiftKey) stop();
    key();
  }

  // --- start

  function label(element) {
    for (const one of element.querySelectorAll("[data-word]")) one.textContent = page.words[one.dataset.word];
    for (const one of element.querySelectorAll("[data-label]")) one.setAttribute("aria-label", page.words[one.dataset.label]);
    for (const one of element.querySelectorAll("[data-tip]")) one.title = page.words[one.dataset.tip];
  }
  page.label = label;

  function start() {
    find("app").hidden = false;
    label(find("app"));
    find("first").onclick = () => { stop(); step(0); };
    find("back").onclick = () => { stop(); step(before()); };
    find("next").onclick = () => { stop(); step(after()); };
    find("last").onclick = () => { stop(); step(end()); };
    find("play").onclick = play;
    find("link").onclick = link;
    find("link").hidden = !hasAddress;
    find("grains").onclick = (event) => event.target.value && setGrain(event.target.value);
    find("slider").oninput = (event) => {
      stop();
      const wanted = Math.min(Number(event.target.value), end());
      go(grain === "every" ? wanted : stops.find((stop) => stop >= wanted) ?? last);
      event.target.value = index;
    };
    find("program").replaceChildren(...data.programs.map((one, i) => new Option(one.title, i)));
    find("programs").hidden = data.programs.length < 2;
    find("program").onchange = (event) => { load(data.programs[event.target.value]); go(0); };
    find("all").querySelector("summary").onclick = table;
    find("all").ontoggle = () => find("all").open && table();
    find("all").onclick = (event) => event.target.value && (stop(), go(Number(event.target.value)));
    find("keys").querySelector("dl").replaceChildren(...page.words.key_list.flatMap(([keys, what]) => {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      term.innerHTML = keys.split(" ").map((key) => `<kbd>${key}</kbd>`).join(" ");
      text.textContent = what;
      return [term, text];
    }));
    document.addEventListener("keydown", pressed);
    addEventListener("hashchange", () => obey(location.hash));
    // Followed without a navigation: the address may still be that of the link, and a frame has none.
    find("text").addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      obey(link.hash);
    });
    let wasOpen = false;
    addEventListener("beforeprint", () => { wasOpen = find("all").open; table(); find("all").open = true; page.views.forEach((view) => view.fit()); });
    addEventListener("afterprint", () => { find("all").open = wasOpen; });
    playing();
    obey(embedded ? "" : location.hash);
  }

  page.onLoad = (fn) => loading.push(fn);
  page.addMode = addMode;
  page.stepper = {
    start, go, hide, pause, stop, playOn,
    placeOf: (i) => momentOf[i] + 1,
    forward: () => step(after()),
    back: () => step(before()),
    onStep: (fn) => stepping.push(fn),
    get index() { return index; },
    get last() { return last; },
    get grain() { return grain; },
    get state() { return state; },
  };
}
