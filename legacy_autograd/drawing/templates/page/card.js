// The card beside a node or an edge with all its values: shown under the pointer, pinned by a click.
//
// page.card.show(key, fill, rect, hold)   fill() returns the elements; rect is the position of the node or edge on the screen
// page.card.refresh()                     updates the open card after a step
{
  const card = () => document.getElementById("card");
  let open = null; // { key, fill, held }

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  function show(key, fill, rect, hold) {
    if (open && open.held && !hold) return;
    if (open && open.held && open.key === key && hold) return close();
    open = { key, fill, held: hold };
    refresh();
    place(rect);
  }

  function refresh() {
    if (!open) return;
    const button = element("button", "×", "close");
    button.type = "button";
    button.setAttribute("aria-label", page.words.close);
    button.onclick = close;
    card().replaceChildren(...(open.held ? [button] : []), ...open.fill());
    card().classList.toggle("held", open.held);
    card().hidden = false;
    if (open.held) card().setAttribute("role", "status");
    else card().removeAttribute("role");
  }

  // Below the rectangle, or above it if there is no space; never outside the window or under the dock.
  function place(rect) {
    const style = card().style;
    const box = card().getBoundingClientRect();
    const dock = document.getElementById("dock").getBoundingClientRect();
    const floor = Math.min(innerHeight, dock.top > innerHeight / 2 ? dock.top : innerHeight);
    if (innerWidth < 640) {
      Object.assign(style, { left: "8px", top: `${Math.max(8, floor - box.height - 8)}px` });
      return;
    }
    const beside = rect.right + 12 + box.width < innerWidth;
    const left = beside ? rect.right + 12 : Math.max(8, Math.min(rect.left, innerWidth - box.width - 8));
    let top = beside ? rect.top : rect.bottom + 10;
    if (top + box.height > floor - 8) top = beside ? floor - box.height - 8 : rect.top - box.height - 10;
    style.left = `${left}px`;
    style.top = `${Math.max(8, top)}px`;
  }

  function leave() {
    if (open && !open.held) close();
  }

  function close() {
    open = null;
    card().hidden = true;
  }

  // A tensor: its recorded numbers, type and shape.
  function tensor(name, record) {
    const rows = [element("dt", name)];
    if (record === null) return [...rows, element("dd", page.words.nothing)];
    const count = record.size.reduce((a, b) => a * b, 1);
    const numbers = page.numbers(record).join(", ");
    const more = count > record.values.length ? ` ${page.say("of_all", { count })}` : "";
    const dd = element("dd");
    dd.append(element("b", `${numbers}${more}`), element("span", `${record.type.replace("torch.", "")} ${page.sizeText(record.size)}`));
    if (record.mean !== undefined) {
      const [mean, norm] = page.numbers({ ...record, values: [record.mean, record.norm] });
      dd.append(element("span", page.say("mean_norm", { mean, norm })), page.heat.picture(record));
    }
    return [...rows, dd];
  }

  const row = (name, text) => [element("dt", name), element("dd", text)];

  page.card = { show, refresh, leave, close, tensor, row, element, get key() { return open && open.key; } };
}
