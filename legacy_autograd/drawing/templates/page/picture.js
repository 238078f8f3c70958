// The drawing of a track: the laid-out pictures of the whole and of each module; open ones are inserted into their boxes.
{
  const SVG = "http://www.w3.org/2000/svg";
  const HIT_UNTIL = 800; // edges with a wide area for the pointer; if there are more, only the line itself reacts

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

  // Outside of the document: the length of a path within it is only known after a layout of the page.
  const measured = make("path", {});

  class Picture {
    constructor(world, track) {
      this.track = track;
      this.sheets = track.pictures.map((picture, number) => new page.Sheet(picture.svg, number));
      this.holderOf = {}; // {number of a module's sheet: the holder of its box}
      this.nodes = {};
      for (const sheet of this.sheets) {
        for (const item of sheet.items.values()) {
          if (item.kind === "m") this.holderOf[item.number] = { sheet, item };
          else this.nodes[item.number] = this.node(item, sheet);
        }
      }
      this.all = Object.values(this.nodes);
      this.near = new page.Near(this);
      this.stale = new Set(); // the boxes whose elements show an earlier state
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
      this.members = this.sheets.map(() => []); // of each module the Functions that are run
      for (const [number, facts] of Object.entries(track.nodes)) {
        if (!facts.requires_grad && track.kind !== "forward") continue;
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
          this.near.draw(edge, chosen.look === "active" || chosen.lit);
          if (edge.name !== name) edge.group.setAttribute("class", name);
          edge.name = name;
          if (!edge.grad || edge.text === chosen.text) continue;
          edge.text = edge.grad.textContent = chosen.text;
        }
        for (const join of this.joined.get(key) || []) join.setAttribute("class", `${name} join`);
      }
      this.near.add(this.near.whole);
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
      this.visible = null; // as seen() found it
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
      const all = page.numbersIn(edge.now);
      const at = this.origin(sheet.number);
      return end === 0 ? { x: all[0] + at.x, y: all[1] + at.y } : { x: all.at(-2) + at.x, y: all.at(-1) + at.y };
    }

    // Points in the world at `parts` of the length of a segment.
    along({ edge, sheet }, parts) {
      measured.setAttribute("d", edge.now);
      const [length, at] = [measured.getTotalLength(), this.origin(sheet.number)];
      return parts.map((part) => {
        const { x, y } = measured.getPointAtLength(part * length);
        return { x: at.x + x, y: at.y + y };
      });
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

    // Paint the boxes around the Functions `changed`, and those that were folded or unfolded.
    paintBoxes(state, changed) {
      const around = new Set();
      for (const number of changed) {
        for (let sheet = this.track.nodes[number].picture; sheet; sheet = this.parent(sheet)) around.add(String(sheet));
      }
      for (const [number, { item }] of Object.entries(this.holderOf)) {
        if (this.isOpen(number)) item.look = "unfolded";
        else if (around.has(number) || item.look === "unfolded") this.paintBox(item, state);
      }
    }

    paintBox(item, state) {
      const states = this.members[item.number].map((one) => (state.nodes[one] || {}).state || "idle");
      const count = (name) => states.filter((one) => one === name).length;
      const done = count("done") + (this.track.kind === "forward" ? count("built") : 0);
      const look = ["running", "ready", "waiting"].find(count) || (done === states.length ? "done" : done ? "waiting" : states[0] || "idle");
      const fields = { done: done + (look === "running" ? 1 : 0), all: states.length };
      const words = look === "running" ? page.say("box_runs", fields) : done ? page.say("box_done", fields) : "";
      if (item.look === look && item.words === words) return;
      Object.assign(item, { look, words });
      this.stale.add(item);
    }

    // Write what changed on the visible boxes.
    renderBoxes() {
      for (const item of this.stale) {
        if (!this.near.has(item)) continue;
        this.stale.delete(item);
        if (item.look === "unfolded") continue;
        item.group.setAttribute("class", `node module ${item.look}`);
        const line = item.group.querySelector("text.state");
        if (line) this.write(item, line, item.words);
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
      if (this.visible) return this.visible;
      const boxes = Object.entries(this.holderOf).filter(([, { sheet }]) => this.isShown(sheet.number))
        .map(([number, { item, sheet }]) => ({ id: `m${number}`, of: item, group: this.group(`m${number}`), rect: this.rect(item, sheet) }));
      const nodes = this.all.filter(({ item }) => this.foldedIn(item.number) === null)
        .map((node) => ({ id: node.item.number, of: node, group: node.group, rect: this.rect(node.item, node.sheet) }));
      this.visible = [...boxes, ...nodes];
      return this.visible;
    }

    order() {
      return [...this.seen()].sort((a, b) => a.rect.y - b.rect.y || a.rect.x - b.rect.x).map((one) => one.id);
    }

    item(id) {
      return (String(id).startsWith("m") ? this.holderOf[id.slice(1)] : this.nodes[id]).item;
    }

    group(id) {
      const item = this.item(id);
      return item.kind === "m" && this.isOpen(item.number) ? this.holderOf[item.number].sheet.open.get(item).cover : item.group;
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
