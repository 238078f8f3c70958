// A gradient travels along its edge; at the arrowhead the product that made it: 1 × y = 3.
//
// page.travel.products(track, state)          {edge: text} of the edges that carry a gradient now
// page.travel.draw(view, products, fresh)     draws these; the gradients of the edges `fresh` travel
page.travel = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MILLISECONDS = 300;
  const PARTS = Array.from({ length: 13 }, (_, i) => i / 12);
  const LONGEST = 34; // characters of a product
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function products(track, state) {
    const found = {};
    for (const [key, { state: look, grad }] of Object.entries(state.edges)) {
      const text = look === "active" && product(track, state, key, page.replay.record(grad));
      if (text && text.length <= LONGEST) found[key] = text;
    }
    return found;
  }

  function product(track, state, key, passed) {
    const [user, input] = key.split("_").map(Number);
    const grads = (state.nodes[user] || {}).grads || [];
    if (passed === null || grads.length !== 1 || grads[0] === null) return null;
    const received = page.replay.record(grads[0]);
    const { kind, inputs } = track.nodes[user];
    if (kind === "Mm") return shapes(received, passed, input, track.nodes[inputs[1 - input][0]].sizes[inputs[1 - input][1]]);
    const derivative = elementwise(((track.derivatives || {}).jacobians || {})[user]?.[input]);
    if (!derivative || "norm" in received || "norm" in passed) return null;
    const name = kind === "Mul" ? nameOf(track, inputs[1 - input]) : null;
    const times = name || page.short({ ...passed, values: derivative });
    return `${page.short(received)} × ${times.startsWith("-") ? `(${times})` : times} = ${page.short(passed)}`;
  }

  // The product of two matrices: each gradient is a product with the other matrix, transposed.
  function shapes(received, passed, input, other) {
    const [gradient, turned] = [page.sizeText(received.size), `${page.sizeText(other)}ᵀ`];
    return `${input === 0 ? `${gradient} × ${turned}` : `${turned} × ${gradient}`} = ${page.sizeText(passed.size)}`;
  }

  // The diagonal of a Jacobian that has nothing else.
  function elementwise(jacobians) {
    if (!jacobians || jacobians.length !== 1) return null;
    const [rows] = jacobians;
    const isDiagonal = rows.every((row, i) => row.length === rows.length && row.every((x, j) => x === 0 || i === j));
    return isDiagonal ? rows.map((row, i) => row[i]) : null;
  }

  function nameOf(track, [number]) {
    const { name, sizes } = track.nodes[number];
    return name && sizes.length === 1 && name.length <= 8 ? name : null;
  }

  // --- drawing

  const make = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
  };

  const visible = (view, key) => (view.picture.segments[key] || []).filter(({ sheet }) => view.picture.isShown(sheet.number));

  // Points along the edge in the world, from the sender to the receiver.
  function points(view, segments) {
    return segments.flatMap((segment) => view.picture.along(segment, PARTS));
  }

  const overlap = (a, b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

  // Beside the arrowhead, or further up, where it covers least.
  function boxFor(text, line, taken) {
    const [width, height] = [text.length * 6.3 + 10, 16];
    const places = [0.92, 0.7, 0.5, 0.3].flatMap((part) => {
      const { x, y } = line[Math.round(part * (line.length - 1))];
      return [{ x: x + 9, y: y - height / 2 }, { x: x - 9 - width, y: y - height / 2 }];
    });
    const cost = (box) => taken.reduce((sum, other) => sum + overlap(box, other), 0);
    return places.map((at) => ({ ...at, width, height })).reduce((a, b) => (cost(b) < cost(a) ? b : a));
  }

  function draw(view, texts, fresh) {
    view.travels ||= make("g", { class: "travels" }, view.world);
    view.travels.replaceChildren();
    view.products = [];
    if (!fresh.length && !Object.keys(texts).length) return;
    const lines = Object.fromEntries([...fresh, ...Object.keys(texts)].map((key) => [key, points(view, visible(view, key))]));
    const nodes = view.picture.seen().map(({ rect }) => rect);
    for (const [key, text] of Object.entries(texts)) {
      if (!lines[key].length) continue;
      const others = Object.entries(lines).filter(([other]) => other !== key).flatMap(([, line]) => line);
      const passing = others.map(({ x, y }) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }));
      const box = boxFor(text, lines[key], [...nodes, ...view.products, ...passing]);
      view.products.push(box);
      const group = make("g", { class: "product" }, view.travels);
      make("rect", { ...box, rx: 4 }, group);
      make("text", { x: box.x + box.width / 2, y: box.y + 12, "text-anchor": "middle" }, group).textContent = text;
      if (fresh.includes(key) && !calm.matches) {
        group.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], { duration: MILLISECONDS * 1.3 });
      }
    }
    if (calm.matches) return;
    for (const line of fresh.map((key) => lines[key]).filter(({ length }) => length)) {
      const token = make("circle", { class: "token", r: 6 }, view.travels);
      const frames = line.map(({ x, y }) => ({ transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` }));
      token.animate(frames, { duration: MILLISECONDS, easing: "ease-in-out" }).onfinish = () => token.remove();
    }
  }

  return { products, draw };
})();
