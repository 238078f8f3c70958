// One laid-out graph: paints states, zooms, pans, follows the running Function.
//
// page.views[track].paint(state, { turn, now })   a track of page.replay.at(index); the items that the turn's steps highlight
// page.views[track].onPick(fn)        fn(number) when a Function is clicked, or Enter is pressed on it; true: handled
// page.views[track].mark(number, name, yes = true)   the class `mark-name` on a Function; clearMarks() takes all away
// page.views[track].fit(), follow(), zoom(by), pan(x, y), show([numbers])
{
  const READABLE = 1.18; // the scale at which a text of 11 units has 13 pixels
  const LEAST = 1.02; // a graph that fits at this scale is shown whole
  const LARGEST = 1.6;
  const MINIMAP_FROM = 30;
  const LONGEST_LABEL = 14; // characters of a gradient on an edge
  const REST = {}; // the state of a Function before anything happened to it
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  class View {
    constructor(element, track, number) {
      this.element = element;
      this.track = track;
      this.number = number;
      this.picks = [];
      this.marks = {};
      this.stale = new Set(); // the Functions whose elements show an earlier state
      this.state = null;
      this.lit = this.litBy(null);
      this.camera = { x: 0, y: 0, k: 1 };
      this.seen = { x: 0, y: 0 }; // where the camera was before; the view jumps if that is far away
      this.home = true; // until the reader zooms: the whole graph, or the running Function at a readable scale
      this.svg = element.querySelector("svg.view");
      this.world = element.querySelector("g.world");
      this.picture = new page.Picture(this.world, track);
      this.picture.onChange = (number) => this.changed(number);
      this.index();
      page.pointer(this);
      if (Object.keys(track.nodes).length >= MINIMAP_FROM) this.minimap = new page.Minimap(this);
      this.measure();
      this.goHome(false);
      new ResizeObserver(() => this.resized()).observe(this.svg);
    }

    // --- painting

    index() {
      for (const node of this.picture.all) {
        node.group.setAttribute("role", "button");
        node.group.setAttribute("tabindex", node === this.stop ? "0" : "-1");
        node.kind = this.kindOf(node.item.number);
      }
    }

    kindOf(number) {
      const facts = this.track.nodes[number];
      return facts.leaf ? (facts.requires_grad ? "leaf" : "constant") : "function";
    }

    paint(state, { turn, now }) {
      const isForward = this.state !== null && state.index > this.state.index;
      this.state = state;
      this.turn = turn;
      const litBefore = this.lit.nodes;
      this.lit = this.litBy(now ? state.step : null);
      this.isWrong = Boolean(state.wrong && state.step && state.step.wrong);
      const changed = [];
      for (const node of this.picture.all) {
        const { number } = node.item;
        const is = state.nodes[number] || REST;
        if (node.is === is) continue;
        node.is = is;
        node.look = is.state || "idle";
        changed.push(number);
      }
      for (const number of [...changed, ...litBefore, ...this.lit.nodes]) if (number in this.picture.nodes) this.stale.add(number);
      this.picture.paintBoxes(state, changed);
      this.stopAt(now && state.step ? state.step.turn : null);
      this.render();
      const active = new Set(turn.flatMap((step) => Object.entries(step.edges || {}).filter(([, e]) => e && e.state === "active").map(([key]) => key)));
      const products = page.travel.products(this.track, state);
      this.picture.paintEdges([...Object.keys(state.edges), ...active, ...this.lit.edges], (key) => {
        const is = state.edges[key] || {};
        const look = active.has(key) ? "active" : is.state || "";
        const isShown = (look === "active" || look === "given") && !(key in products);
        return { look, text: isShown ? this.edgeLabel(page.replay.record(is.grad)) : "", lit: this.lit.edges.has(key) };
      });
      page.travel.draw(this, products, isForward ? [...active] : []);
      this.element.classList.toggle("now", now);
      this.element.classList.toggle("unbegun", state.index < 0);
      this.element.classList.toggle("ended", state.ended);
      const progress = this.element.querySelector(".progress");
      if (progress) progress.textContent = state.index < 0 ? page.words.not_begun : state.ended ? page.words.has_ended : "";
      this.wrongText(state.wrong);
      if (this.minimap) this.minimap.paint();
      if (now) this.follow();
      if (page.card.key && String(page.card.key).startsWith(`${this.number}:`)) page.card.refresh();
    }

    classes(number, node) {
      const lit = this.lit.nodes.has(number);
      const classes = ["node", node.look, node.kind, ...(this.marks[number] || []), lit && "lit", lit && this.isWrong && "wrong"];
      return classes.filter(Boolean).join(" ");
    }

    // Write what changed on the visible nodes. The others of a large graph are written when they come into view.
    render() {
      this.picture.renderBoxes();
      for (const number of this.stale) {
        const node = this.picture.nodes[number];
        if (!this.picture.near.has(node.item)) continue;
        this.stale.delete(number);
        if (node.written !== node.is) this.words(number, node, node.is);
        node.written = node.is;
        const name = this.classes(number, node);
        if (node.group.getAttribute("class") !== name) node.group.setAttribute("class", name);
      }
    }

    // The tabulator stops at the running Function, or at the last one.
    stopAt(number) {
      const node = this.picture.nodes[number] || this.picture.all.at(-1);
      if (node === this.stop) return;
      if (this.stop) this.stop.group.setAttribute("tabindex", "-1");
      node.group.setAttribute("tabindex", "0");
      this.stop = node;
      this.picture.near.look(this.camera, this.size, node);
    }

    // A gradient, or one of several tensors: its numbers, or the norm if there are over six. painted.py writes the same.
    edgeText(record) {
      return record && "norm" in record ? `norm ${page.number(record.norm)}` : page.short(record);
    }

    // The gradient on an edge; of a long one the shape. edge_labels.py writes the same.
    edgeLabel(record) {
      const text = this.edgeText(record);
      return text && page.say("node_grad", { grad: text.length <= LONGEST_LABEL ? text : page.sizeText(record.size) });
    }

    litBy(step) {
      const marks = (step && step.marks) || {};
      return { nodes: new Set((marks.nodes || []).map(String)), edges: new Set((marks.edges || []).map(String)) };
    }

    wrongText(wrong) {
      const place = this.element.querySelector(".wrong-text");
      place.hidden = !wrong;
      place.textContent = wrong ? page.say("wrong_since", { step: page.stepper.placeOf(wrong.index), text: wrong.text }) : "";
    }

    words(number, node, is) {
      const texts = this.texts(number, is);
      for (const [name, text] of Object.entries(texts)) node.write(name, text);
      page.slots.paint(node.group, is.parts);
      page.heat.paint(node.group, ...this.pictured(number, is));
      const said = [...node.group.querySelectorAll("text")].map((one) => one.textContent).filter(Boolean).join(", ");
      if (node.said !== said) node.group.setAttribute("aria-label", said);
      node.said = said;
    }

    // The lines below a node's name; painted.py computes their width.
    texts(number, is) {
      const facts = this.track.nodes[number];
      const record = page.replay.record;
      const values = "values" in is ? is.values : is.state === "hidden" ? [] : facts.values || [];
      const records = (values || []).filter((one) => one !== null).map(record);
      const value = records.map((one) => (records.length > 1 ? this.edgeText(one) : page.short(one))).join("; ");
      const name = facts.name && !facts.leaf ? `${facts.name} ` : "";
      return { value: value && name + page.say("node_value", { value }), grad: this.gradText(facts, is), state: is.words || "" };
    }

    // The tensors whose heat maps a Function shows: its values, and its gradients or grad.
    pictured(number, is) {
      const facts = this.track.nodes[number];
      const isMade = is.state !== "hidden";
      const grads = is.held ? is.held.slice(1) : is.grads || (isMade ? [facts.held ?? null] : []);
      return ["values" in is ? is.values : isMade ? facts.values : [], grads].map((all) => (all || []).map(page.replay.record));
    }

    gradText(facts, is) {
      const text = (i) => this.edgeText(page.replay.record(i));
      const held = (i) => (i === null ? "None" : text(i));
      if (is.held) return page.say("node_held", { was: held(is.held[0]), now: held(is.held[1]) });
      const grads = is.grads || [];
      const sums = grads.map((grad, output) => {
        if (grad === null || grad === undefined) return "";
        if (is.state === "waiting") return ""; // the slots show the summands
        const parts = this.parts(is, output);
        const few = parts.length > 1 && parts.length <= 3 && parts.every((one) => page.replay.record(one).values.length === 1);
        return few ? `${parts.map(text).join(" + ")} = ${text(grad)}` : text(grad);
      }).filter(Boolean);
      if (sums.length) return sums[0].includes(" + ") || sums.length > 1 ? sums.join("; ") : page.say("node_grad", { grad: sums[0] });
      if (this.track.kind === "forward" || (facts.held ?? null) === null) return "";
      return page.say("node_grad", { grad: text(facts.held) });
    }

    parts(is, output) {
      return (is.parts || []).filter(([, to, part]) => to === output && part !== null).map(([, , part]) => part);
    }

    onPick(fn) { this.picks.push(fn); }

    pick(number) {
      if (this.picks.some((fn) => fn(Number(number)) === true)) return;
      this.card(number, true);
    }

    card(number, hold) {
      const rect = this.picture.nodes[number].group.getBoundingClientRect();
      page.card.show(`${this.number}:${number}`, () => page.values.node(this, number), rect, hold);
    }

    mark(number, name, yes = true) {
      const marks = (this.marks[number] ||= new Set());
      marks[yes ? "add" : "delete"](`mark-${name}`);
      const node = this.picture.nodes[number];
      if (node) node.group.classList.toggle(`mark-${name}`, yes);
    }

    clearMarks() {
      for (const [number, marks] of Object.entries(this.marks)) for (const name of [...marks]) this.mark(number, name.slice(5), false);
    }

    // --- the camera: its centre in the world, and the scale

    // Kept, since a question in the middle of a step would lay out the page once more.
    measure() {
      this.size = { width: this.svg.clientWidth || 1, height: this.svg.clientHeight || 1 };
      const frame = this.svg.getBoundingClientRect();
      this.tools = [...this.element.querySelectorAll(".tools, .minimap:not([hidden])")].map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return { x: left - frame.left, y: top - frame.top, width, height };
      });
    }

    get fitScale() {
      const [{ width, height }, world] = [this.size, this.picture.box];
      return Math.min((width - 10) / world.width, (height - 10) / world.height, LARGEST);
    }

    // The widest Function fits, unless its text would be too small.
    get readable() {
      return Math.max(LEAST, Math.min(READABLE, (this.size.width - 14) / this.picture.widest));
    }

    apply(smooth) {
      const { width, height } = this.size;
      const { box } = this.picture;
      const camera = this.camera;
      const isFar = Math.hypot(camera.x - this.seen.x, camera.y - this.seen.y) * camera.k > 2 * (width + height);
      camera.k = Math.max(Math.min(this.fitScale, 0.5), Math.min(4, camera.k));
      const keep = (value, start, length, seen) => {
        const half = seen / 2 / camera.k;
        return length <= 2 * half ? start + length / 2 : Math.max(start + half - 30, Math.min(start + length - half + 30, value));
      };
      camera.x = keep(camera.x, box.x, box.width, width);
      camera.y = keep(camera.y, box.y, box.height, height);
      this.world.classList.toggle("smooth", Boolean(smooth) && !isFar && !calm.matches);
      this.world.style.transform =
        `translate(${(width / 2 - camera.x * camera.k).toFixed(2)}px, ${(height / 2 - camera.y * camera.k).toFixed(2)}px) scale(${camera.k.toFixed(4)})`;
      this.svg.classList.toggle("whole", box.width * camera.k <= width + 1 && box.height * camera.k <= height + 1);
      this.seen = { x: camera.x, y: camera.y };
      this.picture.near.look(camera, { width, height }, this.stop);
      this.render();
      if (this.minimap) this.minimap.frame();
      page.sentence.place(this);
    }

    // A line from the sentence to the Function that it is about.
    point(from, to) {
      const line = this.element.querySelector(".leader");
      line.toggleAttribute("hidden", !from);
      if (!from) return;
      const near = (a, length, b, other) => (b > a + length ? a + length : b + other < a ? a : (Math.max(a, b) + Math.min(a + length, b + other)) / 2);
      line.setAttribute("x1", near(from.x, from.width, to.x, to.width));
      line.setAttribute("y1", near(from.y, from.height, to.y, to.height));
      line.setAttribute("x2", near(to.x, to.width, from.x, from.width));
      line.setAttribute("y2", near(to.y, to.height, from.y, from.height));
    }

    fit(smooth = true) {
      const { box } = this.picture;
      this.home = false;
      this.camera = { x: box.x + box.width / 2, y: box.y + box.height / 2, k: this.fitScale };
      this.apply(smooth);
    }

    goHome(smooth) {
      if (this.fitScale >= LEAST) this.fit(smooth);
      else {
        this.camera.k = this.readable;
        this.apply(false);
        this.follow(false, smooth);
      }
      this.home = true;
    }

    resized() {
      this.measure();
      if (this.home) this.goHome(false);
      else this.apply(false);
    }

    changed(number) {
      this.index();
      if (this.minimap) this.minimap.changed();
      this.measure();
      if (this.state) this.paint(this.state, { turn: this.turn, now: false });
      this.home = false;
      this.camera.k = Math.max(this.camera.k, LEAST);
      this.showBox(this.picture.boxOf(number));
    }

    // This step's items must be visible: the running Function and those that it changes, or one of them.
    follow(readable = false, smooth = true) {
      if (readable) {
        this.home = false;
        this.camera.k = Math.max(this.camera.k, this.readable);
      }
      const step = this.state && this.state.step;
      if (!step) return this.apply(smooth);
      const changed = Object.keys(step.nodes || {}).filter((number) => number !== String(step.turn));
      const running = step.turn === null || step.turn === undefined ? [] : [step.turn];
      if (!running.length && changed.length > 4) return this.apply(smooth); // the count changes all of them
      const starts = step.nodes && String(step.turn) in step.nodes;
      const first = readable || starts || !changed.length ? running : changed.slice(0, 1);
      this.show(changed.length <= 4 ? [...running, ...changed] : running, first.length ? first : changed.slice(0, 1), readable, smooth);
    }

    show(numbers, first = numbers, always = false, smooth = true) {
      const inside = (box) => {
        const { width, height } = this.size;
        const { x, y, k } = this.camera;
        const m = Math.min(24, width / 12, height / 12);
        return (box.x - x) * k > m - width / 2 && (box.x + box.width - x) * k < width / 2 - m &&
          (box.y - y) * k > m - height / 2 && (box.y + box.height - y) * k < height / 2 - m;
      };
      const fits = (box) => box.width * this.camera.k < this.size.width - 32 && box.height * this.camera.k < this.size.height - 32;
      let box = this.picture.around(numbers);
      if (box && !fits(box)) box = this.picture.around(first);
      if (!box) return this.apply(smooth);
      if (always || !inside(box)) this.showBox(box, smooth);
      else this.apply(smooth);
    }

    // The middle if it fits, otherwise the upper part.
    showBox(box, smooth = true) {
      const half = this.size.height / 2 / this.camera.k - 24;
      this.camera.x = box.x + box.width / 2;
      this.camera.y = box.y + Math.min(box.height / 2, Math.max(half, 10));
      this.apply(smooth);
    }

    zoom(by, at = null) {
      const { width, height } = this.size;
      const point = at || { x: width / 2, y: height / 2 };
      const camera = this.camera;
      const world = { x: camera.x + (point.x - width / 2) / camera.k, y: camera.y + (point.y - height / 2) / camera.k };
      this.home = false;
      camera.k = Math.max(Math.min(this.fitScale, 0.5), Math.min(4, camera.k * by));
      camera.x = world.x - (point.x - width / 2) / camera.k;
      camera.y = world.y - (point.y - height / 2) / camera.k;
      this.apply(at === null);
    }

    // Returns whether anything moved: at the border the wheel scrolls the page.
    pan(x, y, smooth = true) {
      const before = { ...this.camera };
      this.camera.x -= x / this.camera.k;
      this.camera.y -= y / this.camera.k;
      this.apply(smooth);
      const moved = Math.abs(before.x - this.camera.x) + Math.abs(before.y - this.camera.y) > 1e-3;
      if (moved) this.home = false;
      return moved;
    }

    // Unfold the folded module of the running Function, or fold the open module around it.
    unfold() {
      const turn = this.state && this.state.step && this.state.step.turn;
      if (turn === null || turn === undefined) return;
      const folded = this.picture.foldedIn(turn);
      const around = this.track.nodes[turn].picture;
      if (folded !== null || around) this.picture.toggle(folded ?? around);
    }
  }

  const TRACK = `
    <div class="graph">
      <svg class="view" role="group"><g class="world"></g><line class="leader" hidden/></svg>
      <div class="tools" role="group" data-label="zoom">
        <button type="button" value="larger" data-label="larger" data-tip="larger_key">+</button>
        <button type="button" value="smaller" data-label="smaller" data-tip="smaller_key">−</button>
        <button type="button" value="fit" data-label="fit" data-tip="fit_key"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 6V2.500H6M10 2.500h3.500V6M13.5 10v3.500H10M6 13.500H2.500V10"/></svg></button>
        <button type="button" value="follow" data-label="follow" data-tip="follow_key"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="3.5"/><path d="M8 1v3M8 12v3M1 8h3M12 8h3"/></svg></button>
      </div>
      <canvas class="minimap" aria-hidden="true" hidden></canvas>
    </div>
    <p class="wrong-text" role="alert" hidden></p>
    <div class="beside"></div>`;

  page.buildTracks = (place, program) => {
    const many = program.tracks.length > 1;
    place.className = many ? "many" : "one";
    document.documentElement.classList.toggle("several", many);
    place.style.setProperty("--tracks", program.tracks.length);
    const sections = program.tracks.map((track) => {
      const section = document.createElement("section");
      section.className = `track ${track.kind}`;
      section.innerHTML = TRACK;
      if (many || track.title) {
        const heading = document.createElement("h2");
        heading.textContent = track.title || "";
        heading.append(" ", Object.assign(document.createElement("span"), { className: "progress" }));
        section.prepend(heading);
      }
      section.querySelector("svg.view").setAttribute("aria-label", page.say("graph_of", { title: track.title || program.title || page.data.title }));
      page.label(section);
      return section;
    });
    place.replaceChildren(...sections);
    return program.tracks.map((track, number) => new View(sections[number], track, number));
  };
}
