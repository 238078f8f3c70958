// The clock of the lesson: shows each caption at its time, and brings the page to the step, the mode and the lines of it.
{
  const find = (id) => document.getElementById(id);
  const { words, seconds, chapters } = JSON.parse(find("lesson").textContent);
  const cues = chapters.flatMap((chapter) => chapter.cues);
  let time = 0;
  let shown = null; // the cue that is shown
  let timer = null;
  let before = 0; // when the clock last moved

  const latest = (list) => list.findLast(({ at }) => at <= time);
  const text = (at) => `${Math.floor(at / 60)}:${String(Math.floor(at % 60)).padStart(2, "0")}`;
  const press = (selector) => document.querySelector(selector).click();

  // --- the picture

  // While the clock does not run, nothing moves: what has begun is shown at its end.
  function still() {
    if (timer === null) for (const moving of document.getAnimations()) moving.finish();
  }

  function bring({ program, step, tab = "words", mode = "watch", answered, runs, compare, lines }) {
    const focused = document.activeElement;
    if (Number(find("program").value) !== program) {
      find("program").value = program;
      find("program").onchange({ target: find("program") });
    }
    if (mode !== find("app").dataset.mode) scrollTo(0, 0); // on a phone, from the panel back to the graph
    find("app").dataset.tab = tab;
    press("#modes button[value=watch]");
    page.stepper.go(step);
    if (page.source.chosen !== tab) page.source.choose(tab);
    if (mode !== "watch") press(`#modes button[value=${mode}]`);
    if (mode === "predict") {
      press("#aside .score button:nth-of-type(2)"); // an answer given before is forgotten
      page.stepper.go(step);
      if (answered) press("#aside .acts button:last-child");
    }
    for (const number of runs || []) press(`#aside .picks button[value="${number}"]`);
    if (compare) press("#aside .acts .main");
    if (focused === document.activeElement) return mark(lines);
    document.activeElement.blur(); // an answer that the lesson gives takes the focus
    focused.focus({ preventScroll: true });
    mark(lines);
  }

  // The lines of the code that the caption is about.
  function mark(lines) {
    for (const line of document.querySelectorAll(".line.told")) line.classList.remove("told");
    if (!lines) return;
    const told = [...document.querySelectorAll(".line")].filter(({ dataset }) => dataset.line >= lines[0] && dataset.line <= lines[1]);
    for (const line of told) line.classList.add("told");
    const box = told[0].closest(".body");
    box.scrollTop += told[0].getBoundingClientRect().top - box.getBoundingClientRect().top - 24;
  }

  // --- the clock

  function show() {
    const [cue, chapter] = [latest(cues), latest(chapters)];
    if (cue !== shown) {
      find("caption").replaceChildren(...page.rich(cue.text));
      if (!shown || JSON.stringify(cue.show) !== JSON.stringify(shown.show)) bring(cue.show);
      still();
      shown = cue;
      for (const [i, button] of [...find("chapters").querySelectorAll("button")].entries()) {
        if (chapters[i] !== chapter) button.removeAttribute("aria-current");
        else {
          button.setAttribute("aria-current", "true");
          find("chapters").scrollLeft = button.offsetLeft - find("chapters").offsetLeft - 40;
        }
      }
      address();
    }
    find("time").value = time;
    find("time").setAttribute("aria-valuetext", words.at.replace("{time}", text(time)).replace("{whole}", text(seconds)).replace("{chapter}", chapter.title));
    find("clock").textContent = `${text(time)} / ${text(seconds)}`;
  }

  let writing = null;
  function address() { // not for every place that a dragged time line passes
    clearTimeout(writing);
    if (location.protocol !== "about:") writing = setTimeout(() => history.replaceState(null, "", `#t=${Math.floor(time)}`), 120);
  }

  function seek(to) {
    time = Math.max(0, Math.min(seconds, to));
    show();
    address();
  }

  function tick() {
    const now = performance.now();
    time = Math.min(seconds, time + ((now - before) / 1000) * Number(find("lesson-speed").value));
    before = now;
    show();
    if (time === seconds) play(false);
  }

  function play(yes = timer === null) {
    clearInterval(timer);
    timer = null;
    if (yes) {
      if (time === seconds) seek(0);
      before = performance.now();
      timer = setInterval(tick, 100);
    } else address();
    find("lesson-play").textContent = words[yes ? "pause" : "play"];
    document.documentElement.classList.toggle("still", !yes);
    still();
  }

  function chapter(by) {
    const now = chapters.indexOf(latest(chapters));
    const again = by < 0 && time - chapters[now].at > 2; // first back to this chapter's beginning
    seek(chapters[Math.max(0, Math.min(chapters.length - 1, now + (again ? 0 : by)))].at);
  }

  const KEYS = {
    " ": () => play(), ArrowLeft: () => seek(time - 10), ArrowRight: () => seek(time + 10),
    PageUp: () => chapter(-1), PageDown: () => chapter(1), Home: () => seek(0), End: () => seek(seconds),
  };

  function pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input:not(#time), textarea, select")) return;
    if (event.key in KEYS || "gsl[]".includes(event.key)) event.stopImmediatePropagation(); // the page would go to another step
    if (!(event.key in KEYS) || event.shiftKey) return;
    // A button that was reached by keys keeps its own space; one that was clicked does not.
    if (event.key === " " && event.target.closest("button, summary, [role=button], [role=tab], a")?.matches(":focus-visible")) return;
    event.preventDefault();
    KEYS[event.key]();
  }

  const wanted = () => {
    const found = /^#t=(\d+)$/.exec(location.hash);
    return found ? Number(found[1]) : 0;
  };

  // --- start

  find("player").hidden = false;
  find("player").setAttribute("aria-label", words.player);
  find("time").max = seconds;
  find("time").setAttribute("aria-label", words.time);
  find("time").title = words.keys;
  find("time").oninput = () => seek(Number(find("time").value));
  find("lesson-play").onclick = () => play();
  for (const [name, by] of [["back", -10], ["forward", 10]]) {
    find(`lesson-${name}`).onclick = () => seek(time + by);
    find(`lesson-${name}`).setAttribute("aria-label", words[name]);
  }
  document.querySelector("#player label span").textContent = words.speed;
  find("chapters").parentElement.setAttribute("aria-label", words.chapters);
  for (const { title, at } of chapters) {
    const [item, button, tick] = ["li", "button", "i"].map((name) => document.createElement(name));
    button.type = "button";
    button.textContent = title;
    button.onclick = () => seek(at);
    item.append(button);
    find("chapters").append(item);
    tick.style.left = `${(100 * at) / seconds}%`;
    document.querySelector("#player .ticks").append(tick);
  }
  addEventListener("keydown", pressed, true);
  addEventListener("hashchange", (event) => {
    event.stopImmediatePropagation();
    seek(wanted());
  }, true);
  document.documentElement.classList.add("still");
  seek(wanted());
  play(false);
}
