// Computes a small graph again from the numbers of its leaves, forward and backward (operations.py). This file does not
// touch the document.
//
// page.recompute.run(nodes, data, leaves)   `leaves` are {number: numbers}; returns { values, grads, sent }: the numbers of
//                                           each output of each Function, their gradients, and {edge: gradient}
page.recompute = (() => {
  // The function of x, and its derivative by x, in which y is the result; `c` and `d` are the operation's constants.
  const POINTWISE = {
    Abs: [Math.abs, Math.sign],
    Acos: [Math.acos, (x) => -1 / Math.sqrt(1 - x * x)],
    AddConstant: [(x, c) => x + c, () => 1],
    Asin: [Math.asin, (x) => 1 / Math.sqrt(1 - x * x)],
    Atan: [Math.atan, (x) => 1 / (1 + x * x)],
    Cos: [Math.cos, (x) => -Math.sin(x)],
    Cosh: [Math.cosh, Math.sinh],
    DivConstant: [(x, c, ofTensor) => (ofTensor ? c / x : x / c), (x, y, c, ofTensor) => (ofTensor ? -c / x / x : 1 / c)],
    Exp: [Math.exp, (x, y) => y],
    Expm1: [Math.expm1, (x, y) => y + 1],
    Log: [Math.log, (x) => 1 / x],
    Log1p: [Math.log1p, (x) => 1 / (1 + x)],
    MulConstant: [(x, c) => x * c, (x, y, c) => c],
    PowConstant: [(x, c, isExponent) => (isExponent ? c ** x : x ** c), slopeOfPower],
    ReLU: [(x) => Math.max(x, 0), (x) => (x > 0 ? 1 : 0)],
    Reciprocal: [(x) => 1 / x, (x, y) => -y * y],
    Rsqrt: [(x) => 1 / Math.sqrt(x), (x, y) => -0.5 * y * y * y],
    Sigmoid: [(x) => 1 / (1 + Math.exp(-x)), (x, y) => y * (1 - y)],
    Sin: [Math.sin, Math.cos],
    Sinh: [Math.sinh, Math.cosh],
    Sqrt: [Math.sqrt, (x, y) => 0.5 / y],
    SubConstant: [(x, c, isReversed) => (isReversed ? c - x : x - c), (x, y, c, isReversed) => (isReversed ? -1 : 1)],
    Tan: [Math.tan, (x, y) => 1 + y * y],
    Tanh: [Math.tanh, (x, y) => 1 - y * y],
  };

  // The function of two operands, and its derivatives by each.
  const shared = (isFirst, isSecond) => (isFirst && isSecond ? 0.5 : isFirst ? 1 : 0);
  const PAIRS = {
    Add: [(a, b) => a + b, () => 1, () => 1],
    Cmax: [Math.max, (a, b) => shared(a >= b, b >= a), (a, b) => shared(b >= a, a >= b)],
    Cmin: [Math.min, (a, b) => shared(a <= b, b <= a), (a, b) => shared(b <= a, a <= b)],
    Div: [(a, b) => a / b, (a, b) => 1 / b, (a, b) => -a / b / b],
    Mul: [(a, b) => a * b, (a, b) => b, (a) => a],
    Pow: [(a, b) => a ** b, (a, b) => (b === 0 ? 0 : b * a ** (b - 1)), (a, b) => (a === 0 && b >= 0 ? 0 : a ** b * Math.log(a))],
    Sub: [(a, b) => a - b, () => 1, () => -1],
  };

  function slopeOfPower(x, y, c, isExponent) {
    if (isExponent) return c === 0 ? (x >= 0 ? 0 : -Infinity) : y * Math.log(c);
    return c === 0 ? 0 : c * x ** (c - 1);
  }

  const count = (size) => size.reduce((a, b) => a * b, 1);
  const zeros = (size) => new Array(count(size)).fill(0);

  // For each element of the result, the element of an operand of the shape `from`, as NumPy broadcasts it.
  function places(from, to) {
    const all = Array.from({ length: count(to) }, (_, i) => i);
    if (count(from) === count(to)) return all;
    const shape = [...new Array(to.length - from.length).fill(1), ...from];
    return all.map((flat) => {
      let [rest, place, stride] = [flat, 0, 1];
      for (let dim = to.length - 1; dim >= 0; dim--) {
        if (shape[dim] > 1) place += (rest % to[dim]) * stride;
        stride *= shape[dim];
        rest = Math.floor(rest / to[dim]);
      }
      return place;
    });
  }

  // Each kind of operation: forward(values of the inputs) and backward(these, the results, their gradients). `sizes` has
  // the shapes of the inputs, `out` those of the outputs.

  const pointwise = ([of, slope], constants) => ({
    forward: ([x]) => [x.map((one) => of(one, ...constants))],
    backward: ([x], [y], [grad]) => [grad.map((g, i) => g * slope(x[i], y[i], ...constants))],
  });

  function pair([of, ...slopes], sizes, [size]) {
    const at = sizes.map((from) => places(from, size));
    return {
      forward: ([a, b]) => [at[0].map((_, i) => of(a[at[0][i]], b[at[1][i]]))],
      backward: ([a, b], _, [grad]) => slopes.map((slope, operand) => {
        const sum = zeros(sizes[operand]);
        grad.forEach((g, i) => { sum[at[operand][i]] += g * slope(a[at[0][i]], b[at[1][i]]); });
        return sum;
      }),
    };
  }

  // matrices[input][output][element of the output][element of the input]
  const linear = (matrices, sizes, out) => ({
    forward: (inputs) => out.map((size, output) => Array.from({ length: count(size) }, (_, i) =>
      inputs.reduce((sum, x, input) => sum + matrices[input][output][i].reduce((part, m, j) => part + m * x[j], 0), 0))),
    backward: (inputs, _, grads) => sizes.map((size, input) => zeros(size).map((_, j) =>
      grads.reduce((sum, grad, output) => sum + grad.reduce((part, g, i) => part + g * matrices[input][output][i][j], 0), 0))),
  });

  // a · b of n x k and k x m; the transposed ones are read by swapped indices.
  function product(n, k, m, a, b) {
    return Array.from({ length: n * m }, (_, at) => {
      const [i, j] = [Math.floor(at / m), at % m];
      let sum = 0;
      for (let l = 0; l < k; l++) sum += a(i, l) * b(l, j);
      return sum;
    });
  }

  function mm([[n, k], [, m]]) {
    const [A, B, G] = [(x) => (i, l) => x[i * k + l], (x) => (l, j) => x[l * m + j], (x) => (i, j) => x[i * m + j]];
    const turned = (of) => (i, j) => of(j, i);
    return {
      forward: ([a, b]) => [product(n, k, m, A(a), B(b))],
      backward: ([a, b], _, [grad]) => [product(n, m, k, G(grad), turned(B(b))), product(k, n, m, turned(A(a)), G(grad))],
    };
  }

  // x Wᵀ + b: the rows of x are all of its leading dimensions.
  function affine([size, [m, k]]) {
    const n = count(size) / k;
    const [X, W, G] = [(x) => (i, l) => x[i * k + l], (w) => (j, l) => w[j * k + l], (x) => (i, j) => x[i * m + j]];
    const turned = (of) => (i, j) => of(j, i);
    return {
      forward: ([x, w, b]) => [product(n, k, m, X(x), turned(W(w))).map((one, at) => one + (b ? b[at % m] : 0))],
      backward: ([x, w], _, [grad]) => [product(n, m, k, G(grad), W(w)), product(m, n, k, turned(G(grad)), X(x)),
        Array.from({ length: m }, (_, j) => grad.reduce((sum, g, at) => sum + (at % m === j ? g : 0), 0))],
    };
  }

  function operation([kind, ...rest], sizes, out) {
    if (kind === "linear") return linear(rest[0], sizes, out);
    if (kind === "Mm") return mm(sizes);
    if (kind === "Linear") return affine(sizes);
    return kind in PAIRS ? pair(PAIRS[kind], sizes, out) : pointwise(POINTWISE[kind], rest);
  }

  function run(nodes, data, leaves) {
    const order = Object.keys(nodes).map(Number).sort((a, b) => a - b); // inputs come before their users
    const [values, steps] = [{}, {}];
    const inputsOf = (number) => nodes[number].inputs.map(([from, output]) => values[from][output]);
    for (const number of order) {
      const { leaf, inputs, sizes } = nodes[number];
      if (leaf) values[number] = [leaves[number]];
      else {
        steps[number] = operation(data.operations[number], inputs.map(([from, output]) => nodes[from].sizes[output]), sizes);
        values[number] = steps[number].forward(inputsOf(number));
      }
    }
    const [grads, sent] = [{}, {}];
    const add = (number, output, grad) => {
      const own = (grads[number] ||= nodes[number].sizes.map(() => null));
      own[output] = own[output] ? own[output].map((x, i) => x + grad[i]) : grad;
    };
    data.seed.forEach((grad, output) => grad && add(data.root, output, grad));
    for (const number of order.reverse()) {
      if (!grads[number] || !steps[number]) continue;
      const complete = grads[number].map((grad, output) => grad || zeros(nodes[number].sizes[output]));
      const returned = steps[number].backward(inputsOf(number), values[number], complete);
      nodes[number].inputs.forEach(([from, output], input) => {
        if (!nodes[from].requires_grad) return;
        sent[`${number}_${input}`] = returned[input];
        add(from, output, returned[input]);
      });
    }
    return { values, grads, sent };
  }

  return { run };
})();
