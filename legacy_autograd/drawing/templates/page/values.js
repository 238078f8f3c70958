// The values of a Function or an edge at a step, as the elements of a card.
//
// page.values.node(view, number), page.values.edge(view, key)
page.values = (() => {
  function node(view, number) {
    const facts = view.track.nodes[number];
    const is = (view.state && view.state.nodes[number]) || {};
    const { tensor, row, element } = page.card;
    const record = page.replay.record;
    const list = element("dl");
    const many = (name, i, all) => (all.length > 1 ? `${name} ${i}` : name);
    const values = "values" in is ? is.values || [] : is.state === "hidden" ? [] : facts.values || [];
    values.forEach((one, i) => one !== null && list.append(...tensor(many(page.words.value, i, values), record(one))));
    (is.grads || []).forEach((one, i, all) => {
      const parts = view.parts(is, i);
      if (one !== null && one !== undefined) list.append(...tensor(many(page.words.gradient, i, all), record(one)));
      if (parts.length > 1) list.append(...row(page.words.sum_of, parts.map((part) => page.short(record(part))).join(" + ")));
    });
    if (is.held) {
      list.append(...tensor(page.words.grad_was, record(is.held[0])), ...tensor(page.words.grad_is, record(is.held[1])));
    } else if (view.track.kind === "backward" && facts.leaf && facts.requires_grad) {
      list.append(...tensor("grad", record(facts.held)));
    }
    const inputs = (facts.inputs || []).map(([from]) => (view.track.nodes[from] || {}).label).filter(Boolean);
    if (inputs.length) list.append(...row(page.words.inputs, inputs.join(", ")));
    list.append(...row("requires_grad", facts.requires_grad ? "True" : "False"));
    const heading = element("h3", facts.label);
    if (is.words) heading.append(element("small", is.words));
    return [heading, list];
  }

  function edge(view, key) {
    const [user, input] = key.split("_").map(Number);
    const from = view.track.nodes[user].inputs[input];
    const { tensor, element } = page.card;
    const list = element("dl");
    const source = view.track.nodes[from[0]];
    const value = (source.values || [])[from[1]];
    if (value !== null && value !== undefined) list.append(...tensor(page.words.value, page.replay.record(value)));
    if (view.track.kind === "backward") list.append(...tensor(page.words.gradient, page.replay.record(lastGradient(view, key))));
    return [element("h3", page.say("edge_of", { from: source.label, user: view.track.nodes[user].label, input })), list];
  }

  // The gradient that passed along an edge, at this step or before.
  function lastGradient(view, key) {
    for (let i = view.state.index; i >= 0; i--) {
      const step = page.program.steps[i];
      const edge = step.track === view.number && step.edges && step.edges[key];
      if (edge && edge.grad !== undefined && edge.grad !== null) return edge.grad;
    }
    return null;
  }

  return { node, edge };
})();
