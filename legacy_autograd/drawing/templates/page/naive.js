// A backward in any order, as a naive engine without counts would run it, computed from the local derivatives. This file
// does not touch the document, and stores no result: a state is computed from all picks so far.
//
// A gradient is a list of coordinates (derivatives.py); NaN is a number that nobody recorded. naive.record and naive.text
// show it.
page.naive = (() => {
  const AGAIN = "again"; // a Function that runs again passes on all gradients that have arrived, including those that it has passed on
  const NEW = "new"; // … only those that have arrived since

  // The state after running the Functions `picks`, one after the other.
  function run(nodes, local, picks, rule, whole = null) {
    const state = { nodes, local, rule, whole: whole || wholeOf(nodes, local), parts: {}, runs: {}, grads: { ...local.held }, log: [] };
    state.parts[local.root] = local.seed.flatMap((values, output) =>
      values === null ? [] : [{ from: null, input: null, output, values, runsBefore: 0 }]);
    for (const number of picks) runOne(state, number);
    return state;
  }

  function runOne(state, number) {
    const { nodes, local, parts, runs } = state;
    const node = nodes[number];
    const runsBefore = runs[number] || 0;
    const used = parts[number].filter((part) => state.rule === AGAIN || part.runsBefore === runsBefore);
    const gradients = node.sizes.map((_, output) => total(used.filter((part) => part.output === output)));
    const missing = usersWithGradient(state, number).filter(([user]) => !runs[user]);
    const entry = { number, gradients, missing, sent: [], runsBefore, late: [] };
    const returned = returnedBy(state, number, gradients);
    entry.isUnknown = returned.some((values) => values && values.some(Number.isNaN)) && !gradients.flat().some(Number.isNaN);
    runs[number] = runsBefore + 1;
    if (node.leaf) {
      entry.before = state.grads[number];
      state.grads[number] = total([entry.before, returned[0]].filter(Boolean).map((values) => ({ values })));
      entry.after = state.grads[number];
    } else {
      returned.forEach((values, input) => {
        if (values === null) return;
        const [to, output] = node.inputs[input];
        const part = { from: number, input, output, values, runsBefore: runs[to] || 0 };
        (parts[to] ||= []).push(part);
        entry.sent.push({ to, ...part });
        if (part.runsBefore > 0) entry.late.push(to);
      });
    }
    state.log.push(entry);
  }

  // The gradient of each input, or null. What was recorded holds for the gradients that the Function got then.
  function returnedBy({ nodes, local, whole }, number, gradients) {
    const recorded = local.recorded[number];
    if (!recorded) return nodes[number].leaf ? gradients : local.jacobians[number].map((by) => by && carried(by, gradients));
    whole[number] ||= gradients;
    const isSame = gradients.every((values, output) => areClose(values, whole[number][output]));
    return recorded.map((values) => values && (isSame ? values : values.map(() => NaN)));
  }

  const areClose = (a, b) => a === b || (a !== null && b !== null && a.every((x, i) => Math.abs(x - b[i]) <= 1e-9 + 1e-6 * Math.abs(b[i])));

  // The gradients of each Function in the engine's order.
  const wholes = new WeakMap();
  function wholeOf(nodes, local) {
    if (!wholes.has(local)) {
      const whole = {};
      run(nodes, local, engineOrder(nodes, local), AGAIN, whole);
      wholes.set(local, whole);
    }
    return wholes.get(local);
  }

  // The gradient of one input: for each output, its gradient times the Jacobian's rows.
  function carried(jacobians, gradients) {
    let columns = [];
    jacobians.forEach((rows, output) => {
      if (gradients[output] === null) return;
      rows.forEach((row, element) => {
        columns = row.map((x, i) => (columns[i] ?? 0) + x * gradients[output][element]);
      });
    });
    return columns;
  }

  function total(parts) {
    return parts.length === 0 ? null : parts.map(({ values }) => values).reduce((a, b) => a.map((x, i) => x + b[i]));
  }

  function usersWithGradient({ nodes, local }, number) {
    return page.questions.usersOf(nodes, number).filter(([user, input]) => sends(local, user, input));
  }

  const sends = (local, number, input) => Boolean((local.jacobians[number] || local.recorded[number])?.[input]);

  const unused = (state, number) => (state.parts[number] || []).filter((p) => p.runsBefore === (state.runs[number] || 0));

  // The Functions that can be picked: those that have received a gradient.
  function candidates(state) {
    const received = Object.keys(state.parts).map(Number);
    return state.rule === AGAIN ? received : received.filter((number) => unused(state, number).length > 0);
  }

  // Whether every gradient that arrived was used.
  const isComplete = (state) => Object.keys(state.parts).every((number) => unused(state, Number(number)).length === 0);

  // The order of the engine: a Function with all its gradients is pushed onto a stack.
  function engineOrder(nodes, local) {
    const state = { nodes, local };
    const waits = {};
    for (const number of Object.keys(nodes)) waits[number] = usersWithGradient(state, Number(number)).length;
    const [ready, order] = [[local.root], []];
    while (ready.length > 0) {
      const number = ready.pop();
      order.push(number);
      nodes[number].inputs.forEach(([to], input) => {
        if (!sends(local, number, input)) return;
        waits[to] -= 1;
        if (waits[to] === 0) ready.push(to);
      });
    }
    return order;
  }

  // For each leaf its grad, the correct grad, and the reason for a difference.
  function compare(state) {
    const { nodes, local } = state;
    const order = engineOrder(nodes, local);
    const right = run(nodes, local, order, AGAIN);
    const leaves = order.filter((number) => nodes[number].leaf).sort((a, b) => a - b);
    return {
      runs: state.log.length,
      enough: order.length,
      leaves: leaves.map((number) => {
        const [got, wanted] = [state.grads[number], right.grads[number]];
        const isRight = areEqual(state, number, got, wanted);
        return { number, got, wanted, isRight, why: isRight ? [] : reasons(state, number, order) };
      }),
    };
  }

  // The mistakes on the paths from the root to this leaf, in the order of the engine.
  function reasons(state, leaf, order) {
    const { nodes, parts, runs, log } = state;
    const above = new Set([leaf]);
    for (const number of [...order].reverse()) {
      if ((nodes[number].inputs || []).some(([source], input) =>
        above.has(source) && sends(state.local, number, input))) above.add(number);
    }
    return order.filter((number) => above.has(number)).flatMap((number) => {
      const node = nodes[number];
      const key = (name) => node.leaf ? `${name}_leaf` : name;
      const fields = { label: node.label, grad: page.questions.gradName(node) };
      if (!parts[number]) return [];
      if (!runs[number]) return [[key("never_ran"), { ...fields, values: shown(state, number, parts[number]) }]];
      const found = [];
      const lost = unused(state, number);
      if (lost.length > 0) found.push([key("lost"), { ...fields, values: shown(state, number, lost), from: senders(nodes, lost) }]);
      if (runs[number] > 1 && state.rule === AGAIN) {
        const first = log.find((entry) => entry.number === number);
        const values = texts(state, number, first.gradients).join("; ");
        found.push([key("sent_again"), { ...fields, values, times: runs[number] }]);
      }
      return found;
    });
  }

  const shown = (state, number, parts) =>
    parts.map(({ output, values }) => text(state, number, output, values)).join(page.words.comma);

  const senders = (nodes, parts) =>
    [...new Set(parts.map(({ from }) => nodes[from].label))].join(page.words.comma);

  // --- gradients of many elements

  const basisOf = ({ local }, number, output) => local.bases[number] && local.bases[number][output];

  function norm({ gram }, coordinates) {
    const sum = gram.reduce((sum, row, i) => sum + row.reduce((sum, x, j) => sum + x * coordinates[i] * coordinates[j], 0), 0);
    return Math.sqrt(Math.max(0, sum));
  }

  function areEqual(state, number, got, wanted) {
    const basis = basisOf(state, number, 0);
    if (got === null || !basis) return areClose(got, wanted);
    return norm(basis, got.map((x, i) => x - wanted[i])) <= 1e-9 + 1e-6 * norm(basis, wanted);
  }

  // The tensor of this gradient, as in the page's records; "?" if it is not known.
  function record(state, number, output, coordinates) {
    const found = { size: state.nodes[number].sizes[output], type: "", values: coordinates };
    if (coordinates.some(Number.isNaN)) return { ...found, values: ["?"] };
    const basis = basisOf(state, number, output);
    if (!basis) return found;
    const sum = (of) => coordinates.reduce((sum, x, i) => sum + x * of(basis.vectors[i]), 0);
    const values = basis.vectors[0].values.map((_, at) => sum((vector) => vector.values[at]));
    return { ...found, values, mean: sum((vector) => vector.mean), norm: norm(basis, coordinates) };
  }

  function text(state, number, output, coordinates) {
    if (coordinates.some(Number.isNaN)) return "?";
    if (!basisOf(state, number, output)) return page.questions.text(coordinates);
    const { size, norm } = record(state, number, output, coordinates);
    return page.say("many_numbers", { size: page.sizeText(size), norm: page.number(norm) });
  }

  // Of the gradients of all outputs.
  const texts = (state, number, gradients) =>
    gradients.flatMap((values, output) => (values === null ? [] : [text(state, number, output, values)]));

  return { AGAIN, NEW, run, candidates, unused, isComplete, engineOrder, compare, record, text, texts };
})();
