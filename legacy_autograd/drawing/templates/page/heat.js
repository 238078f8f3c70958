// Heat maps: a tensor of seven and more elements as a grid of cells, from negative over 0 to positive. heat.py draws the same.
//
// page.heat.picture(record)         the heat map of a tensor's record as an element, null if it has none
// page.heat.paint(group, values, grads)   the heat maps of a Function on the graph, of its first large output
page.heat = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const CELL = 4.5;
  const LEVELS = 9;

  const make = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.append(made);
    return made;
  };

  function draw(parent, rows, x, y) {
    make("rect", { class: "zero", x, y, width: rows[0].length * CELL, height: rows.length * CELL }, parent);
    const cells = {};
    rows.forEach((characters, row) => [...characters].forEach((character, column) => {
      if (character === "0") return;
      cells[character] = `${cells[character] || ""}M${x + column * CELL},${y + row * CELL}h${CELL}v${CELL}h-${CELL}z`;
    }));
    for (const [character, d] of Object.entries(cells)) {
      const look = character === "?" ? "odd" : character < "a" ? "minus" : "plus";
      const opacity = character === "?" ? 1 : (character.toLowerCase().charCodeAt(0) - 96) / LEVELS;
      make("path", { class: look, "fill-opacity": opacity.toFixed(2), d }, parent);
    }
  }

  function picture(record) {
    if (!record || !record.heat) return null;
    const [width, height] = [record.heat[0].length * CELL, record.heat.length * CELL];
    const svg = make("svg", { class: "heat", viewBox: `0 0 ${width} ${height}`, width: width * 2, height: height * 2, "aria-hidden": "true" });
    draw(svg, record.heat, 0, 0);
    return svg;
  }

  function paint(group, values, grads) {
    for (const place of group.querySelectorAll("g.heat")) {
      const records = place.dataset.of === "value" ? values : grads;
      const record = (records || []).find((one) => one && one.heat);
      if (place.shown === record) continue;
      place.shown = record;
      place.replaceChildren();
      if (record) draw(place, record.heat, Number(place.dataset.x), Number(place.dataset.y));
    }
  }

  return { picture, paint };
})();
