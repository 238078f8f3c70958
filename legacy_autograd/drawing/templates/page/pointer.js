// Mouse, touch and keys on a graph.
//
// page.pointer(view)   listens to what the reader does in the view's picture
page.pointer = (() => {
  function listen(view) {
    const tools = view.element.querySelector(".tools");
    tools.onclick = (event) => {
      const button = event.target.closest("button");
      const act = { larger: () => view.zoom(1.3), smaller: () => view.zoom(1 / 1.3), fit: () => view.fit(), follow: () => view.follow(true) };
      if (button) act[button.value]();
    };
    const fingers = new Map();
    let moved = 0;
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, length: Math.hypot(a.x - b.x, a.y - b.y) };
    };
    const point = (event) => {
      const box = view.svg.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    view.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      if (!fingers.size) moved = 0;
      fingers.set(event.pointerId, point(event));
    });
    view.svg.addEventListener("pointermove", (event) => {
      const old = fingers.get(event.pointerId);
      if (!old) return;
      const before = fingers.size === 2 ? spread() : null;
      const now = point(event);
      moved += Math.hypot(now.x - old.x, now.y - old.y);
      if (moved < 5) return;
      fingers.set(event.pointerId, now);
      if (!view.svg.hasPointerCapture(event.pointerId)) view.svg.setPointerCapture(event.pointerId);
      if (before) {
        const after = spread();
        if (before.length > 0) view.zoom(after.length / before.length, after);
        view.pan(after.x - before.x, after.y - before.y, false);
      } else if (fingers.size === 1) view.pan(now.x - old.x, now.y - old.y, false);
    });
    for (const name of ["pointerup", "pointercancel"]) view.svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
    view.svg.addEventListener("wheel", (event) => {
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        view.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey && Math.abs(event.deltaY) < 20 ? 0.01 : 0.002)), point(event));
      } else if (view.pan(-event.deltaX * unit, -event.deltaY * unit, false)) event.preventDefault();
    }, { passive: false });
    view.svg.addEventListener("dblclick", (event) => {
      if (!event.target.closest(".node")) view.zoom(1.5, point(event));
    });
    view.svg.addEventListener("click", (event) => {
      if (moved >= 5) return;
      const thing = view.picture.thing(event.target);
      if (thing.box !== undefined) view.picture.toggle(thing.box);
      else if (thing.node !== undefined) view.pick(thing.node);
      else if (thing.edge !== undefined) overEdge(view, thing.edge, event, true);
      else page.card.close();
    });
    view.svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch" || fingers.size) return;
      const thing = view.picture.thing(event.target);
      if (thing.node !== undefined) view.card(thing.node, false);
      else if (thing.edge !== undefined) overEdge(view, thing.edge, event, false);
      else page.card.leave();
    });
    view.svg.addEventListener("pointerleave", () => page.card.leave());
    view.svg.addEventListener("keydown", (event) => pressed(view, event));
    view.svg.addEventListener("focusin", (event) => {
      const thing = view.picture.thing(event.target);
      if (event.target.matches(":focus-visible") && thing.node !== undefined) view.show([thing.node]);
    });
  }

  function overEdge(view, key, event, hold) {
    const rect = new DOMRect(event.clientX - 4, event.clientY - 4, 8, 8);
    page.card.show(`${view.number}:${key}`, () => page.values.edge(view, key), rect, hold);
  }

  function pressed(view, event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const thing = view.picture.thing(event.target);
    const here = thing.box !== undefined ? `m${thing.box}` : thing.node;
    if (here === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      if (thing.box !== undefined) view.picture.toggle(thing.box);
      else view.pick(thing.node);
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const order = view.picture.order();
      const next = order[order.indexOf(String(here)) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next !== undefined) {
        view.picture.near.add([view.picture.item(next)]); // it may be far
        view.picture.group(next).focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return listen;
})();
