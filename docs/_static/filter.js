// A field above the first table that shows only the rows with the words typed into it, on pages of long tables.
"use strict";
{
  const tables = [...document.querySelectorAll("article table.docutils")];
  const bodies = tables.flatMap((table) => [...table.tBodies]);
  const rows = bodies.flatMap((body) => [...body.rows]);
  if (rows.length > 20) {
    const words = JSON.parse(document.getElementById("words").textContent);
    const frame = document.createElement("div");
    frame.className = "filter";
    frame.innerHTML = '<label for="filter"></label><input id="filter" type="search" autocomplete="off"><output for="filter"></output>';
    frame.querySelector("label").textContent = words.filter;
    const first = tables[0].closest(".table-wrapper") ?? tables[0];
    (first.closest("section:has(> h2)") ?? first).before(frame);
    const field = frame.querySelector("input");
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const show = () => {
      const typed = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      rows.forEach((row, i) => {
        row.hidden = !typed.every((word) => texts[i].includes(word));
        found += !row.hidden;
      });
      // A section whose tables have no row left is hidden with its heading.
      for (const table of tables) {
        const empty = [...table.tBodies].every((body) => [...body.rows].every((row) => row.hidden));
        (table.closest(".table-wrapper") ?? table).hidden = empty;
      }
      for (const section of document.querySelectorAll("article section section")) {
        const inside = [...section.querySelectorAll("table.docutils")];
        section.hidden = typed.length > 0 && inside.length > 0 && inside.every((table) => (table.closest(".table-wrapper") ?? table).hidden);
      }
      frame.querySelector("output").textContent = typed.length
        ? words.rows.replace("{found}", found).replace("{all}", rows.length) : words.all_rows.replace("{all}", rows.length);
    };
    field.addEventListener("input", show);
    show();
  }
}
