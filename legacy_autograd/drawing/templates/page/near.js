// What is displayed of a large graph: what is close to the camera. The layout and the painting of the rest would take most of
// the time of a step.
{
  const ALL_UNTIL = 300; // Functions of a graph that is displayed whole, wherever the camera is
  const CELL = 500; // of the world, side of a square
  const MOST_CELLS = 300; // of one edge; a longer one is always displayed

  class Near {
    constructor(picture) {
      this.picture = picture;
      this.isOn = picture.all.length >= ALL_UNTIL;
    }

    // Everything that is visible at some position of the camera, in squares of the world.
    divide() {
      this.cells = new Map();
      this.everywhere = [];
      this.shown = new Set();
      if (!this.isOn) return;
      const { picture } = this;
      for (const { number, items, edges } of picture.sheets.filter((sheet) => picture.isShown(sheet.number))) {
        const at = picture.origin(number);
        for (const item of items.values()) this.put(item, [item.x, item.x + item.width], [item.y, item.y + item.height], at);
        for (const edge of edges) {
          const all = page.numbersIn(edge.path.getAttribute("d"));
          this.put(edge, all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2), at);
        }
      }
    }

    put(thing, xs, ys, at) {
      const [left, right] = [Math.min(...xs) + at.x, Math.max(...xs) + at.x].map((x) => Math.floor(x / CELL));
      const [top, bottom] = [Math.min(...ys) + at.y, Math.max(...ys) + at.y].map((y) => Math.floor(y / CELL));
      this.shown.add(thing);
      if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) {
        this.everywhere.push(thing);
        return;
      }
      for (let x = left; x <= right; x++) {
        for (let y = top; y <= bottom; y++) {
          const key = `${x} ${y}`;
          if (!this.cells.has(key)) this.cells.set(key, []);
          this.cells.get(key).push(thing);
        }
      }
    }

    // Display what is in the window of the camera or close to it, and the Function `kept`.
    look(camera, { width, height }, kept) {
      if (!this.isOn) return;
      const [x, y] = [width / camera.k, height / camera.k];
      const found = new Set(this.everywhere);
      if (kept) found.add(kept.item);
      for (let column = Math.floor((camera.x - x) / CELL); column <= (camera.x + x) / CELL; column++) {
        for (let row = Math.floor((camera.y - y) / CELL); row <= (camera.y + y) / CELL; row++) {
          for (const thing of this.cells.get(`${column} ${row}`) || []) found.add(thing);
        }
      }
      for (const thing of this.shown) if (!found.has(thing)) thing.group.setAttribute("display", "none");
      for (const thing of found) if (!this.shown.has(thing)) thing.group.removeAttribute("display");
      this.shown = found;
    }

    has(number) {
      return !this.isOn || this.shown.has(this.picture.nodes[number].item);
    }
  }

  page.Near = Near;
}
