// Programs as files: Python with cells that begin with `# %%`, and notebooks.

const HEAD = /^# %%(.*)$/m;

// The cells of a program: {kind, source, line}, where `line` is the number of lines above the source.
export function cellsOf(program) {
  const cells = [];
  let line = 0;
  for (const piece of program.split(/^(?=# %%)/m)) {
    const isMarkdown = /^# %% *\[markdown\]/.test(piece);
    if (piece.trim()) cells.push({ kind: isMarkdown ? "markdown" : "code", source: piece, line });
    line += piece.split("\n").length - 1;
  }
  return cells;
}

export function asNotebook(program) {
  const cells = cellsOf(program).map(({ kind, source }, i) => {
    const body = source.replace(/^# %%.*\n?/, "").replace(/^\n+|\s+$/g, "");
    const id = `cell-${i + 1}`;
    if (kind === "markdown") return { cell_type: "markdown", id, metadata: {}, source: lines(body.replace(/^# ?/gm, "")) };
    return { cell_type: "code", execution_count: null, id, metadata: {}, outputs: [], source: lines(body) };
  });
  const kernelspec = { display_name: "Python 3", language: "python", name: "python3" };
  return JSON.stringify({ cells, metadata: { kernelspec, language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, null, 1) + "\n";
}

const lines = (text) => text.split(/^/m);

// Return the program of a file. IPython's commands are no Python: they stay as comments.
export function programIn(name, text, words) {
  if (!name.endsWith(".ipynb")) return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const { cells } = JSON.parse(text);
  if (!Array.isArray(cells)) throw new Error(words.not_code);
  const shown = cells.filter((cell) => cell.cell_type === "code" || cell.cell_type === "markdown");
  return shown
    .map((cell, i) => {
      const source = [cell.source].flat().join("").trimEnd();
      if (cell.cell_type === "markdown") return `# %% [markdown]\n${source.replace(/^/gm, "# ").replace(/ +$/gm, "")}\n`;
      return `${i || HEAD.test(source) ? "# %%\n" : ""}${source.replace(/^(\s*)(?=[%!])/gm, "$1# ")}\n`;
    })
    .join("\n");
}

export function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
