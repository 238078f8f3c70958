// What is in the document of a large graph: what is close to the camera. The layout and the painting of the rest would take
// most of the time of a step, and Chromium lays out a <g> even if it is not displayed. A long edge is drawn at its ends only,
// since hundreds of them side by side hide everything else; while a gradient travels along it, it is drawn whole.
{
  const ALL_UNTIL = 300; // Functions of a graph that is displayed whole, wherever the camera is
  const CELL = 500; // of the world, side of a square
  const LONGEST = 2000; // of the world, width or height of an edge that is drawn whole at rest
  const END = 60; // of the world, what is drawn of a longer one
  const MOST_ENDS = 12; // at one item; where more long edges meet, none is drawn

  // The points of a curve, by axis.
  function axes(d) {
    const all = page.numbersIn(d);
    return [0, 1].map((axis) => all.filter((_, i) => i % 2 === axis));
  }

  class Near {
    constructor(picture) {
      this.picture = picture;
      this.isOn = picture.all.length >= ALL_UNTIL;
      this.shown = new Set(); // what is in the document
      for (const thing of picture.sheets.flatMap(({ items, edges }) => [...items.values(), ...edges])) {
        Object.assign(thing, { parent: thing.group.parentNode, order: this.shown.size });
        this.shown.add(thing);
      }
    }

    // Everything that is visible at some position of the camera, in squares of the world. Until look(), nothing is displayed.
    divide() {
      this.cells = new Map();
      this.whole = new Set(); // the long edges that are drawn whole now
      if (!this.isOn) return;
      this.display(new Set());
      const { picture } = this;
      for (const sheet of picture.sheets.filter(({ number }) => picture.isShown(number))) {
        const at = picture.origin(sheet.number);
        for (const item of sheet.items.values()) this.put(item, [item.x, item.x + item.width], [item.y, item.y + item.height], at);
        const long = []; // of each long edge the edge, its points, and the items at its ends
        for (const edge of sheet.edges) {
          const [xs, ys] = axes(edge.now);
          edge.ends = null;
          if (Math.max(...xs) - Math.min(...xs) <= LONGEST && Math.max(...ys) - Math.min(...ys) <= LONGEST) this.put(edge, xs, ys, at);
          else long.push([edge, xs, ys, picture.endsOf(edge, sheet)]);
        }
        const met = new Map(); // {an item: how many long edges end there}
        for (const item of long.flatMap(([, , , items]) => items)) met.set(item, (met.get(item) || 0) + 1);
        for (const [edge, xs, ys, items] of long) this.cut(edge, xs, ys, items.map((item) => !item || met.get(item) <= MOST_ENDS), at);
      }
    }

    // Draw of a long edge the ends that are not crowded, as straight lines in the directions in which it starts and arrives.
    cut(edge, xs, ys, [isTail, isHead], at) {
      const towards = (from, to) => {
        const [x, y] = [xs.at(to) - xs.at(from), ys.at(to) - ys.at(from)];
        const part = END / (Math.hypot(x, y) || 1);
        return [xs.at(from) + part * x, ys.at(from) + part * y];
      };
      const ends = [isTail && [[xs[0], ys[0]], towards(0, 1)], isHead && [towards(-1, -2), [xs.at(-1), ys.at(-1)]]].filter(Boolean);
      for (const [[x0, y0], [x1, y1]] of ends) this.put(edge, [x0, x1], [y0, y1], at);
      edge.ends = ends.map((points) => `M${points.map((one) => one.map((number) => number.toFixed(1))).join("L")}`).join("");
      edge.isHeadless = !isHead;
      edge.isWhole = null;
      this.draw(edge, false);
    }

    // Draw a long edge whole, or its ends; any other edge stays as it is.
    draw(edge, isWhole) {
      if (edge.ends === null || edge.isWhole === isWhole) return;
      edge.isWhole = isWhole;
      edge.path.classList.toggle("headless", !isWhole && edge.isHeadless);
      edge.path.classList.toggle("cut", !isWhole);
      for (const path of edge.group.querySelectorAll("path")) path.setAttribute("d", isWhole ? edge.now : edge.ends);
      this.whole[isWhole ? "add" : "delete"](edge);
    }

    put(thing, xs, ys, at) {
      const [left, right] = [Math.min(...xs) + at.x, Math.max(...xs) + at.x].map((x) => Math.floor(x / CELL));
      const [top, bottom] = [Math.min(...ys) + at.y, Math.max(...ys) + at.y].map((y) => Math.floor(y / CELL));
      for (let x = left; x <= right; x++) {
        for (let y = top; y <= bottom; y++) {
          const key = `${x} ${y}`;
          if (!this.cells.has(key)) this.cells.set(key, []);
          this.cells.get(key).push(thing);
        }
      }
    }

    // Display what is in the window of the camera or close to it, the edges that are whole, and the Function `kept`.
    look(camera, { width, height }, kept) {
      if (!this.isOn) return;
      const [x, y] = [width / camera.k, height / camera.k];
      const found = new Set(this.whole);
      if (kept) found.add(kept.item);
      for (let column = Math.floor((camera.x - x) / CELL); column <= (camera.x + x) / CELL; column++) {
        for (let row = Math.floor((camera.y - y) / CELL); row <= (camera.y + y) / CELL; row++) {
          for (const thing of this.cells.get(`${column} ${row}`) || []) found.add(thing);
        }
      }
      this.display(found);
    }

    // Display `things` too, until the camera moves.
    add(things) {
      if (this.isOn) this.display(new Set([...this.shown, ...things]));
    }

    // Remove from the document what is not in `found`, and insert the rest of `found` in the order of the layout.
    display(found) {
      for (const thing of this.shown) if (!found.has(thing)) thing.group.remove();
      const after = new Map(); // {a parent: its child that follows}
      for (const thing of [...found].sort((a, b) => b.order - a.order)) {
        if (!this.shown.has(thing)) thing.parent.insertBefore(thing.group, after.get(thing.parent) || null);
        after.set(thing.parent, thing.group);
      }
      this.shown = found;
    }

    has(item) {
      return !this.isOn || this.shown.has(item);
    }
  }

  page.Near = Near;
}
