// A small picture of the whole graph, with a frame around the visible part. A click or a drag moves the view.
{
  const LOOKS = ["idle", "waiting", "ready", "running", "done", "built", "unused", "hidden", "unfolded", "frame"];
  const small = matchMedia("(max-width: 40rem)");

  class Minimap {
    constructor(view) {
      this.view = view;
      this.canvas = view.element.querySelector("canvas.minimap");
      this.canvas.hidden = false;
      this.context = this.canvas.getContext("2d");
      this.base = document.createElement("canvas"); // all but the frame and what runs
      const go = (event) => {
        if (event.buttons !== 1) return;
        const at = this.canvas.getBoundingClientRect();
        const { box } = view.picture;
        view.home = false;
        view.camera.x = box.x + ((event.clientX - at.left) / at.width) * box.width;
        view.camera.y = box.y + ((event.clientY - at.top) / at.height) * box.height;
        view.apply(false);
      };
      this.canvas.addEventListener("pointerdown", (event) => {
        this.canvas.setPointerCapture(event.pointerId);
        go(event);
      });
      this.canvas.addEventListener("pointermove", go);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        this.changed();
        this.paint();
      });
      this.changed();
    }

    changed() {
      const { width, height } = this.view.picture.box;
      const most = small.matches ? 40 : 110;
      const room = this.canvas.parentElement.clientHeight - this.canvas.parentElement.querySelector(".tools").offsetHeight - 30;
      const scale = Math.min(most / width, Math.min(180, room) / height);
      this.width = Math.min(most, Math.max(28, width * scale)); // a very narrow graph is drawn wider
      this.height = Math.max(28, height * scale);
      const dots = devicePixelRatio || 1;
      for (const canvas of [this.canvas, this.base]) {
        canvas.width = this.width * dots;
        canvas.height = this.height * dots;
      }
      this.canvas.style.width = `${this.width}px`;
      this.canvas.style.height = `${this.height}px`;
      this.seen = null;
      this.readColors();
    }

    // The colours of the style sheet, in the page's light or dark version; read seldom, because that computes styles.
    readColors() {
      this.colors = {};
      for (const name of LOOKS) {
        this.canvas.style.color = `var(--mini-${name}, gray)`;
        this.colors[name] = getComputedStyle(this.canvas).color;
      }
    }

    color(name) {
      return this.colors[name] || "gray";
    }

    // Paint the items whose state has changed.
    paint() {
      this.seen ||= this.view.picture.seen().map((one) => ({ ...one, painted: null }));
      const context = this.base.getContext("2d");
      const { box } = this.view.picture;
      const [sx, sy] = [this.canvas.width / box.width, this.canvas.height / box.height];
      this.running = [];
      for (const one of this.seen) {
        const { of: { look }, rect } = one;
        if (look === "running") this.running.push(rect);
        if (look === one.painted) continue;
        one.painted = look;
        context.fillStyle = this.color(look);
        context.fillRect(rect.x * sx, rect.y * sy, Math.max(2, rect.width * sx), Math.max(1.5, rect.height * sy));
      }
      this.frame();
    }

    frame() {
      if (!this.seen) return;
      const { context } = this;
      const { view } = this;
      const { box } = view.picture;
      const { width, height } = view.size;
      const [sx, sy] = [this.canvas.width / box.width, this.canvas.height / box.height];
      const left = Math.max(0, (view.camera.x - width / 2 / view.camera.k) * sx);
      const top = Math.max(0, (view.camera.y - height / 2 / view.camera.k) * sy);
      const right = Math.min(this.canvas.width, (view.camera.x + width / 2 / view.camera.k) * sx);
      const bottom = Math.min(this.canvas.height, (view.camera.y + height / 2 / view.camera.k) * sy);
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      context.drawImage(this.base, 0, 0);
      context.fillStyle = this.color("running");
      for (const rect of this.running) {
        context.fillRect(rect.x * sx - 2, rect.y * sy - 2, Math.max(6, rect.width * sx + 4), Math.max(6, rect.height * sy + 4));
      }
      context.lineWidth = 1.5 * (devicePixelRatio || 1);
      context.strokeStyle = this.color("frame");
      context.strokeRect(left + 1, top + 1, Math.max(4, right - left - 2), Math.max(4, bottom - top - 2));
    }
  }

  page.Minimap = Minimap;
}
