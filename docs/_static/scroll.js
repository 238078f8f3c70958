// What is wider than the page can be reached, and scrolled, with the keyboard.
"use strict";
{
  const words = JSON.parse(document.getElementById("words").textContent);
  const note = (entries) => entries.forEach(({ target }) => {
    if (target.scrollWidth > target.clientWidth) {
      target.tabIndex = 0;
      target.setAttribute("role", "group");
      target.setAttribute("aria-label", target.tagName === "PRE" ? words.code : words.table);
    } else for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
  });
  const sizes = new ResizeObserver(note);
  for (const one of document.querySelectorAll("article :is(.highlight pre, .table-wrapper, .cell_output)")) sizes.observe(one);
}
