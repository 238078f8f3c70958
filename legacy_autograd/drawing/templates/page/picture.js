// The drawing of a track: the laid-out pictures of the whole and of each module; open ones are inserted into their boxes.
//
// An unfolded box gets its space by one increasing function for each axis: positions in the band of the box are
// stretched, positions beyond it are moved. So the order is kept, and nothing overlaps.
{
  const SVG = "http://www.w3.org/2000/svg";
  const PAD = 14;
  const TITLE = 20;
  const HIT_UNTIL = 800; // edges with a wide area for the pointer; if there are more, only the line itself reacts

  const numbers = (text) => (text.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) || []).map(Number);
  const make = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.append(made);
    return made;
  };

  // A curve from one point down to another.
  function bow(from, to) {
    const middle = (from.y + to.y) / 2;
    const points = [{ x: from.x, y: middle }, { x: to.x, y: middle }, to].map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`);
    return `M${from.x.toFixed(1)},${from.y.toFixed(1)}C${points.join(" ")}`;
  }

  // The width of a line, measured without a layout of the page: one for each of thousands of lines takes seconds.
  const ruler = document.createElement("canvas").getContext("2d");
  const fonts = {};
  function widthOf(line) {
    const look = line.getAttribute("class");
    if (!fonts[look]) {
      const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(line);
      fonts[look] = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    }
    ruler.font = fonts[look];
    return ruler.measureText(line.textContent).width;
  }

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
      this.group = document.importNode(root.querySelector("g.graph"), true);
      for (const title of this.group.querySelectorAll("title")) title.remove(); // the card shows more
      for (const text of this.group.querySelectorAll("text")) text.after(" "); // its lines are words of their own
      this.items = new Map(); // {f5 or m2: its position in the layout, and its current one}
      this.edges = [];
      this.open = new Map(); // the unfolded boxes: {item: { sheet, holder, cover, frame, title }}
      for (const group of this.group.querySelectorAll("g.node")) this.item(group);
      for (const group of this.group.querySelectorAll("g.edge")) {
        const path = group.querySelector("path");
        const which = group.querySelector("text.which");
        this.edges.push({ group, path, d: path.getAttribute("d"), which, grad: group.querySelector("text.grad") });
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
      const d = `M${text(moved[0])}C${moved.slice(1).map(text).join(" ")}`;
      for (const path of edge.group.querySelectorAll("path")) path.setAttribute("d", d);
      if (head) edge.path.classList.toggle("open-end", this.open.has(head));
      if (!edge.grad) return;
      const home = { x: Number(edge.grad.getAttribute("x")), y: Number(edge.grad.getAttribute("y")) };
      const to = at(home);
      for (const one of [edge.which, edge.grad]) {
        if (one) one.setAttribute("transform", `translate(${(to.x - home.x).toFixed(1)} ${(to.y - home.y).toFixed(1)})`);
      }
    }
  }

  class Picture {
    constructor(world, track) {
      this.track = track;
      this.sheets = track.pictures.map((picture, number) => new Sheet(picture.svg, number));
      this.holderOf = {}; // {number of a module's sheet: the holder of its box}
      this.nodes = {};
      for (const sheet of this.sheets) {
        for (const item of sheet.items.values()) {
          if (item.kind === "m") this.holderOf[item.number] = { sheet, item };
          else this.nodes[item.number] = this.node(item, sheet);
        }
      }
      this.all = Object.entries(this.nodes);
      this.near = new page.Near(this);
      this.lively = []; // the keys of the edges that are not at rest
      this.elements = new Map(); // {the element of an edge: its key}
      this.segments = {}; // {key: [{ edge, sheet }, from its tail to its head]}
      const byId = new Map(this.sheets.flatMap((sheet) => sheet.edges.map((edge) => [edge.group.id, { edge, sheet }])));
      for (const [key, ids] of Object.entries(track.edges)) {
        this.segments[key] = ids.map((id) => byId.get(id)).filter(Boolean);
        for (const { edge } of this.segments[key]) {
          edge.key = key;
          this.elements.set(edge.group, key);
        }
      }
      if (this.elements.size <= HIT_UNTIL) {
        for (const sheet of this.sheets) {
          for (const { group, d } of sheet.edges) group.prepend(make("path", { class: "hit", d }));
        }
      }
      this.widest = Math.max(...Object.values(this.nodes).map(({ item }) => item.width));
      this.members = this.sheets.map(() => []);
      for (const [number, facts] of Object.entries(track.nodes)) {
        for (let sheet = facts.picture; sheet; sheet = this.parent(sheet)) this.members[sheet].push(number);
      }
      this.joins = make("g", { class: "joins" });
      this.joined = new Map(); // {key: the paths that join its segments}
      world.append(...this.sheets.map((sheet) => sheet.group), this.joins);
      for (const { items } of this.sheets) {
        for (const item of items.values()) this.narrow(item, item.group.querySelector("text.name"));
      }
      for (const { group } of this.sheets.slice(1)) group.remove(); // only measured; they are inserted again when their box is unfolded
      this.arrange();
    }

    parent(sheet) {
      return this.track.pictures[sheet].parent ?? 0;
    }

    // The items of `sheet` that an edge connects; null for an end outside of the sheet.
    endsOf(edge, sheet) {
      const [user, input] = edge.key.split("_");
      const from = this.track.nodes[user].inputs[input][0];
      return (this.track.kind === "backward" ? [user, from] : [from, user]).map((number) => {
        if ((this.track.nodes[number].picture || 0) === sheet.number) return sheet.items.get(`f${number}`);
        for (let at = this.track.nodes[number].picture; at; at = this.parent(at)) {
          if (this.parent(at) === sheet.number) return sheet.items.get(`m${at}`);
        }
        return undefined;
      });
    }

    node(item, sheet) {
      const lines = {};
      for (const name of ["value", "grad", "state"]) lines[name] = item.group.querySelector(`text.${name}`);
      for (const line of Object.values(lines)) if (line) line.textContent = "";
      return { item, sheet, group: item.group, lines, write: (name, text) => this.write(item, lines[name], text) };
    }

    // A text wider than its node is compressed.
    write(item, line, text) {
      if (!line || line.textContent === text) return;
      line.textContent = text;
      this.narrow(item, line);
    }

    narrow(item, line) {
      const room = item.home.width - 8;
      line.removeAttribute("textLength");
      if (line.textContent.length * 8.5 > room && widthOf(line) > room) {
        line.setAttribute("textLength", room);
        line.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
    }

    // Paint the edges `keys`, and those that were painted before and are at rest now.
    paintEdges(keys, look) {
      for (const key of new Set([...this.lively, ...keys])) {
        const chosen = look(key);
        const name = `edge ${chosen.look} ${chosen.lit ? "lit" : ""}`.trim();
        for (const { edge } of this.segments[key] || []) {
          if (edge.name !== name) edge.group.setAttribute("class", name);
          edge.name = name;
          if (!edge.grad || edge.text === chosen.text) continue;
          edge.text = edge.grad.textContent = chosen.text;
        }
        for (const join of this.joined.get(key) || []) join.setAttribute("class", `${name} join`);
      }
      this.lively = keys;
    }

    // --- folding

    isOpen(number) {
      const holder = this.holderOf[number];
      return Boolean(holder) && holder.sheet.open.has(holder.item);
    }

    toggle(number) {
      const { sheet, item } = this.holderOf[number];
      if (this.isOpen(number)) {
        sheet.open.get(item).holder.remove();
        sheet.open.get(item).cover.remove();
        sheet.open.delete(item);
        item.group.classList.remove("open");
      } else {
        const cover = make("g", { class: "unfolded", "data-box": number, tabindex: "-1", role: "button", "aria-expanded": "true" });
        const frame = make("rect", { rx: 8 }, cover);
        const title = make("text", { "text-anchor": "start" }, cover);
        title.textContent = `− ${this.track.pictures[number].title}`;
        cover.setAttribute("aria-label", title.textContent);
        const holder = make("g", {});
        holder.append(this.sheets[number].group);
        sheet.group.prepend(cover, holder);
        sheet.open.set(item, { sheet: this.sheets[number], holder, cover, frame, title });
        item.group.classList.add("open");
      }
      this.arrange();
      this.onChange(number);
      this.group(`m${number}`).focus({ preventScroll: true });
    }

    arrange() {
      const { width, height } = this.sheets[0].arrange((edge, sheet) => this.endsOf(edge, sheet));
      this.box = { x: 0, y: 0, width, height };
      this.join();
      this.near.divide();
    }

    // At the border of an open box, the segments of an edge are joined.
    join() {
      this.joined.clear();
      this.joins.replaceChildren();
      if (!this.sheets.some((sheet) => sheet.open.size)) return;
      for (const [key, segments] of Object.entries(this.segments)) {
        const shown = segments.filter(({ sheet }) => this.isShown(sheet.number));
        for (let i = 0; i + 1 < shown.length; i++) {
          const d = bow(this.point(shown[i], -1), this.point(shown[i + 1], 0));
          const group = make("g", { class: "edge join" }, this.joins);
          make("path", { d }, group);
          this.joined.set(key, [...(this.joined.get(key) || []), group]);
        }
      }
    }

    // The start (0) or the end (-1) of a segment, in the world.
    point({ edge, sheet }, end) {
      const all = numbers(edge.path.getAttribute("d"));
      const at = this.origin(sheet.number);
      return end === 0 ? { x: all[0] + at.x, y: all[1] + at.y } : { x: all.at(-2) + at.x, y: all.at(-1) + at.y };
    }

    origin(number) {
      const at = { x: 0, y: 0 };
      for (let sheet = number; sheet; sheet = this.holderOf[sheet].sheet.number) {
        at.x += this.holderOf[sheet].item.inside.x;
        at.y += this.holderOf[sheet].item.inside.y;
      }
      return at;
    }

    // Whether the sheet of a module is visible: all modules around it are unfolded.
    isShown(number) {
      for (let sheet = number; sheet; sheet = this.parent(sheet)) if (!this.isOpen(sheet)) return false;
      return true;
    }

    // The outermost folded box that contains a Function; null if the Function itself is visible.
    foldedIn(number) {
      let found = null;
      for (let sheet = this.track.nodes[number].picture || 0; sheet; sheet = this.parent(sheet)) {
        if (!this.isOpen(sheet)) found = sheet;
      }
      return found;
    }

    paintBoxes(state, view) {
      for (const [number, { item }] of Object.entries(this.holderOf)) {
        if (this.isOpen(number)) {
          item.look = "unfolded";
          continue;
        }
        const members = this.members[number].filter((one) => view.track.nodes[one].requires_grad || view.track.kind === "forward");
        const states = members.map((one) => (state.nodes[one] || {}).state || "idle");
        const count = (name) => states.filter((one) => one === name).length;
        const done = count("done") + (view.track.kind === "forward" ? count("built") : 0);
        const look = ["running", "ready", "waiting"].find(count) || (done === members.length ? "done" : done ? "waiting" : states[0] || "idle");
        const fields = { done: done + (look === "running" ? 1 : 0), all: members.length };
        const words = look === "running" ? page.say("box_runs", fields) : done ? page.say("box_done", fields) : "";
        if (item.look === look && item.words === words) continue;
        Object.assign(item, { look, words });
        item.group.setAttribute("class", `node module ${look}`);
        const line = item.group.querySelector("text.state");
        if (line) this.write(item, line, words);
        item.group.setAttribute("role", "button");
        item.group.setAttribute("tabindex", item.group.getAttribute("tabindex") || "-1");
        item.group.setAttribute("aria-expanded", "false");
        item.group.setAttribute("aria-label", [...item.group.querySelectorAll("text")].map((one) => one.textContent).filter(Boolean).join(", "));
      }
    }

    // --- positions

    rect(item, sheet) {
      const at = this.origin(sheet.number);
      return { x: item.x + at.x, y: item.y + at.y, width: item.width, height: item.height };
    }

    place(number) {
      const folded = this.foldedIn(number);
      if (folded !== null) return this.rect(this.holderOf[folded].item, this.holderOf[folded].sheet);
      const node = this.nodes[number];
      return node ? this.rect(node.item, node.sheet) : null;
    }

    around(wanted) {
      const all = wanted.map((number) => this.place(number)).filter(Boolean);
      if (!all.length) return null;
      const x = Math.min(...all.map((one) => one.x));
      const y = Math.min(...all.map((one) => one.y));
      return { x, y, width: Math.max(...all.map((one) => one.x + one.width)) - x, height: Math.max(...all.map((one) => one.y + one.height)) - y };
    }

    boxOf(number) {
      const { sheet, item } = this.holderOf[number];
      return this.rect(item, sheet);
    }

    // The visible items, [{ id, of, rect, group }]: the Functions, and the boxes of folded modules as m1, m2 …; of.look is the state
    seen() {
      const boxes = Object.entries(this.holderOf).filter(([, { sheet }]) => this.isShown(sheet.number))
        .map(([number, { item, sheet }]) => ({ id: `m${number}`, of: item, group: this.group(`m${number}`), rect: this.rect(item, sheet) }));
      const nodes = this.all.filter(([number]) => this.foldedIn(number) === null)
        .map(([id, node]) => ({ id, of: node, group: node.group, rect: this.rect(node.item, node.sheet) }));
      return [...boxes, ...nodes];
    }

    order() {
      const rows = this.seen();
      return rows.sort((a, b) => a.rect.y - b.rect.y || a.rect.x - b.rect.x).map((one) => one.id);
    }

    group(id) {
      if (!String(id).startsWith("m")) return this.nodes[id].group;
      const number = id.slice(1);
      const { sheet, item } = this.holderOf[number];
      return this.isOpen(number) ? sheet.open.get(item).cover : item.group;
    }

    thing(target) {
      const module = target.closest(".unfolded");
      if (module) return { box: module.dataset.box };
      const node = target.closest("g.node");
      if (node) {
        const [, kind, number] = /-([fm])(\d+)$/.exec(node.id) || [];
        return kind === "m" ? { box: number } : { node: number };
      }
      const edge = target.closest("g.edge");
      return edge && this.elements.has(edge) ? { edge: this.elements.get(edge) } : {};
    }
  }

  page.Picture = Picture;
}
