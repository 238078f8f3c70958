// The sentence of the step: in the graph beside the running Function; on a phone, or of several graphs, in the dock.
//
// page.sentence.say(text, track)   the text, about the graph of that track
// page.sentence.place(view)        moves it to where it covers least; called whenever the view's camera moves
page.sentence = (() => {
  const GAP = 14;
  const FAR = 140; // no line leads to a Function that is further away
  const WIDTHS = [330, 240, 170];
  const words = () => document.getElementById("words");

  function say(text, track) {
    words().textContent = text;
    const { element } = page.views[track];
    const home = page.views.length > 1 || innerWidth < 640 ? document.getElementById("dock") : element.querySelector(".graph");
    if (words().parentElement !== home) home.prepend(words());
    document.getElementById("dock").classList.toggle("with-words", home.id === "dock");
    words().removeAttribute("style");
  }

  // The items as rectangles on the screen; those that the step is about must stay visible.
  function obstacles(view, about) {
    const { picture, camera: { x, y, k }, size } = view;
    const onScreen = (r) => ({ x: (r.x - x) * k + size.width / 2, y: (r.y - y) * k + size.height / 2, width: r.width * k, height: r.height * k });
    const [halfWidth, halfHeight] = [size.width / 2 / k, size.height / 2 / k];
    const items = picture.seen().filter(({ id, rect: r }) =>
      r.x < x + halfWidth && r.x + r.width > x - halfWidth && r.y < y + halfHeight && r.y + r.height > y - halfHeight &&
      !(id[0] === "m" && picture.isOpen(id.slice(1)))
    ).map(({ id, rect }) => ({ id, weight: about.has(id) ? 20 : 5, ...onScreen(rect) }));
    const products = (view.products || []).map((rect) => ({ weight: 20, ...onScreen(rect) }));
    const tools = view.tools.map((rect) => ({ weight: 20, ...rect }));
    return [...items, ...products, ...tools, ...passing(view, onScreen)];
  }

  // Some points of the edges that carry a gradient now.
  function passing(view, onScreen) {
    const found = [];
    const active = Object.entries(view.state.edges).filter(([, { state }]) => state === "active").slice(0, 12);
    for (const segment of active.flatMap(([key]) => view.picture.segments[key] || [])) {
      if (!view.picture.isShown(segment.sheet.number)) continue;
      for (const { x, y } of view.picture.along(segment, [0.2, 0.4, 0.6, 0.8])) {
        found.push({ weight: 3, ...onScreen({ x: x - 10, y: y - 8, width: 20, height: 16 }) });
      }
    }
    return found;
  }

  const overlap = (a, b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

  const distance = (a, b) => Math.hypot(
    Math.max(0, b.x - a.x - a.width, a.x - b.x - b.width), Math.max(0, b.y - a.y - a.height, a.y - b.y - b.height));

  // Beside the anchor, then further away, and at the borders of the frame.
  function* candidates(anchor, { width, height }, size) {
    const parts = [0.5, 0, 1];
    if (anchor) {
      for (const away of [0, 50, 120, 200]) {
        for (const part of parts) {
          const [x, y] = [anchor.x + part * (anchor.width - width), anchor.y + part * (anchor.height - height)];
          yield { x: anchor.x + anchor.width + GAP + away, y };
          yield { x: anchor.x - width - GAP - away, y };
          yield { x, y: anchor.y + anchor.height + GAP + away };
          yield { x, y: anchor.y - height - GAP - away };
        }
        const [left, right] = [anchor.x - width - GAP - away, anchor.x + anchor.width + GAP + away];
        for (const y of [anchor.y - height - GAP, anchor.y + anchor.height + GAP]) yield* [{ x: right, y }, { x: left, y }];
      }
    }
    for (const x of parts) for (const y of [1, 0]) yield { x: x * (size.width - width), y: y * (size.height - height) };
  }

  function place(view) {
    const box = words();
    const { state, size } = view;
    if (!view.element.contains(box) || !state || !state.step) return;
    const { turn, nodes } = state.step;
    const about = new Set([turn, ...Object.keys(nodes || {})].map((number) => String(shownAs(view, number))));
    const around = obstacles(view, about);
    const anchor = around.find(({ id }) => id !== undefined && String(id) === String(shownAs(view, turn)));
    let [best, least] = [null, Infinity];
    for (const most of WIDTHS) {
      box.style.maxWidth = `min(${most}px, 100% - 12px)`;
      const own = { width: box.offsetWidth, height: box.offsetHeight };
      for (const at of candidates(anchor, own, size)) {
        const x = Math.max(6, Math.min(size.width - own.width - 6, at.x));
        const y = Math.max(6, Math.min(size.height - own.height - 6, at.y));
        const rect = { x, y, ...own };
        const covered = around.reduce((sum, one) => sum + one.weight * overlap(rect, one), 0);
        const cost = covered + (anchor ? distance(rect, anchor) : 0) + own.height / 10;
        if (cost < least) [best, least] = [{ ...rect, most }, cost];
      }
    }
    const { x, y, most } = best;
    Object.assign(box.style, { maxWidth: `min(${most}px, 100% - 12px)`, left: `${x.toFixed(0)}px`, top: `${y.toFixed(0)}px` });
    view.point(anchor && distance(best, anchor) < FAR ? best : null, anchor);
  }

  // The item that shows a Function: itself, or the box of the folded module around it.
  function shownAs(view, number) {
    if (number === null || !(number in view.track.nodes)) return null;
    const folded = view.picture.foldedIn(number);
    return folded === null ? number : `m${folded}`;
  }

  return { say, place };
})();
