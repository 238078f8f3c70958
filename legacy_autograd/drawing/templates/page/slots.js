// The slots of a Function: one for each gradient that it expects. slots.py draws them; a gradient that arrives fills its slot.
//
// page.slots.paint(group, parts)   `parts` are the gradients that have arrived, [[edge, output, tensor]]
page.slots = (() => {
  const CHARACTER = 6.4; // as in slots.py

  function text(record, width) {
    if (record === null) return "–";
    const number = record.values.length === 1 ? page.short(record) : "✓";
    return number.length * CHARACTER <= width ? number : "✓";
  }

  function paint(group, parts = []) {
    const arrived = new Map(parts.map(([edge, , tensor]) => [edge, page.replay.record(tensor)]));
    const count = group.querySelector("text.slots");
    if (count) count.textContent = page.say("slots", { arrived: arrived.size, expected: count.dataset.expected });
    for (const slot of group.querySelectorAll("g.slot")) {
      const isFull = arrived.has(slot.dataset.edge);
      slot.classList.toggle("full", isFull);
      const width = Number(slot.querySelector("rect").getAttribute("width"));
      slot.querySelector(".part").textContent = isFull ? text(arrived.get(slot.dataset.edge), width) : "";
    }
  }

  return { paint };
})();
