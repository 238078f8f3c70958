// Beside the graph: the algorithm in words or its source with the current line; below, the engine's data.
{
  const KEYWORDS = /^(?:and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield|None|True|False|self)$/;
  const TOKENS = /(#.*$)|("""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(\s+|.)/gm;
  let places = [];
  let chosen = "words";

  const { element } = page.card;

  // `code` in backquotes becomes <code>.
  function rich(text) {
    return text.split("`").map((part, i) => (i % 2 ? element("code", part) : document.createTextNode(part)));
  }

  // The lines of a file as elements, with syntax highlighting.
  function code(source) {
    let inText = false; // within a docstring
    return source.lines.map((line, i) => {
      const row = element("div", undefined, "line");
      row.dataset.line = source.first + i;
      row.append(element("span", String(source.first + i), "number"));
      const text = element("span", undefined, "text");
      text.style.setProperty("--indent", /^ */.exec(line)[0].length);
      for (const [token, comment, string, word] of line.trimStart().matchAll(TOKENS)) {
        if (token === '"""') inText = !inText;
        const look = inText || token === '"""' || string ? "string" : comment ? "comment" : word && KEYWORDS.test(word) ? "keyword" : "";
        if (look) text.append(element("span", token, look));
        else text.append(token);
        if ("(.,".includes(token)) text.append(element("wbr")); // a long call may be broken here
      }
      row.append(text);
      return row;
    });
  }

  function algorithm(kind) {
    const list = element("ol", undefined, "algorithm");
    for (const { events, text } of page.words[`algorithm_${kind}`] || []) {
      const item = element("li");
      item.dataset.events = events.join(" ");
      item.append(...rich(text));
      list.append(item);
    }
    return list;
  }

  function panel(name, reversed) {
    const words = page.words.panels[name];
    const made = element("section", undefined, "panel");
    made.dataset.panel = name;
    made.tabIndex = 0; // it may have to be scrolled
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", words.title.replaceAll("`", ""));
    if (reversed) made.dataset.reversed = "yes";
    const heading = element("h2");
    heading.append(...rich(words.title));
    const table = element("table");
    const head = table.createTHead().insertRow();
    for (const text of words.columns) {
      const cell = element("th", text);
      cell.scope = "col";
      head.append(cell);
    }
    table.createTBody();
    made.append(heading, table, element("p", words.empty));
    return made;
  }

  const PANELS = { backward: ["ready", "not_ready", "dependencies"], forward: ["call"] };

  const sourceOf = (track) => {
    const all = page.data.source;
    return Array.isArray(all) ? all[track.source] || null : all && track.kind === "backward" ? all : null;
  };

  function build(program) {
    const noted = (number) => program.steps.some((step) => step.track === number && step.panels && step.panels.notes);
    places = program.tracks.map((track, number) => {
      const place = page.views[number].element.querySelector(".beside");
      const source = sourceOf(track);
      const tabs = element("div", undefined, "tabs");
      tabs.setAttribute("role", "tablist");
      tabs.setAttribute("aria-label", page.words.algorithm);
      const bodies = track.own && source ? {} : { words: algorithm(track.kind) }; // an engine of one's own has other words
      if (source) {
        bodies.source = element("div", undefined, "code");
        bodies.source.append(...code(source));
      }
      const names = { words: page.words.in_words, source: source && source.file.split("/").at(-1) };
      for (const [key, body] of Object.entries(bodies)) {
        const tab = element("button", names[key]);
        Object.assign(tab, { type: "button", value: key, id: `tab-${number}-${key}` });
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-controls", `body-${number}-${key}`);
        tab.title = page.words.source_key;
        tab.onclick = () => choose(key);
        tabs.append(tab);
        const wrapped = element("div", undefined, "body");
        Object.assign(wrapped, { id: `body-${number}-${key}`, tabIndex: 0 });
        wrapped.setAttribute("role", "tabpanel");
        wrapped.setAttribute("aria-labelledby", tab.id);
        wrapped.append(body);
        bodies[key] = wrapped;
      }
      tabs.onkeydown = (event) => {
        if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        next();
        tabs.querySelector("[aria-selected=true]").focus();
      };
      const panels = [...PANELS[track.kind], ...(noted(number) ? ["notes"] : [])].map((name) => panel(name, name === "ready"));
      const holder = element("div", undefined, "panels");
      holder.append(...panels);
      const box = element("section", undefined, "algorithm-box");
      box.append(tabs, ...Object.values(bodies));
      place.replaceChildren(...(program.tracks.length > 1 ? [element("h2", track.title || "")] : []), box, holder);
      return { track, source, tabs, bodies, panels, line: null };
    });
    choose(chosen);
  }

  function choose(key) {
    chosen = key;
    for (const { tabs, bodies } of places) {
      const shown = key in bodies ? key : Object.keys(bodies)[0];
      for (const tab of tabs.children) {
        tab.setAttribute("aria-selected", String(tab.value === shown));
        tab.tabIndex = tab.value === shown ? 0 : -1;
      }
      for (const [name, body] of Object.entries(bodies)) body.hidden = name !== shown;
    }
    if (page.stepper.state) paint(page.stepper.state);
  }

  function next() {
    const keys = Object.keys((places.find(({ source }) => source) || places[0]).bodies);
    choose(keys[(keys.indexOf(chosen) + 1) % keys.length]);
  }

  // Scroll each box, and not the page, until its line is visible. First all positions are read, since a position that is
  // asked for after a change lays out the page once more.
  function reveal(lines) {
    const seen = lines.filter(([box]) => !box.hidden);
    const positions = seen.map(([box, line]) => [box, line.getBoundingClientRect(), box.getBoundingClientRect(), line.classList.contains("line")]);
    for (const [box, inner, outer, isCode] of positions) {
      const edge = isCode ? 24 : 4;
      if (inner.top >= outer.top + edge && inner.bottom <= outer.bottom - edge) continue;
      if (isCode) box.scrollTop += inner.top - outer.top - outer.height * 0.4; // what follows is more telling than the nearest border
      else box.scrollTop += inner.top < outer.top + edge ? inner.top - outer.top - edge : inner.bottom - outer.bottom + edge;
    }
  }

  function paint(state) {
    const lines = []; // [a box, the line in it that must be visible]
    places.forEach((place, number) => {
      const track = state.tracks[number];
      const own = track.step;
      for (const item of place.bodies.words?.querySelectorAll("li") ?? []) {
        const now = own !== null && item.dataset.events.split(" ").includes(lastEvent(own, track.index));
        item.classList.toggle("now", now);
        if (now) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
        if (now) lines.push([place.bodies.words, item]);
      }
      if (place.source) {
        const old = place.bodies.source.querySelector(".now");
        const line = own && own.line ? place.bodies.source.querySelector(`[data-line="${own.line}"]`) : null;
        if (old && old !== line) {
          old.classList.remove("now");
          old.removeAttribute("aria-current");
        }
        if (line) {
          line.classList.add("now");
          line.setAttribute("aria-current", "step");
          lines.push([place.bodies.source, line]);
        }
      }
      const now = state.isNow(number);
      const lit = (now && own.marks && own.marks.panels) || {};
      for (const section of place.panels) {
        fill(section, track.panels[section.dataset.panel], now ? own : null, lit);
        const row = section.querySelector("tr.changed");
        if (row) lines.push([section, row]);
      }
    });
    reveal(lines);
  }

  // A note has no line in the algorithm; the event before it has.
  function lastEvent(step, index) {
    if (step.event !== "note") return step.event;
    for (let i = index; i >= 0; i--) {
      const before = page.program.steps[i];
      if (before.track === step.track && before.event !== "note") return before.event;
    }
    return "";
  }

  // Long names of parameters may be broken after a dot or an underscore.
  const broken = (text) => text.split(/(?<=[A-Za-z0-9]\.|_)(?=[A-Za-z])/).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part]));

  // The row of a key; it is only rebuilt when its cells change, since most rows of a large table do not.
  function rowOf(section, key, cells) {
    const rows = (section.rows ||= new Map());
    const kept = rows.get(key);
    if (kept && kept.cells === cells) return kept.row;
    const row = element("tr");
    for (const cell of cells) row.insertCell().append(...broken(String(cell)));
    rows.set(key, { cells, row });
    return row;
  }

  const MOST_ROWS = 80; // rows of a table, around the changed one: the layout of thousands takes longer than a step

  function fill(section, rows, step, lit) {
    const name = section.dataset.panel;
    let keys = rows ? [...rows.keys()] : [];
    if (section.dataset.reversed) keys.reverse();
    const changed = new Set(step && step.panels && step.panels[name] ? step.panels[name].map(([key]) => key) : []);
    const marked = new Set((lit[name] || []).map(String));
    if (keys.length > MOST_ROWS) {
      const first = keys.findIndex((key) => changed.has(key));
      if (first >= 0 || section.from === undefined) section.from = Math.max(0, first - MOST_ROWS / 2);
      keys = keys.slice(section.from, section.from + MOST_ROWS);
    }
    const shown = keys.map((key) => rowOf(section, key, rows.get(key)));
    const body = section.querySelector("tbody");
    const wanted = new Set(shown);
    for (const row of [...body.children]) if (!wanted.has(row)) row.remove();
    shown.forEach((row, i) => row !== body.children[i] && body.insertBefore(row, body.children[i] || null));
    for (const row of section.lit || []) row.className = "";
    section.lit = [];
    keys.forEach((key, i) => {
      const name = [changed.has(key) && "changed", marked.has(String(key)) && "lit"].filter(Boolean).join(" ");
      if (!name) return;
      shown[i].className = name;
      section.lit.push(shown[i]);
    });
    section.querySelector("table").hidden = keys.length === 0;
    section.querySelector("p").hidden = keys.length > 0;
  }

  page.source = { build, paint, choose, next, get chosen() { return chosen; } };
  page.rich = rich;
}
