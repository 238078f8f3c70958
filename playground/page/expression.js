// The program that steps through the backward of an expression.

const NAME = /(?<![\w.])[A-Za-z_]\w*(?!\w*\s*\()/g; // not the name of a function that is called

// Where a program with an engine begins its graph; the expression takes the place of what follows.
const GRAPH = "\n# The graph\n";

// Return {values, program}: `values`, "x=2, y=3", with a number for each name of the expression that has none. If `before`,
// the program in the editor, compares an engine, so does the new one.
export function steppingProgram(expression, values, before = "") {
  const power = expression.trim().replaceAll("^", "**");
  const given = new Map(Array.from(values.matchAll(/([A-Za-z_]\w*)\s*=\s*((?:\[[^=]*\]|[^,[\]=])+)/g), (match) => [match[1], match[2].trim()]));
  const names = [...new Set(power.match(NAME) ?? [])].filter((name) => name !== "torch");
  const used = names.map((name, i) => [name, given.get(name) || `${i + 2}`]);
  const leaves = used.map(([name, value]) => `${name} = Variable(torch.Tensor(${value.startsWith("[") ? value : `[${value}]`}))\n`);
  const result = ["z", "result", "result_of_all"].find((name) => !names.includes(name));
  const called = power.replace(/(?<![\w.])([A-Za-z_]\w*)(?=\s*\()/g, "torch.$1");
  const engine = before.includes(GRAPH) && /^drawing\.compare_engines\(.*(, engine=[\w.]+)\)$/m.exec(before)?.[1];
  const start = engine ? before.slice(0, before.indexOf(GRAPH)) + GRAPH : `import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

`;
  const ones = used.some(([, value]) => value.startsWith("[")) ? `, torch.ones(${result}.size())` : "";
  const program = `${start}${leaves.join("")}${result} = ${called}

drawing.${engine ? "compare_engines" : "trace_backward"}(${result}${ones}${engine || ""})
`;
  return { values: used.map(([name, value]) => `${name}=${value}`).join(", "), program };
}
