// The drawing of a track: the laid-out pictures of the whole and of each module, the open ones set into their boxes.
//
// Where a box is unfolded, one rising function for each axis makes room: what lies in the band of the box is stretched,
// what lies beyond is moved. So everything keeps its order, and nothing overlaps.
{
  const SVG = "http://www.w3.org/2000/svg";
  const PAD = 10;
  const TITLE = 20;
  const HIT_UNTIL = 800; // edges that are wide enough to be pointed at; with more, only the line itself is

  const numbers = (text) => (text.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) || []).map(Number);
  const make = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.append(made);
    return made;
  };

  function bounds(shape) {
    const value = (name) => Number(shape.getAttribute(name));
    if (shape.tagName === "rect") {
      return { x: value("x"), y: value("y"), width: value("width"), height: value("height") };
    }
    if (shape.tagName === "ellipse") {
      return { x: value("cx") - value("rx"), y: value("cy") - value("ry"), width: 2 * value("rx"), height: 2 * value("ry") };
    }
    const all = numbers(shape.getAttribute("d") || shape.getAttribute("points"));
    const [xs, ys] = [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  }

  // A function that rises at the pace 1, and faster within each of `bands`, [start, end, factor].
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

  // One picture as it was laid out. Places are in its own coordinates, whose origin is its upper left corner.
  class Sheet {
    constructor(text, number) {
      this.number = number;
      const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      const [, , width, height] = numbers(root.getAttribute("viewBox"));
      Object.assign(this, { width, height });
      const graph = root.querySelector("g.graph") || root.querySelector("g");
      const shift = /translate\(([^)]*)\)/.exec(graph.getAttribute("transform") || "translate(0 0)");
      [this.dx, this.dy] = numbers(shift[1]);
      this.group = document.importNode(graph, true);
      this.group.setAttribute("transform", `translate(${this.dx} ${this.dy})`);
      this.group.removeAttribute("id");
      for (const title of this.group.querySelectorAll("title")) title.remove(); // the card says more
      this.items = [];
      this.edges = [];
      this.open = new Map(); // the unfolded boxes: {item: { sheet, holder }}
      for (const group of this.group.querySelectorAll("g.node")) this.item(group);
      for (const group of this.group.querySelectorAll("g.edge")) this.edge(group);
    }

    item(group) {
      const shape = group.querySelector("ellipse, path, polygon, rect");
      for (const one of group.querySelectorAll("ellipse, path, polygon")) one.classList.add("shape");
      const box = bounds(shape);
      const [, kind, number] = /-([fm])(\d+)$/.exec(group.id) || [];
      const item = { group, kind, number, x: box.x + this.dx, y: box.y + this.dy, width: box.width, height: box.height };
      item.home = { x: item.x, y: item.y, width: item.width, height: item.height };
      this.items.push(item);
    }

    edge(group) {
      const path = group.querySelector("path");
      if (path) this.edges.push({ group, path, d: path.getAttribute("d"), others: [...group.querySelectorAll("polygon, text")] });
    }

    // Which items an edge touches, found by place when a box is unfolded for the first time.
    ends(edge) {
      if (edge.ends) return edge.ends;
      const points = numbers(edge.d);
      const tips = edge.others.filter((one) => one.tagName === "polygon").flatMap((one) => numbers(one.getAttribute("points")));
      const nearest = (x, y) => {
        let [best, least] = [null, 12];
        for (const item of this.items) {
          const { x: left, y: top, width, height } = item.home;
          const far = Math.max(left - x, x - left - width, top - y, y - top - height, 0);
          if (far < least) [best, least] = [item, far];
        }
        return best;
      };
      const tip = [points.at(-2), points.at(-1)];
      if (tips.length) {
        const start = [points[0], points[1]];
        let most = -1;
        for (let i = 0; i < tips.length; i += 2) {
          const far = Math.hypot(tips[i] - start[0], tips[i + 1] - start[1]);
          if (far > most) [most, tip[0], tip[1]] = [far, tips[i], tips[i + 1]];
        }
      }
      edge.tip = { x: tip[0] + this.dx, y: tip[1] + this.dy };
      edge.ends = [nearest(points[0] + this.dx, points[1] + this.dy), nearest(edge.tip.x, edge.tip.y)];
      return edge.ends;
    }

    // Give every item and edge its place; returns the size.
    arrange() {
      const inner = new Map([...this.open].map(([item, { sheet }]) => [item, sheet.arrange()]));
      if (!inner.size && !this.stretched) return { width: this.width, height: this.height };
      this.stretched = inner.size > 0;
      const bands = { x: [], y: [] };
      for (const [item, size] of inner) {
        const home = item.home;
        bands.x.push([home.x, home.x + home.width, (size.width + 2 * PAD) / home.width]);
        bands.y.push([home.y, home.y + home.height, (size.height + 2 * PAD + TITLE) / home.height]);
      }
      const [mapX, mapY] = [stretch(bands.x), stretch(bands.y)];
      for (const item of this.items) this.place(item, mapX, mapY, inner.get(item));
      for (const edge of this.edges) this.bend(edge, mapX, mapY);
      this.size = { width: mapX(this.width), height: mapY(this.height) };
      return this.size;
    }

    place(item, mapX, mapY, inner) {
      const home = item.home;
      if (inner) {
        const [left, right] = [mapX(home.x), mapX(home.x + home.width)];
        const [top, bottom] = [mapY(home.y), mapY(home.y + home.height)];
        const { holder, frame, title } = this.open.get(item);
        Object.assign(item, { x: left, y: top, width: right - left, height: bottom - top });
        for (const [name, value] of Object.entries({ x: left, y: top, width: item.width, height: item.height })) {
          frame.setAttribute(name, value);
        }
        title.setAttribute("x", left + PAD);
        title.setAttribute("y", top + 15);
        item.inside = { x: (left + right - inner.width) / 2, y: (top + TITLE + bottom - inner.height) / 2 };
        holder.setAttribute("transform", `translate(${item.inside.x} ${item.inside.y})`);
        item.group.removeAttribute("transform");
        return;
      }
      const [x, y] = [home.x + home.width / 2, home.y + home.height / 2];
      const [dx, dy] = [mapX(x) - x, mapY(y) - y];
      Object.assign(item, { x: home.x + dx, y: home.y + dy, width: home.width, height: home.height });
      item.group.setAttribute("transform", `translate(${dx} ${dy})`);
    }

    bend(edge, mapX, mapY) {
      const [tail, head] = this.ends(edge);
      const all = numbers(edge.d);
      const points = [];
      for (let i = 0; i < all.length; i += 2) points.push({ x: all[i] + this.dx, y: all[i + 1] + this.dy });
      const at = (point) => ({ x: mapX(point.x), y: mapY(point.y) });
      const moved = points.map(at);
      // An end stays where it touches its item, which was moved as a whole; so does the control point beside it.
      const held = (end, item, place) => {
        if (!item || this.open.has(item)) return { x: 0, y: 0 };
        const to = { x: place.x + item.x - item.home.x, y: place.y + item.y - item.home.y };
        const was = at(place);
        return { x: to.x - was.x, y: to.y - was.y };
      };
      const first = held(0, tail, points[0]);
      const last = held(-1, head, edge.tip);
      for (const [i, by] of [[0, first], [1, first], [moved.length - 2, last], [moved.length - 1, last]]) {
        moved[i] = { x: moved[i].x + by.x, y: moved[i].y + by.y };
      }
      const tip = at(edge.tip);
      edge.end = { x: tip.x + last.x, y: tip.y + last.y };
      edge.start = moved[0];
      const text = (p) => `${(p.x - this.dx).toFixed(1)},${(p.y - this.dy).toFixed(1)}`;
      const base = points.at(-1);
      const gap = { x: base.x - edge.tip.x, y: base.y - edge.tip.y };
      moved[moved.length - 1] = { x: edge.end.x + gap.x, y: edge.end.y + gap.y };
      const d = `M${text(moved[0])}C${moved.slice(1).map(text).join(" ")}`;
      for (const path of edge.group.querySelectorAll("path")) path.setAttribute("d", d);
      const middle = points[Math.floor(points.length / 2)];
      for (const other of edge.others) {
        const by = other.tagName === "polygon"
          ? { x: edge.end.x - edge.tip.x, y: edge.end.y - edge.tip.y }
          : { x: at(middle).x - middle.x, y: at(middle).y - middle.y };
        other.setAttribute("transform", `translate(${by.x.toFixed(1)} ${by.y.toFixed(1)})`);
      }
    }
  }

  class Picture {
    constructor(world, track) {
      this.track = track;
      this.root = make("g", { class: "sheet" }, world);
      this.sheets = track.pictures.map((picture, number) => new Sheet(picture.svg, number));
      this.holderOf = {}; // {sheet: the box that stands for it}
      for (const sheet of this.sheets) for (const item of sheet.items) if (item.kind === "m") this.holderOf[item.number] = { sheet, item };
      this.elements = new Map(); // {edge's element: [keys]}
      const byId = new Map(this.sheets.flatMap((sheet) => sheet.edges.map((edge) => [edge.group.id, edge.group])));
      for (const [key, ids] of Object.entries(track.edges)) {
        for (const id of ids) if (byId.has(id)) this.elements.set(byId.get(id), [...(this.elements.get(byId.get(id)) || []), key]);
      }
      if (this.elements.size <= HIT_UNTIL) {
        for (const sheet of this.sheets) for (const { group, path } of sheet.edges) group.prepend(make("path", { class: "hit", d: path.getAttribute("d") }));
      }
      this.root.append(this.sheets[0].group);
      this.nodes = {};
      for (const sheet of this.sheets) for (const item of sheet.items) if (item.kind === "f") this.nodes[item.number] = this.node(item, sheet);
      this.members = this.sheets.map(() => []);
      for (const [number, facts] of Object.entries(track.nodes)) {
        for (let sheet = facts.picture; sheet; sheet = track.pictures[sheet].parent ?? 0) this.members[sheet].push(number);
      }
      this.arrange();
    }

    node(item, sheet) {
      const lines = {};
      for (const name of ["value", "grad", "state"]) lines[name] = item.group.querySelector(`text.${name}`);
      for (const line of Object.values(lines)) if (line) line.textContent = "";
      return { item, sheet, group: item.group, lines, write: (name, text) => this.write(item, lines[name], text) };
    }

    // A text that is wider than its node is set narrower.
    write(item, line, text) {
      if (!line || line.textContent === text) return;
      line.textContent = text;
      const room = item.home.width - (item.group.querySelector("ellipse") ? 18 : 8);
      line.removeAttribute("textLength");
      if (text.length * 5 > room && line.getComputedTextLength() > room) {
        line.setAttribute("textLength", room);
        line.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
    }

    paintEdges(look) {
      for (const [group, keys] of this.elements) {
        const looks = keys.map(look);
        const chosen = looks.find((one) => one.look === "active") || looks.find((one) => one.lit) || looks[0];
        const name = `edge ${chosen.look} ${chosen.lit ? "lit" : ""}`.trim();
        if (group.getAttribute("class") !== name) group.setAttribute("class", name);
        const text = group.querySelector("text.grad");
        if (text && text.textContent !== chosen.text) text.textContent = chosen.text;
        const join = this.joins && this.joins.get(group);
        if (join) join.setAttribute("class", name);
      }
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
        const cover = make("g", { class: "module", "data-box": number, tabindex: "-1", role: "button", "aria-expanded": "true" });
        const frame = make("rect", { rx: 8 }, cover);
        const title = make("text", {}, cover);
        title.textContent = `− ${this.track.pictures[number].title}`;
        cover.setAttribute("aria-label", page.say("fold_box", { title: this.track.pictures[number].title }));
        const holder = make("g", { class: "holder" });
        holder.append(this.sheets[number].group);
        const shift = make("g", { class: "inside", transform: `translate(${-sheet.dx} ${-sheet.dy})` });
        shift.append(cover, holder);
        sheet.group.prepend(shift);
        sheet.open.set(item, { sheet: this.sheets[number], holder: holder, cover: shift, frame, title });
        item.group.classList.add("open");
      }
      this.arrange();
      this.onChange(number);
      this.group(`m${number}`).focus({ preventScroll: true });
    }

    arrange() {
      const { width, height } = this.sheets[0].arrange();
      this.box = { x: 0, y: 0, width, height };
    }

    // The box in which a Function is seen while its module is folded, the outermost; null where it is seen itself.
    foldedIn(number) {
      let found = null;
      for (let sheet = this.track.nodes[number].picture || 0; sheet; sheet = this.track.pictures[sheet].parent ?? 0) {
        if (!this.isOpen(sheet)) found = sheet;
      }
      return found;
    }

    paintBoxes(state, view) {
      for (const [number, { item }] of Object.entries(this.holderOf)) {
        if (this.isOpen(number)) continue;
        const members = this.members[number].filter((one) => view.track.nodes[one].requires_grad || view.track.kind === "forward");
        const states = members.map((one) => (state.nodes[one] || {}).state || "idle");
        const count = (name) => states.filter((one) => one === name).length;
        const done = count("done") + (view.track.kind === "forward" ? count("built") : 0);
        const look = ["running", "ready", "waiting"].find(count) || (done === members.length ? "done" : done ? "waiting" : states[0] || "idle");
        item.group.setAttribute("class", `node box ${look}`);
        const fields = { done: done + (look === "running" ? 1 : 0), all: members.length };
        const words = look === "running" ? page.say("box_runs", fields) : done ? page.say("box_done", fields) : "";
        const line = item.group.querySelector("text.state");
        if (line) this.write(item, line, words);
        item.group.setAttribute("role", "button");
        item.group.setAttribute("tabindex", item.group.getAttribute("tabindex") || "-1");
        item.group.setAttribute("aria-expanded", "false");
        item.group.setAttribute("aria-label", page.say("unfold_box", { title: view.track.pictures[number].title, state: words }));
      }
    }

    // --- where things are

    rect(item, sheet) {
      let { x, y } = item;
      for (let number = sheet.number; number; ) {
        const holder = this.holderOf[number];
        if (!holder) break;
        x += holder.item.inside ? holder.item.inside.x : 0;
        y += holder.item.inside ? holder.item.inside.y : 0;
        number = holder.sheet.number;
      }
      return { x, y, width: item.width, height: item.height };
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

    // What can be seen, [{ id, rect, group }]: the Functions, and the boxes of folded modules as m1, m2 …
    seen() {
      const found = Object.entries(this.nodes).filter(([number]) => this.foldedIn(number) === null)
        .map(([id, node]) => ({ id, group: node.group, rect: this.rect(node.item, node.sheet) }));
      for (const [number, { item, sheet }] of Object.entries(this.holderOf)) {
        let shown = true;
        for (let at = sheet.number; at; at = this.track.pictures[at].parent ?? 0) shown &&= this.isOpen(at);
        if (shown) found.push({ id: `m${number}`, group: this.group(`m${number}`), rect: this.rect(item, sheet) });
      }
      return found;
    }

    order() {
      const rows = this.seen();
      return rows.sort((a, b) => a.rect.y - b.rect.y || a.rect.x - b.rect.x).map((one) => one.id);
    }

    group(id) {
      if (!String(id).startsWith("m")) return this.nodes[id].group;
      const number = id.slice(1);
      const { sheet, item } = this.holderOf[number];
      return this.isOpen(number) ? sheet.open.get(item).cover.querySelector(".module") : item.group;
    }

    thing(target) {
      const module = target.closest(".module");
      if (module) return { box: module.dataset.box };
      const node = target.closest("g.node");
      if (node) {
        const [, kind, number] = /-([fm])(\d+)$/.exec(node.id) || [];
        return kind === "m" ? { box: number } : { node: number };
      }
      const edge = target.closest("g.edge");
      const keys = edge && this.elements.get(edge);
      return keys ? { edge: keys[0] } : {};
    }
  }

  page.Picture = Picture;
}
