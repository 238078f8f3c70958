// Computes the state at any step from the steps' changes.
//
// page.replay.load(program)   starts with another program
// page.replay.at(index)       { index, step, tracks: [{ nodes, edges, panels, step, ended, wrong }] }, valid until the next call
// page.replay.turn(index)     [first, last] of the steps that belong to the same Function's turn
// page.replay.record(i)       a tensor's record, by its place in the program's records or as it is; page.short(record) is its text on the graph, page.numbers(record) those of its numbers
{
  const EVERY = 64; // the number of steps between two stored states
  let program = null;
  let kept = [];
  let latest = null; // { index, tracks }: what was asked for last

  const copy = (track) => ({
    ...track,
    nodes: { ...track.nodes },
    edges: { ...track.edges },
    panels: Object.fromEntries(Object.entries(track.panels).map(([name, rows]) => [name, new Map(rows)])),
  });

  // `part` is [edge, output, tensor]: another gradient that has arrived.
  const merged = (old = {}, { part, ...change }) => {
    const entries = Object.entries({ ...old, ...change }).filter(([, value]) => value !== null);
    const state = Object.fromEntries(entries);
    if (part) state.parts = [...(state.parts || []), part];
    return state;
  };

  function change(track, changes) {
    for (const kind of ["nodes", "edges"]) {
      for (const [key, value] of Object.entries(changes[kind] || {})) {
        if (value === null) delete track[kind][key];
        else track[kind][key] = merged(track[kind][key], value);
      }
    }
    for (const [name, rows] of Object.entries(changes.panels || {})) {
      const panel = (track.panels[name] ||= new Map());
      for (const [key, cells] of rows) {
        if (cells === null) panel.delete(key);
        else panel.set(key, cells.map((cell, i) => cell ?? panel.get(key)[i])); // null: the cell is unchanged
      }
    }
  }

  function take(tracks, index) {
    const step = program.steps[index];
    const track = tracks[step.track];
    change(track, step);
    track.step = step;
    track.index = index;
    track.ended = step.event === "end";
    if (step.wrong) track.wrong = { index, text: step.wrong };
  }

  function load(next) {
    program = next;
    const start = program.tracks.map((track) => {
      const state = { nodes: {}, edges: {}, panels: {}, step: null, index: -1, ended: false, wrong: null };
      change(state, track.start || {});
      return state;
    });
    kept = [start];
    latest = { index: Infinity };
  }

  function at(index) {
    const place = Math.min(Math.floor((index + 1) / EVERY), kept.length - 1);
    const isAhead = latest.index <= index && latest.index + 1 >= place * EVERY;
    const tracks = isAhead ? latest.tracks.map((track) => ({ ...track })) : kept[place].map(copy);
    for (let i = isAhead ? latest.index + 1 : place * EVERY; i <= index; i++) {
      take(tracks, i);
      if ((i + 1) % EVERY === 0 && kept.length === (i + 1) / EVERY) kept.push(tracks.map(copy));
    }
    latest = { index, tracks };
    return { index, step: program.steps[index] || null, tracks };
  }

  const sameTurn = (a, b) => a.turn === b.turn && a.track === b.track;

  function turn(index) {
    const steps = program.steps;
    let [first, last] = [index, index];
    while (first > 0 && sameTurn(steps[first - 1], steps[index])) first--;
    while (last < steps.length - 1 && sameTurn(steps[last + 1], steps[index])) last++;
    return [first, last];
  }

  const record = (i) => (typeof i === "number" ? program.records[i] : i ?? null);

  // Four significant digits, as Python's format(x, ".4g") writes them; integers are shown in full.
  page.number = (x, type = "") => {
    if (typeof x !== "number" || /Long|Int|Short|Char|Byte/.test(type)) return String(x);
    const rounded = Number(x.toPrecision(4));
    const size = Math.abs(rounded);
    if (size === 0 || (size >= 1e-4 && size < 1e4)) return String(rounded);
    return rounded.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  };

  const sizeText = (size) => (size.length === 1 ? `(${size[0]},)` : `(${size.join(", ")})`);

  const nested = (values, size) => {
    if (size.length < 2) return `[${values.join(", ")}]`;
    const length = size[0] ? values.length / size[0] : 0;
    const rows = Array.from({ length: size[0] }, (_, i) => nested(values.slice(i * length, (i + 1) * length), size.slice(1)));
    return `[${rows.join(", ")}]`;
  };

  const UNITS = { Double: 2 ** -52, Float: 2 ** -23, Half: 2 ** -10 }; // in the last place of 1

  // The texts of a record's numbers: "≈ 0" for what is rounding beside the largest of them. labels.py writes the same.
  page.numbers = (record) => {
    const type = Object.keys(UNITS).find((name) => record.type.includes(name));
    const spread = "norm" in record && record.size.length ? record.norm / Math.sqrt(record.size.reduce((a, b) => a * b, 1)) : 0;
    const largest = Math.max(0, spread || 0, ...record.values.filter((x) => typeof x === "number").map(Math.abs));
    const noise = type ? largest * 16 * UNITS[type] : 0;
    return record.values.map((x) => (typeof x === "number" && x !== 0 && Math.abs(x) < noise ? "≈ 0" : page.number(x, record.type)));
  };

  // The text of a record on a node: up to six numbers, otherwise shape, mean and norm. painted.py writes the same.
  page.short = (record) => {
    if (record === null) return "";
    if ("norm" in record) {
      const [mean, norm] = page.numbers({ ...record, values: [record.mean, record.norm] });
      return `${sizeText(record.size)} mean ${mean} norm ${norm}`;
    }
    const values = page.numbers(record);
    return values.length === 1 ? values[0] : nested(values, record.size);
  };

  page.sizeText = sizeText;
  page.replay = { load, at, turn, record };
}
