// "Sliders": the reader changes the numbers of the leaves, and all values and gradients follow (recompute.js).
{
  const { element } = page.card;
  const MOST = 6; // elements of a leaf with sliders
  let chosen = null; // { number, view, nodes, data, leaves } of the track; null while the mode is off
  let result = null; // the element with the results

  const named = (number) => chosen.nodes[number].name || chosen.nodes[number].label;

  function enter(panel) {
    const { tracks } = page.program;
    panel.append(element("h2", page.words.sliders));
    const number = tracks.findIndex(({ operations }) => operations && !operations.refused);
    if (number < 0) {
      const { why, ...fields } = tracks.map(({ operations }) => operations && operations.refused).find(Boolean);
      panel.append(element("p", page.say("sliders_refused", { why: page.say(`unsliding_${why}`, fields) })));
      return;
    }
    chosen = { number, view: page.views[number], nodes: tracks[number].nodes, data: tracks[number].operations };
    chosen.leaves = { ...chosen.data.leaves };
    const list = element("div", undefined, "sliders");
    const reset = element("button", page.words.sliders_reset);
    reset.type = "button";
    reset.onclick = () => {
      chosen.leaves = { ...chosen.data.leaves };
      list.replaceChildren(...sliders());
      show();
    };
    result = element("dl", undefined, "result");
    list.append(...sliders());
    panel.append(element("p", page.words.sliders_intro), list, reset, element("h3", page.words.sliders_result), result);
    page.stepper.pause(true);
    show();
  }

  function leave() {
    if (!chosen) return;
    chosen = result = null;
    page.stepper.pause(false);
  }

  const sliders = () => Object.entries(chosen.leaves).filter(([, numbers]) => numbers.length <= MOST)
    .flatMap(([number, numbers]) => numbers.map((_, place) => slider(number, place)));

  // A range around the number at the start, in steps of a tenth of its power of ten.
  function slider(number, place) {
    const start = chosen.data.leaves[number][place];
    const span = Math.max(2, 2 * Math.abs(start));
    const step = 10 ** Math.floor(Math.log10(span)) / 10;
    const [low, high] = [start - span, start + span].map((end) => Number((Math.round(end / step) * step).toPrecision(12)));
    const { sizes } = chosen.nodes[number];
    const name = chosen.leaves[number].length > 1 ? `${named(number)}[${position(place, sizes[0])}]` : named(number);
    const [label, range, box] = [element("label"), element("input"), element("input")];
    Object.assign(range, { type: "range", min: low, max: high, step: "any", value: start });
    Object.assign(box, { type: "number", step: "any", value: page.number(start) });
    range.step = step;
    range.value = start;
    box.setAttribute("aria-label", page.say("sliders_number", { name }));
    range.setAttribute("aria-label", name);
    range.oninput = () => {
      box.value = page.number(Number(range.value));
      change(number, place, Number(range.value));
    };
    box.oninput = () => {
      if (!Number.isFinite(box.valueAsNumber)) return;
      range.value = box.value;
      change(number, place, box.valueAsNumber);
    };
    label.append(element("b", name), range, box);
    return label;
  }

  function position(place, size) {
    const found = [];
    for (const length of [...size].reverse()) {
      found.unshift(place % length);
      place = Math.floor(place / length);
    }
    return found.join(", ");
  }

  function change(number, place, value) {
    chosen.leaves[number] = chosen.leaves[number].map((x, i) => (i === place ? value : x));
    show();
  }

  // --- the graph and the results

  function record(numbers, size) {
    const values = numbers.map((x) => (Number.isFinite(x) ? x : Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf"));
    const found = { size, type: "", values };
    if (numbers.length <= MOST) return found;
    const sum = (of) => numbers.reduce((total, x) => total + of(x), 0);
    return { ...found, mean: sum((x) => x) / numbers.length, norm: Math.sqrt(sum((x) => x * x)) };
  }

  function show() {
    const { number: track, nodes, view, data } = chosen;
    const { values, grads, sent } = page.recompute.run(nodes, data, chosen.leaves);
    const state = { nodes: {}, edges: {}, panels: {}, index: 0, ended: true, wrong: null };
    for (const [number, { requires_grad, sizes }] of Object.entries(nodes)) {
      const tensors = (all) => all.map((numbers, output) => numbers && record(numbers, sizes[output]));
      state.nodes[number] = {
        state: requires_grad ? "done" : "unused", words: "", values: tensors(values[number]),
        grads: grads[number] ? tensors(grads[number]) : null, parts: [],
      };
    }
    for (const [edge, numbers] of Object.entries(sent)) {
      const [user, input] = edge.split("_");
      const [from, output] = nodes[user].inputs[input];
      const grad = record(numbers, nodes[from].sizes[output]);
      state.edges[edge] = { state: "given", grad };
      state.nodes[from].parts.push([edge, output, grad]);
    }
    state.step = { turn: data.root, nodes: {}, edges: {} };
    const output = data.seed.findIndex(Boolean);
    const root = page.short(record(values[data.root][output], nodes[data.root].sizes[output]));
    page.sentence.say(page.say("sliders_root", { name: named(data.root), value: root }), track);
    view.paint(state, { turn: [], now: true });
    const leaves = Object.keys(data.leaves).filter((number) => nodes[number].requires_grad && grads[number]);
    result.replaceChildren(...[[named(data.root), root], ...leaves.map((number) =>
      [page.questions.gradName(nodes[number]), page.short(record(grads[number][0], nodes[number].sizes[0]))])]
      .flatMap(([name, text]) => page.card.row(name, text)));
  }

  if (page.data.programs.some(({ tracks }) => tracks.some(({ operations }) => operations))) {
    page.addMode({ key: "sliders", enter, leave });
  }
}
