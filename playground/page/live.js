// The small script of the site's notebook pages: it puts buttons under each cell. The rest comes with the first press.

const { words, impossible } = JSON.parse(document.getElementById("live").textContent);
const all = [...document.querySelectorAll("div.cell")]; // the cell of a question shows its form and not its code
const cells = all.filter((cell, i) => cell.querySelector(".cell_input pre") && !cell.querySelector(".la-question") && !impossible[i + 1]);
let loaded; // a promise

cells.forEach((cell, i) => {
  const bar = document.createElement("div");
  bar.className = "live-bar";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", words.bar.replace("{number}", i + 1));
  for (const name of ["run", "above", "edit"]) {
    if (name === "above" && i === 0) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words[name];
    button.dataset.live = name;
    if (name === "run") button.title = words.run_key;
    button.onclick = async () => {
      loaded ??= import("./cells.js").then(({ start }) => start(cells, words));
      (await loaded).press(i, name);
    };
    bar.append(button);
  }
  cell.querySelector(".cell_input").after(bar);
});

for (const [number, reason] of Object.entries(impossible)) {
  const note = document.createElement("p");
  note.className = "live-bar";
  note.textContent = words.impossible.replace("{reason}", words[reason]);
  all[number - 1].append(note);
}
