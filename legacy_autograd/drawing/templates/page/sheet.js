// One laid-out picture, and the space that the open boxes in it need.
//
// new page.Sheet(svg, number)     page.numbersIn(text)   the numbers in a text, such as the points of a path
//
// An unfolded box gets its space by one increasing function for each axis: positions in the band of the box are
// stretched, positions beyond it are moved. So the order is kept, and nothing overlaps.
page.Sheet = (() => {
  const PAD = 14;
  const TITLE = 20;
  const numbers = (text) => (text.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) || []).map(Number);
  page.numbersIn = numbers;

  // A function with the slope 1, and with the slope `factor` within each of `bands`, [start, end, factor].
  function stretch(bands) {
    const cuts = [...new Set(bands.flatMap(([start, end]) => [start, end]))].sort((a, b) => a - b);
    const pieces = [];
    let gained = 0;
    for (let i = 0; i + 1 < cuts.length; i++) {
      const middle = (cuts[i] + cuts[i + 1]) / 2;
      const factor = Math.max(1, ...bands.filter(([start, end]) => start <= middle && middle <= end).map(([, , f]) => f));
      pieces.push({ from: cuts[i], to: cuts[i + 1], factor, gained });
      gained += (cuts[i + 1] - cuts[i]) * (factor - 1);
    }
    return (at) => {
      let more = 0;
      for (const piece of pieces) {
        if (at <= piece.from) break;
        more = piece.gained + (Math.min(at, piece.to) - piece.from) * (piece.factor - 1);
      }
      return at + more;
    };
  }

  // One laid-out picture. Positions are in its own coordinates, whose origin is the upper left corner.
  class Sheet {
    constructor(text, number) {
      this.number = number;
      const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      [, , this.width, this.height] = numbers(root.getAttribute("viewBox"));
      this.group = document.adoptNode(root.querySelector("g.graph"));
      for (const title of this.group.querySelectorAll("title")) title.remove(); // the card shows more
      for (const text of this.group.querySelectorAll("text")) text.after(" "); // its lines are words of their own
      this.items = new Map(); // {f5 or m2: its position in the layout, and its current one}
      this.edges = [];
      this.open = new Map(); // the unfolded boxes: {item: { sheet, holder, cover, frame, title }}
      for (const group of this.group.querySelectorAll("g.node")) this.item(group);
      for (const group of this.group.querySelectorAll("g.edge")) {
        const path = group.querySelector("path");
        const which = group.querySelector("text.which");
        const d = path.getAttribute("d");
        // `now` is the curve between open boxes, `ends` what Near draws of a long one.
        this.edges.push({ group, path, d, now: d, ends: null, which, grad: group.querySelector("text.grad") });
      }
    }

    item(group) {
      const [, kind, number] = /-([fm])(\d+)$/.exec(group.id);
      const shape = group.querySelector(".shape");
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(shape.getAttribute(name)));
      const home = { x, y, width, height };
      this.items.set(kind + number, { group, kind, number, home, ...home });
    }

    // Position every item and edge; returns the size.
    arrange(endsOf) {
      const inner = new Map([...this.open].map(([item, { sheet }]) => [item, sheet.arrange(endsOf)]));
      if (!inner.size && !this.stretched) return { width: this.width, height: this.height };
      this.stretched = inner.size > 0;
      const bands = { x: [], y: [] };
      for (const [{ home }, size] of inner) {
        bands.x.push([home.x, home.x + home.width, (size.width + 2 * PAD) / home.width]);
        bands.y.push([home.y, home.y + home.height, (size.height + 2 * PAD + TITLE) / home.height]);
      }
      const [mapX, mapY] = [stretch(bands.x), stretch(bands.y)];
      for (const item of this.items.values()) this.place(item, mapX, mapY, inner.get(item));
      for (const edge of this.edges) this.bend(edge, mapX, mapY, endsOf(edge, this));
      return { width: mapX(this.width), height: mapY(this.height) };
    }

    place(item, mapX, mapY, inner) {
      const home = item.home;
      if (inner) {
        const [left, right] = [mapX(home.x), mapX(home.x + home.width)];
        const [top, bottom] = [mapY(home.y), mapY(home.y + home.height)];
        const { holder, frame, title } = this.open.get(item);
        Object.assign(item, { x: left, y: top, width: right - left, height: bottom - top });
        for (const name of ["x", "y", "width", "height"]) frame.setAttribute(name, item[name].toFixed(1));
        title.setAttribute("x", left + PAD);
        title.setAttribute("y", top + 15);
        item.inside = { x: (left + right - inner.width) / 2, y: (top + TITLE + bottom - inner.height) / 2 };
        holder.setAttribute("transform", `translate(${item.inside.x.toFixed(1)} ${item.inside.y.toFixed(1)})`);
        return;
      }
      const [x, y] = [mapX(home.x + home.width / 2), mapY(home.y + home.height / 2)];
      Object.assign(item, { x: x - home.width / 2, y: y - home.height / 2, width: home.width, height: home.height });
      item.group.setAttribute("transform", `translate(${(item.x - home.x).toFixed(1)} ${(item.y - home.y).toFixed(1)})`);
    }

    bend(edge, mapX, mapY, [tail, head]) {
      const all = numbers(edge.d);
      const points = [];
      for (let i = 0; i < all.length; i += 2) points.push({ x: all[i], y: all[i + 1] });
      const at = (point) => ({ x: mapX(point.x), y: mapY(point.y) });
      // The end of an edge keeps its offset to its item, and so does the control point next to it.
      // In an open box edges go in at the top, and out at the bottom, where they are joined with those within.
      const held = (item, point, isTail) => {
        if (!item) return { x: 0, y: 0 };
        const was = at(point);
        if (this.open.has(item)) {
          const x = Math.max(item.x + PAD, Math.min(item.x + item.width - PAD, was.x));
          return { x: x - was.x, y: item.y + (isTail ? item.height : 0) - was.y };
        }
        return { x: point.x + item.x - item.home.x - was.x, y: point.y + item.y - item.home.y - was.y };
      };
      const [first, last] = [held(tail, points[0], true), held(head, points.at(-1), false)];
      const moved = points.map(at);
      for (const [i, by] of [[0, first], [1, first], [moved.length - 2, last], [moved.length - 1, last]]) {
        moved[i] = { x: moved[i].x + by.x, y: moved[i].y + by.y };
      }
      const text = (p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`;
      edge.now = `M${text(moved[0])}C${moved.slice(1).map(text).join(" ")}`;
      for (const path of edge.group.querySelectorAll("path")) path.setAttribute("d", edge.now);
      if (head) edge.path.classList.toggle("open-end", this.open.has(head));
      if (!edge.grad) return;
      const home = { x: Number(edge.grad.getAttribute("x")), y: Number(edge.grad.getAttribute("y")) };
      const to = at(home);
      for (const one of [edge.which, edge.grad]) {
        if (one) one.setAttribute("transform", `translate(${(to.x - home.x).toFixed(1)} ${(to.y - home.y).toFixed(1)})`);
      }
    }
  }

  return Sheet;
})();
