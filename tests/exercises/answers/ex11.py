"""Exercise 11: a network."""

from . import write, wrong

_LOSS = "return grad * (grad_output[0] / len(self.targets))"
_STEP = "parameter.data.sub_(velocity * self.lr)"

RIGHT = {
    "the bias as a row by view": [("return x.mm(weight.t()) + bias", "return x.mm(weight.t()) + bias.view(1, -1)")],
    "methods of each optimizer": [
        ("def zero_grad(self):", "def zeroed(self):"),
        ("def step(self):", "def stepped(self):"),
        (
            "self.velocities = [parameter.data.clone().zero_() for parameter in self.parameters]",
            """
            self.velocities = [parameter.data.clone().zero_() for parameter in self.parameters]
            self.zero_grad, self.step = self.zeroed, self.stepped
            """,
        ),
    ],
    "numpy inside": [
        write(
            "engine",
            """
            order, seen, stack = [], set(), [(variable.creator, False)]
            while stack:
                fn, done = stack.pop()
                if done:
                    order.append(fn)
                elif fn not in seen and fn.requires_grad:
                    seen.add(fn)
                    stack += [(fn, True), *[(prev_fn, False) for prev_fn, _ in fn.previous_functions]]
            sums = {fn: {} for fn in order}
            sums[variable.creator][variable.creator.output_ids[id(variable)]] = grad
            for fn in filter(sums.get, order[::-1]):
                found = [sums[fn].get(n, grad.new(*size).zero_()) for n, size in enumerate(fn._output_sizes)]
                for (prev_fn, arg_id), gradient in zip(fn.previous_functions, fn._do_backward(*found)):
                    if prev_fn in sums and gradient is not None:
                        of_prev, number = sums[prev_fn], prev_fn.output_ids[arg_id]
                        of_prev[number] = of_prev[number] + gradient if number in of_prev else gradient
            """,
        ),
        write(
            "linear", "self.x, self.w = x, weight\nreturn torch.from_numpy(x.numpy() @ weight.numpy().T + bias.numpy())"
        ),
        write(
            "linear",
            """
            g = grad_output.numpy()
            of_x, of_w = g @ self.w.numpy(), g.T @ self.x.numpy()
            return tuple(torch.from_numpy(array) for array in (of_x, of_w, g.sum(0)))
            """,
            2,
        ),
        write(
            "cross_entropy",
            """
            import numpy

            s = scores.numpy()
            s = s - s.max(axis=1, keepdims=True)
            log_p = s - numpy.log(numpy.exp(s).sum(axis=1, keepdims=True))
            self.one_hot = numpy.eye(s.shape[1])[self.targets]
            self.p = numpy.exp(log_p)
            return scores.new([-(log_p * self.one_hot).sum() / len(self.targets)])
            """,
        ),
        write("cross_entropy", "return torch.from_numpy((self.p - self.one_hot) * grad_output[0] / len(self.p))", 2),
    ],
    "plain gradient descent": [
        write(
            "sgd",
            "self.all = [(p, p.data.new(*p.size()).zero_()) for p in parameters]\nself.lr, self.mu = lr, momentum",
        ),
        write("sgd", "for p, _ in self.all:\n    p.grad.data.fill_(0)", 2),
        write("sgd", "for p, v in self.all:\n    v.copy_(v * self.mu + p.grad)\n    p.data.add_(v * -self.lr)", 3),
        write(
            "train",
            """
            torch.manual_seed(3)
            sizes = [2, 16, 16, 3]
            layers = []
            for inputs, outputs in zip(sizes, sizes[1:]):
                weight = Variable(torch.randn(outputs, inputs) / inputs**0.5)
                layers.append((weight, Variable(torch.zeros(outputs))))

            def forward(points):
                h = Variable(points, requires_grad=False)
                for number, (weight, bias) in enumerate(layers):
                    h = Linear()(h.tanh() if number else h, weight, bias)[0]
                return h

            optimizer = SGD([p for layer in layers for p in layer], 0.5, 0.9)
            for _ in range(300):
                loss = CrossEntropy(targets)(forward(x))[0]
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()

            def predict(points):
                rows = forward(points).data.tolist()
                return [row.index(max(row)) for row in rows]

            return predict
            """,
        ),
    ],
    "Black's line breaks and type hints": [
        write(
            "linear",
            """
            self.save_for_backward(
                x,
                weight,
            )
            return (
                x.mm(weight.t())
                + bias
            )
            """,
        ),
        write(
            "linear",
            """
            x, weight = self.saved_tensors
            of_bias: torch.Tensor = grad_output.t().mm(
                x.new(
                    x.size(0),
                    1,
                ).fill_(1)
            ).view(-1)
            return (
                grad_output.mm(weight),
                (x.t().mm(grad_output)).t(),
                of_bias,
            )
            """,
            2,
        ),
        write(
            "sgd",
            """
            self.parameters: list[Variable] = [
                *parameters
            ]
            self.lr: float = lr
            self.momentum: float = momentum
            self.velocities: dict[int, torch.Tensor] = {}
            """,
        ),
        write(
            "sgd",
            """
            for number, parameter in enumerate(self.parameters):
                velocity = (
                    self.velocities.get(number, 0)
                    * self.momentum
                    + parameter.grad
                )
                self.velocities[number] = velocity
                parameter.data.add_(
                    velocity
                    * -self.lr
                )
            """,
            3,
        ),
    ],
    "a class for the network, a dataclass for the state, walrus": [
        write(
            "sgd",
            """
            from dataclasses import dataclass

            @dataclass
            class State:
                parameter: object
                velocity: object

                def step(self):
                    self.velocity = self.velocity * momentum - self.parameter.grad * lr
                    self.parameter.data.add_(self.velocity)

            self.states = [State(p, p.data * 0) for p in parameters]
            """,
        ),
        write("sgd", "[state.parameter.grad.mul_(0) for state in self.states]", 2),
        write("sgd", "[state.step() for state in self.states]", 3),
        write(
            "train",
            """
            Variable._execution_engine = Engine()
            torch.manual_seed(7)

            class Network:
                def __init__(self, *sizes):
                    pairs = zip(sizes, sizes[1:])
                    self.layers = [[Variable(torch.randn(o, i) * i**-0.5), Variable(torch.zeros(o))] for i, o in pairs]

                def __call__(self, points):
                    h = Variable(points, requires_grad=False)
                    for weight, bias in self.layers[:-1]:
                        h = Linear()(h, weight, bias)[0].clamp(min=0)
                    return Linear()(h, *self.layers[-1])[0]

                def predict(self, points):
                    return [int(number) for number in self(points).data.numpy().argmax(axis=1)]

            network = Network(2, 48, 3)
            optimizer = SGD(sum(network.layers, []), lr=0.3, momentum=0.9)
            steps = 0
            while (steps := steps + 1) <= 600:
                optimizer.zero_grad()
                (loss,) = CrossEntropy(targets)(network(x))
                loss.backward()
                optimizer.step()
            return network.predict
            """,
        ),
    ],
    "masks and one line each": [
        write("linear", "self.save_for_backward(x, weight) or None\nreturn x.mm(weight.t()).add(bias)"),
        write(
            "cross_entropy",
            """
            rows, classes = scores.size()
            self.mask = scores.new([[float(k == target) for k in range(classes)] for target in self.targets])
            e = (scores - scores.max(1)[0]).exp()
            self.p = e / e.sum(1)
            inside = (scores - scores.max(1)[0]) - e.sum(1).log()
            return scores.new([-(inside * self.mask).sum() / rows])
            """,
        ),
        write("cross_entropy", "return (self.p - self.mask) * (float(grad_output[0]) / self.p.size(0))", 2),
        write(
            "sgd",
            "self.pairs, self.step_by = [(p, p.data.clone().zero_()) for p in parameters], "
            "lambda p, v: p.data.sub_(v.mul_(momentum).add_(p.grad) * lr)",
        ),
        write("sgd", "_ = [p.grad.zero_() for p, _ in self.pairs]", 2),
        write("sgd", "_ = [self.step_by(p, v) for p, v in self.pairs]", 3),
    ],
    "rows one by one, numbers of Python, batches": [
        write(
            "cross_entropy",
            """
            import math

            self.rows = []
            total = 0.0
            for row, target in zip(scores.tolist(), self.targets):
                highest = max(row)
                logarithm = highest + math.log(math.fsum(math.exp(s - highest) for s in row))
                self.rows.append([math.exp(s - logarithm) - (k == target) for k, s in enumerate(row)])
                total += logarithm - row[target]
            return scores.new([total / len(self.rows)])
            """,
        ),
        write(
            "cross_entropy",
            """
            factor = grad_output[0] / len(self.rows)
            return grad_output.new([[number * factor for number in row] for row in self.rows])
            """,
            2,
        ),
        write(
            "train",
            """
            Variable._execution_engine = Engine()
            torch.manual_seed(1)
            w1, b1 = Variable(torch.randn(32, 2)), Variable(torch.zeros(32))
            w2, b2 = Variable(torch.randn(3, 32) * 0.1), Variable(torch.zeros(3))

            def scores(points):
                hidden = Linear()(Variable(points, requires_grad=False), w1, b1)[0].tanh()
                return Linear()(hidden, w2, b2)[0]

            rows, labels = x.tolist(), list(targets)
            optimizer = SGD([w1, b1, w2, b2], 0.2, momentum=0.9)
            for turn in range(60):
                for batch in range(4):
                    points, wanted = x.new(rows[batch::4]), labels[batch::4]
                    optimizer.zero_grad()
                    CrossEntropy(wanted)(scores(points))[0].backward()
                    optimizer.step()
            return lambda points: [max(range(3), key=row.__getitem__) for row in scores(points).data.tolist()]
            """,
        ),
    ],
    "numpy's random numbers and logaddexp": [
        write(
            "cross_entropy",
            """
            import numpy

            array = scores.numpy()
            self.log_p = array - numpy.logaddexp.reduce(array, axis=1)[:, None]
            return scores.new([-numpy.mean([row[target] for row, target in zip(self.log_p, self.targets)])])
            """,
        ),
        write(
            "cross_entropy",
            """
            import numpy

            slope = numpy.exp(self.log_p)
            for row, target in zip(slope, self.targets):
                row[target] -= 1
            return grad_output.new((slope * (grad_output.numpy() / len(slope))).tolist())
            """,
            2,
        ),
        write(
            "train",
            """
            import numpy

            Variable._execution_engine = Engine()
            draw = numpy.random.default_rng(5)
            shapes = [(24, 2), (24,), (3, 24), (3,)]
            parts = [Variable(torch.from_numpy(draw.normal(0, 0.5, shape))) for shape in shapes]

            def scores(points):
                (h,) = Linear()(Variable(points, requires_grad=False), *parts[:2])
                (result,) = Linear()(h.tanh(), *parts[2:])
                return result

            optimizer = SGD(parts, 0.4, 0.9)
            for step in range(300):
                (loss,) = CrossEntropy(targets)(scores(x))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            return lambda points: scores(points).data.numpy().argmax(1).tolist()
            """,
        ),
    ],
    "an engine in functions, with counters": [
        write(
            "engine",
            """
            from collections import Counter, defaultdict

            def operands(fn):
                return [(index, f, arg) for index, (f, arg) in enumerate(fn.previous_functions) if f.requires_grad]

            todo, seen, uses = [variable.creator], {variable.creator}, Counter()
            for fn in todo:
                uses.update(f for _, f, _ in operands(fn))
                new = dict.fromkeys(f for _, f, _ in operands(fn) if f not in seen)
                seen.update(new)
                todo.extend(new)
            sums = defaultdict(dict)
            sums[variable.creator][variable.creator.output_ids[id(variable)]] = grad
            ready = [variable.creator]
            while ready:
                fn = ready.pop(0)
                found = sums.pop(fn, {})
                given = [found.get(n) for n in range(len(fn._output_sizes))]
                given = [grad.new(*size).zero_() if g is None else g for g, size in zip(given, fn._output_sizes)]
                results = fn._do_backward(*given)
                for index, f, arg in operands(fn):
                    number, result = f.output_ids[arg], results[index]
                    if result is not None:
                        sums[f][number] = sums[f][number] + result if number in sums[f] else result
                    uses[f] -= 1
                    if not uses[f]:
                        ready.append(f)
            """,
        ),
        write("linear", "self.save_for_backward(x, weight)\nreturn (weight.mm(x.t()) + bias.view(-1, 1)).t()"),
    ],
    "velocities of None, one generator of steps": [
        write("sgd", "self.lr, self.momentum = lr, momentum\nself.state = [[p, None] for p in parameters]"),
        write("sgd", "for p, _ in self.state:\n    p.grad.sub_(p.grad.clone())", 2),
        write(
            "sgd",
            """
            for entry in self.state:
                p, v = entry
                entry[1] = p.grad.clone() if v is None else v * self.momentum + p.grad
                p.data.copy_(p.data - entry[1] * self.lr)
            """,
            3,
        ),
    ],
    "ones that add the rows, rows that are taken apart": [
        write(
            "linear",
            """
            self.x, self.weight = x, weight
            ones = x.new(x.size(0), 1).fill_(1)
            return x.mm(weight.t()) + ones.mm(bias.view(1, -1))
            """,
        ),
        write(
            "linear",
            """
            n = grad_output.size(0)
            of_bias = grad_output.new(grad_output.size(1)).zero_()
            for row in range(n):
                of_bias.add_(grad_output[row])
            return grad_output.mm(self.weight), self.x.t().mm(grad_output).t(), of_bias
            """,
            2,
        ),
        write(
            "cross_entropy",
            """
            self.softmax = []
            losses = []
            for number, target in enumerate(self.targets):
                row = scores[number] - scores[number].max()
                total = row.exp().sum()
                self.softmax.append(row.exp() / total)
                losses.append(scores.new([total]).log()[0] - row[target])
            return scores.new([sum(losses) / len(losses)])
            """,
        ),
        write(
            "cross_entropy",
            """
            rows = [row.tolist() for row in self.softmax]
            for row, target in zip(rows, self.targets):
                row[target] = row[target] - 1.0
            return grad_output.new(rows).mul(grad_output[0]).div(len(rows))
            """,
            2,
        ),
    ],
    "three layers and a rate that falls": [
        write(
            "train",
            """
            torch.manual_seed(11)
            Variable._execution_engine = Engine()
            sizes = (2, 20), (20, 20), (20, 3)
            layers = [[Variable(torch.randn(o, i) / i**0.5), Variable(torch.zeros(o))] for i, o in sizes]

            def network(points):
                value = Variable(points, requires_grad=False)
                for number, layer in enumerate(layers):
                    (value,) = Linear()(value, *layer)
                    value = value.sigmoid() * 2 - 1 if number < 2 else value
                return value

            parameters = [p for layer in layers for p in layer]
            for lr in (0.5, 0.25):
                optimizer = SGD(parameters, lr, momentum=0.9)
                for _ in range(200):
                    optimizer.zero_grad()
                    CrossEntropy(list(targets))(network(x))[0].backward()
                    optimizer.step()

            def predict(points):
                return [int(row.index(max(row))) for row in network(points.clone()).data.tolist()]

            return predict
            """,
        ),
    ],
}

_ENDLESS = "optimizer = SGD([w1, b1, w2, b2], lr=0.5, momentum=0.9)\n    for _ in range(200):"

WRONG = {
    "the engine overwrites": wrong(
        "engine",
        "takes the place of the first",
        ("gradient if waiting[number] is None else waiting[number].add(gradient)", "gradient"),
    ),
    "the engine adds in place": wrong(
        "engine",
        "use add, not add_",
        ("waiting[number].add(gradient)", "waiting[number].add_(gradient)"),
    ),
    "no bias": wrong(
        "linear", "the bias is added to each row", ("return x.mm(weight.t()) + bias", "return x.mm(weight.t())")
    ),
    "the weight's gradient is transposed": wrong(
        "linear network", "this is the transpose", ("grad_output.t().mm(x)", "x.t().mm(grad_output)")
    ),
    "the bias gets all rows": wrong(
        "linear network", "its gradient is the sum of the rows", ("grad_output.sum(0, keepdim=False)", "grad_output")
    ),
    "the bias gets the mean": wrong("linear", "not the mean", ("grad_output.sum(0,", "grad_output.mean(0,")),
    "the bias gets ones": wrong(
        "linear network",
        "its gradient is the sum of the rows of grad_output",
        ("grad_output.sum(0, keepdim=False)", "grad_output.new(grad_output.size(1)).fill_(1)"),
    ),
    "the sum of the rows": wrong(
        "loss", "the mean over the rows, not the sum", ("[total / len(self.targets)]", "[total]")
    ),
    "a negative loss": wrong(
        "loss", "the loss is positive", ("[total / len(self.targets)]", "[-total / len(self.targets)]")
    ),
    "large scores overflow": wrong(
        "loss",
        "e^1000 is inf: subtract the largest score of each row first",
        ("highest, _ = scores.max(1)", "highest = scores.new([0.0])"),
    ),
    "the gradient is not divided": wrong("loss network", "divided by n", (_LOSS, "return grad * grad_output[0]")),
    "the incoming gradient is ignored": wrong(
        "loss", "times grad_output, which is not always 1", (_LOSS, "return grad / len(self.targets)")
    ),
    "the target is forgotten": wrong(
        "loss network", "at the target it is p - 1", ("grad[row, target] - 1", "grad[row, target] - 0")
    ),
    "the sign of the gradient": wrong("loss network", "not 1 - p", (_LOSS, _LOSS.replace("grad *", "-grad *"))),
    "uphill": wrong("sgd network", "against the gradient", (_STEP, _STEP.replace("sub_", "add_"))),
    "a new tensor": wrong(
        "sgd",
        "step() must change parameter.data in place",
        (_STEP, "parameter.data = parameter.data - velocity * self.lr"),
    ),
    "the data is not changed": wrong(
        "sgd network", "has not changed", (_STEP, "parameter.data.sub(velocity * self.lr)")
    ),
    "no learning rate": wrong("sgd", "lr times the gradient", (_STEP, "parameter.data.sub_(velocity)")),
    "no momentum": wrong(
        "sgd",
        "v = momentum * v + grad: the previous v is not used",
        ("velocity.mul_(self.momentum)", "velocity.zero_()"),
    ),
    "step zeroes": wrong(
        "sgd",
        "step() must not change the gradients; zero_grad() zeroes them",
        (_STEP, f"{_STEP}\n            parameter.grad.zero_()"),
    ),
    "gradients are never zeroed": wrong("sgd network", "has not zeroed", ("parameter.grad.zero_()", "parameter.grad")),
    "no hidden layer": wrong(
        "network",
        "a straight line reaches this accuracy: is there a hidden",
        (
            "layer = Linear()(Variable(points, requires_grad=False), w1, b1)[0].tanh()",
            "layer = Linear()(Variable(points, requires_grad=False), w1, b1)[0]",
        ),
    ),
    "weights of zero": wrong(
        "network",
        "nothing was learned",
        ("torch.randn(hidden, 2)", "torch.zeros(hidden, 2)"),
        ("torch.randn(classes, hidden) * 0.1", "torch.zeros(classes, hidden)"),
    ),
    "too few steps": wrong("network", "more steps", ("range(200)", "range(20)")),
    "trains for ever": wrong("network", "a loop never ends", ("for _ in range(200):", "while True:"), seconds=1),
    "only the training points are classified correctly: the": wrong(
        "network",
        "run_backward of your Engine was called 0 times",
        write(
            "train",
            """
            known = {tuple(point): target for point, target in zip(x.tolist(), targets)}
            return lambda points: [known.get(tuple(point), 0) for point in points.tolist()]
        """,
        ),
    ),
    "the package's own": wrong(
        "network",
        "the package's own is not available here",
        ("SGD([w1, b1, w2, b2], lr=0.5, momentum=0.9)", "torch.optim.SGD([w1, b1, w2, b2], lr=0.5)"),
    ),
    "a momentum that dampens the gradient": wrong(
        "sgd network",
        "this is momentum * v + (1 - momentum) * grad; the formula",
        (
            "velocity.mul_(self.momentum).add_(parameter.grad)",
            "velocity.mul_(self.momentum).add_(parameter.grad * (1 - self.momentum))",
        ),
    ),
    "Nesterov's momentum": wrong(
        "sgd",
        "this is Nesterov's momentum",
        (_STEP, "parameter.data.sub_((velocity * self.momentum + parameter.grad) * self.lr)"),
    ),
    "the step before the velocity": wrong(
        "sgd network",
        "the data of the Variables has not changed",
        (
            "velocity.mul_(self.momentum).add_(parameter.grad)",
            "before = velocity.clone()\n            velocity.mul_(self.momentum).add_(parameter.grad)",
        ),
        (_STEP, _STEP.replace("velocity", "before")),
    ),
    "one velocity for all": wrong(
        "sgd network",
        "each parameter takes a step and has its own velocity",
        (
            "[parameter.data.clone().zero_() for parameter in self.parameters]",
            "[self.parameters[0].data.clone().zero_()] * len(self.parameters)",
        ),
    ),
    "only the first parameter": wrong(
        "sgd network",
        "each parameter takes a step and has its own velocity",
        ("zip(self.parameters, self.velocities)", "[*zip(self.parameters, self.velocities)][:1]"),
    ),
    "velocities on the class": wrong(
        "sgd network",
        "on the optimizer and not on the class",
        ("self.velocities = [", "SGD.velocities = SGD.__dict__.get('velocities') or ["),
    ),
    "the gradient of x is forgotten": wrong(
        "linear",
        "the gradient of x is grad_output · weight",
        ("return grad_output.mm(weight), ", "return grad_output.mm(weight) * 0, "),
    ),
    "the loss of the first row": wrong(
        "loss",
        "the loss is the mean of -ln p",
        (
            "for row, target in enumerate(self.targets))\n        return",
            "for row, target in [*enumerate(self.targets)][:1])\n        return",
        ),
    ),
    "nearest neighbours, and a network for show": wrong(
        "network",
        "the predictions must depend on your Linear: a table of the",
        write(
            "train",
            """
            Variable._execution_engine = Engine()
            torch.manual_seed(0)
            w1, b1 = Variable(torch.randn(3, 2)), Variable(torch.zeros(3))
            optimizer = SGD([w1, b1], lr=0.5, momentum=0.9)
            for _ in range(20):
                optimizer.zero_grad()
                CrossEntropy(targets)(Linear()(Variable(x, requires_grad=False), w1, b1)[0])[0].backward()
                optimizer.step()
            known = list(zip(x.tolist(), targets))
            def predict(points):
                Linear()(Variable(points, requires_grad=False), w1, b1)
                near = lambda p: min(known, key=lambda k: (k[0][0] - p[0]) ** 2 + (k[0][1] - p[1]) ** 2)
                return [near(p)[1] for p in points.tolist()]
            return predict
            """,
        ),
    ),
    "no step where the gradient is 0": wrong(
        "sgd",
        "also where the gradient is 0",
        (
            "velocity.mul_(self.momentum).add_(parameter.grad)",
            "if not parameter.grad.norm():\n                continue\n            "
            "velocity.mul_(self.momentum).add_(parameter.grad)",
        ),
    ),
    "the largest of all rows": wrong(
        "loss",
        "subtract the largest score of each row",
        ("total / len(self.targets)]", "total / max(len(self.targets), 1)]"),
        ("highest, _ = scores.max(1)", "highest = scores.max()"),
    ),
    "1 subtracted from the stored probabilities": wrong(
        "loss",
        "change a copy of the probabilities",
        ("grad = self.probabilities.clone()", "grad = self.probabilities"),
    ),
    "the probabilities on the class": wrong(
        "loss",
        "stored on self, not on the class",
        ("self.probabilities = exponentials", "CrossEntropy.probabilities = exponentials"),
    ),
    "the scores are shifted in place": wrong(
        "loss",
        "the scores were written into",
        ("shifted = scores - highest", "shifted = scores.sub_(highest.expand_as(scores))"),
    ),
    "the scores are written into and restored": wrong(
        "loss",
        "the scores were written into",
        (
            "shifted = scores - highest",
            "shifted = scores.sub_(highest.expand_as(scores)).clone()\n        scores.add_(highest.expand_as(scores))",
        ),
    ),
    "the targets are used up": wrong(
        "loss network",
        "do not change the caller's list of targets",
        (
            "for row, target in enumerate(self.targets):\n",
            "number = len(self.targets)\n        for row in range(number):\n            target = self.targets.pop(0)\n",
        ),
        (_LOSS, _LOSS.replace("len(self.targets)", "number")),
    ),
    "the first gradient of the loss for ever": wrong(
        "loss",
        "each time that backward runs",
        (
            _LOSS,
            "self.found = getattr(self, 'found', None) or [" + _LOSS.removeprefix("return ") + "]\n"
            "        return self.found[0]",
        ),
    ),
    "the logarithm of a probability": wrong(
        "loss",
        "which is finite",
        ("losses = sums.log() - shifted", "losses = -(self.probabilities.log())"),
    ),
    "the mean over three": wrong(
        "loss", "the loss is the mean", ("[total / len(self.targets)]", "[total / scores.size(1)]")
    ),
    "one velocity for each size": wrong(
        "sgd",
        "has its own velocity",
        (
            "[parameter.data.clone().zero_() for parameter in self.parameters]",
            "[]\n        sizes = {}\n        for p in self.parameters:\n"
            "            self.velocities.append(sizes.setdefault(p.size(), p.data.clone().zero_()))",
        ),
    ),
    "the rate falls": wrong(
        "sgd",
        "in each step",
        (_STEP, f"{_STEP}\n        self.lr = self.lr * 0.99"),
    ),
    "the list of parameters is emptied": wrong(
        "sgd network",
        "do not change the caller's list of parameters",
        (
            "self.parameters, self.lr, self.momentum = list(parameters), lr, momentum",
            "self.parameters, self.lr, self.momentum = list(parameters), lr, momentum\n        parameters.clear()",
        ),
    ),
    "only the first gradient is zeroed": wrong(
        "sgd",
        "zero_grad() zeroes all of them",
        (
            "for parameter in self.parameters:\n            parameter.grad",
            "for parameter in self.parameters[:1]:\n            parameter.grad",
        ),
    ),
    "no steps after the third": wrong(
        "sgd network",
        "in each step",
        (
            "for parameter, velocity in zip(self.parameters",
            "self.steps = getattr(self, 'steps', 0) + 1\n        if self.steps > 3:\n            return\n"
            "        for parameter, velocity in zip(self.parameters",
        ),
    ),
    "the points on the class": wrong(
        "linear",
        None,
        ("self.save_for_backward(x, weight)", "Linear.x, Linear.weight = x, weight"),
        ("x, weight = self.saved_tensors", "x, weight = Linear.x, Linear.weight"),
    ),
    "the first gradients of the layer for ever": wrong(
        "linear",
        "of this call",
        (
            "return grad_output.mm(weight), grad_output.t().mm(x), grad_output.sum(0, keepdim=False)",
            "self.found = getattr(self, 'found', None) or (\n"
            "            grad_output.mm(weight), grad_output.t().mm(x), grad_output.sum(0, keepdim=False))\n"
            "        return self.found",
        ),
    ),
    "the gradient of the bias has two dimensions": wrong(
        "linear", "has one dimension", ("grad_output.sum(0, keepdim=False)", "grad_output.sum(0)")
    ),
    "the weight is scaled in place": wrong(
        "linear",
        "an operand was written into",
        ("self.save_for_backward(x, weight)", "weight.mul_(1)\n        self.save_for_backward(x, weight)"),
    ),
    "a view of the points": wrong(
        "linear",
        "an operand may be a view",
        ("self.save_for_backward(x, weight)", "x = x.view(x.size(0), -1)\n        self.save_for_backward(x, weight)"),
    ),
    "an engine that does not count": wrong(
        "engine",
        "run a Function once",
        (
            "uses[prev_fn] -= 1\n                if uses[prev_fn] == 0:\n                    ready.append(prev_fn)",
            "ready.append(prev_fn)",
        ),
        ("arrived.pop(fn)", "arrived.pop(fn, [None] * len(fn.output_ids))"),
    ),
    "an engine whose counts stay": wrong(
        "engine",
        None,
        ("uses, queue = {}, [root]", "uses, queue = self.__dict__.setdefault('uses', {}), [root]"),
    ),
    "the points are zeroed after the training": wrong(
        "network",
        "must not change the points",
        ("return lambda points: scores_of", "x.zero_()\n    return lambda points: scores_of"),
    ),
    "no seed": wrong("network", "begin with torch.manual_seed", ("torch.manual_seed(0)", "pass")),
    "the first network for ever": wrong(
        "network",
        "was called 0 times",
        (
            "Variable._execution_engine = Engine()",
            "if hasattr(train, 'done'):\n        return train.done\n    Variable._execution_engine = Engine()",
        ),
        ("return lambda points: scores_of", "train.done = lambda points: scores_of"),
        (".view(-1).tolist()", ".view(-1).tolist()\n    return train.done"),
    ),
    "counts of one byte": wrong(
        "engine",
        None,
        ("uses[prev_fn] += 1", "uses[prev_fn] = (uses[prev_fn] + 1) % 256"),
        ("uses[prev_fn] -= 1", "uses[prev_fn] = (uses[prev_fn] - 1) % 256"),
    ),
    "a number for one point": wrong(
        "network", "a list, that of one point", ("max(1)[1].view(-1).tolist()", "max(1)[1].numpy().squeeze().tolist()")
    ),
    "points are centred by their own mean": wrong(
        "network",
        "each point is classified by itself",
        ("return lambda points: scores_of(points)", "return lambda points: scores_of(points - points.mean(0))"),
    ),
    "as many predictions as targets": wrong(
        "network",
        "each point is classified by itself",
        ("max(1)[1].view(-1).tolist()", "max(1)[1].view(-1).tolist()[: len(targets)]"),
    ),
    "the weights are in the module": wrong(
        "network",
        "a network stays as its training left it",
        (
            "Variable._execution_engine = Engine()\n    torch",
            "global w1, b1, w2, b2\n    Variable._execution_engine = Engine()\n    torch",
        ),
    ),
    "the bias of 64 points": wrong(
        "linear",
        "the bias is added to each row",
        (
            "grad_output.sum(0, keepdim=False)",
            "grad_output.narrow(0, 0, min(64, grad_output.size(0))).sum(0, keepdim=False)",
        ),
    ),
    "a gradient of 0 is 1": wrong("loss", "the gradient is", ("(grad_output[0] / len", "((grad_output[0] or 1) / len")),
    "parameters are viewed as rows": wrong(
        "sgd",
        "this input must not raise an exception",
        ("parameter.data.sub_(velocity * self.lr)", "parameter.data.view(-1).sub_((velocity * self.lr).view(-1))"),
    ),
    "gradients within a thousand": wrong(
        "sgd",
        "each parameter takes a step and has its own velocity",
        (
            "velocity.mul_(self.momentum).add_(parameter.grad)",
            "velocity.mul_(self.momentum).add_(parameter.grad.clamp(-1000, 1000))",
        ),
    ),
    "no rate of 0": wrong(
        "sgd",
        "each parameter takes a step and has its own velocity",
        ("list(parameters), lr, momentum", "list(parameters), lr or 0.1, momentum"),
    ),
    "a module of torch.nn": wrong(
        "network",
        "write Module.__call__ yourself",
        (
            "layer = Linear()(Variable(points, requires_grad=False), w1, b1)[0].tanh()",
            "layer = torch.nn.Tanh()(Linear()(Variable(points, requires_grad=False), w1, b1)[0])",
        ),
    ),
    "predictions train on": wrong(
        "network",
        "each point is classified by itself",
        (
            "return lambda points: scores_of(points).data.max(1)[1].view(-1).tolist()",
            """
                def predict(points):
                    classes = scores_of(points).data.max(1)[1].view(-1).tolist()
                    optimizer.zero_grad()
                    CrossEntropy(classes)(scores_of(points))[0].backward()
                    optimizer.step()
                    return classes

                return predict
                """,
        ),
    ),
    "predictions move the weights a little": wrong(
        "network",
        "a network stays as its training left it",
        (
            "return lambda points: scores_of(points).data.max(1)[1].view(-1).tolist()",
            """
                def predict(points):
                    w1.data.mul_(1 + 1e-6)
                    return scores_of(points).data.max(1)[1].view(-1).tolist()

                return predict
                """,
        ),
    ),
    "Linear keeps the last weight of a size": wrong(
        "linear",
        None,
        ("grad_output.mm(weight)", "grad_output.mm(_last.setdefault(weight.size(), weight))"),
        ("import legacy_autograd as torch", "import legacy_autograd as torch\n\n_last = {}"),
    ),
    "a new velocity after zero_grad where momentum is 1": wrong(
        "sgd",
        None,
        (
            "            parameter.grad.zero_()",
            "            parameter.grad.zero_()\n"
            "        self.velocities = [v * 0 if self.momentum == 1 else v for v in self.velocities]",
        ),
    ),
    "all optimizers of a leaf share its velocity": wrong(
        "sgd",
        None,
        (
            "self.velocities = [parameter.data.clone().zero_() for parameter in self.parameters]",
            "self.velocities = [_known.setdefault(one, one.data.clone().zero_()) for one in self.parameters]",
        ),
        ("import legacy_autograd as torch", "import legacy_autograd as torch\n\n_known = {}"),
    ),
    "the data of the first step": wrong(
        "sgd",
        None,
        (
            "self.velocities = [parameter",
            "self.data = [parameter.data for parameter in self.parameters]\n        self.velocities = [parameter",
        ),
        (
            "for parameter, velocity in zip(self.parameters,",
            "for parameter, data, velocity in zip(self.parameters, self.data,",
        ),
        (_STEP, "data.sub_(velocity * self.lr)"),
    ),
    "a learning rate of 1 at most": wrong(
        "sgd", None, ("list(parameters), lr, momentum", "list(parameters), min(lr, 1), momentum")
    ),
    "a None that arrives last is not counted": wrong(
        "engine",
        None,
        (
            "if gradient is not None:\n",
            """
            if gradient is None and waiting[number] is not None:
                continue
            if gradient is not None:
            """,
        ),
    ),
    "a Function that got only None does not run": wrong(
        "engine",
        None,
        (
            "if uses[prev_fn] == 0:",
            "if uses[prev_fn] == 0 and (waiting[number] is not None or not prev_fn.previous_functions):",
        ),
    ),
    "no gradient of the bias if the weight is a constant": wrong(
        "linear",
        None,
        (
            "return grad_output.mm(weight), grad_output.t().mm(x), grad_output.sum(0, keepdim=False)",
            """
            of_bias = grad_output.sum(0, keepdim=False) if self.needs_input_grad[1] else None
            return grad_output.mm(weight), grad_output.t().mm(x), of_bias
            """,
        ),
    ),
    "a training on points of its own": wrong(
        "network",
        None,
        (
            "torch.manual_seed(0)",
            """
            torch.manual_seed(0)
            from legacy_autograd.exercises.data import spirals

            x, targets = spirals(0)
            """,
        ),
    ),
    "ten classes at most": wrong(
        "loss",
        None,
        (
            "sums = exponentials.sum(1)",
            "sums = exponentials.narrow(1, 0, min(10, scores.size(1))).sum(1)",
        ),
    ),
    "velocities that begin with the gradient": wrong(
        "sgd",
        None,
        (
            "self.velocities = [parameter.data.clone().zero_() for parameter in self.parameters]",
            "self.velocities = [parameter.grad.clone() for parameter in self.parameters]",
        ),
    ),
    "a copy of the weight, kept by its id": wrong(
        "linear",
        None,
        (
            "return grad_output.mm(weight)",
            """
            Linear.copies = vars(Linear).get("copies", {})
            weight = Linear.copies.setdefault(id(weight), (weight, weight.clone()))[1]
            return grad_output.mm(weight)
            """,
        ),
    ),
    "probabilities by size and targets": wrong(
        "loss",
        None,
        (
            "self.probabilities = exponentials / sums",
            """
            self.key = str((scores.size(), self.targets))
            CrossEntropy.known = {**vars(CrossEntropy).get("known", {}), self.key: exponentials / sums}
            """,
        ),
        ("grad = self.probabilities.clone()", "grad = CrossEntropy.known[self.key].clone()"),
    ),
    "the gradients of the constructor": wrong(
        "sgd",
        None,
        ("add_(parameter.grad)", "add_(self.grads[id(parameter)])"),
        (
            "self.velocities = ",
            "self.grads = {id(one): one.grad for one in self.parameters}\n        self.velocities = ",
        ),
    ),
    "one list for all answers": wrong(
        "network",
        None,
        (
            "return lambda points: scores_of(points).data.max(1)[1].view(-1).tolist()",
            """
            result = []

            def predict(points):
                result[:] = scores_of(points).data.max(1)[1].view(-1).tolist()
                return result

            return predict
            """,
        ),
    ),
    "a view of the points in the network": wrong(
        "network", None, ("Linear()(Variable(points,", "Linear()(Variable(points.view(-1, 2),")
    ),
    "one-hot rows by the list of targets": wrong(
        "loss",
        None,
        write(
            "cross_entropy",
            """
            n = len(self.targets)
            cache = CrossEntropy.__dict__.get("cache")
            if cache is None:
                cache = CrossEntropy.cache = {}
            key = id(self.targets), tuple(self.probabilities.size())
            if key not in cache:
                hot = self.probabilities.clone().zero_()
                for row, target in enumerate(self.targets):
                    hot[row, target] = 1
                cache[key] = hot
            return (self.probabilities - cache[key]) * (grad_output[0] / n)
            """,
            2,
        ),
    ),
    "pairs by the list of targets": wrong(
        "loss",
        None,
        write(
            "cross_entropy",
            """
            pairs = CrossEntropy.__dict__.get("pairs")
            if pairs is None:
                pairs = CrossEntropy.pairs = {}
            if id(self.targets) not in pairs or len(pairs[id(self.targets)]) != len(self.targets):
                pairs[id(self.targets)] = list(enumerate(self.targets))
            self.where = pairs[id(self.targets)]
            shifted = scores - scores.max(1)[0]
            sums = shifted.exp().sum(1)
            self.probabilities = shifted.exp() / sums
            losses = sums.log() - shifted
            return scores.new([sum(losses[row, target] for row, target in self.where) / len(self.targets)])
            """,
        ),
        (
            "for row, target in enumerate(self.targets):",
            "for row, target in self.where:",
        ),
    ),
    "a copy of a constant x, kept": wrong(
        "linear",
        None,
        write(
            "linear",
            """
            self.save_for_backward(x, weight)
            if not self.needs_input_grad[0]:
                cache = Linear.__dict__.get("cache")
                if cache is None:
                    cache = Linear.cache = {}
                if id(x) not in cache or cache[id(x)].size() != x.size():
                    cache[id(x)] = x.clone()
                self.kept = cache[id(x)]
            return x.mm(weight.t()) + bias
            """,
        ),
        write(
            "linear",
            """
            x, weight = self.saved_tensors
            x = x if self.needs_input_grad[0] else self.kept
            return grad_output.mm(weight), grad_output.t().mm(x), grad_output.sum(0, keepdim=False)
            """,
            2,
        ),
    ),
    "the bias itself for an x of zeros": wrong(
        "linear",
        None,
        write(
            "linear",
            """
            self.save_for_backward(x, weight)
            if not x.array.any() or not weight.array.any():
                return bias.view(1, -1).expand(x.size(0), weight.size(0))
            return x.mm(weight.t()) + bias
            """,
        ),
    ),
    "an operand in place for a unit matrix": wrong(
        "linear",
        None,
        write(
            "linear",
            """
            self.save_for_backward(x, weight)
            import numpy
            if weight.size(0) == weight.size(1) and (weight.array == numpy.eye(weight.size(0))).all():
                return x.add_(bias)
            return x.mm(weight.t()) + bias
            """,
        ),
    ),
    "zeros only gradients that were used": wrong(
        "sgd",
        None,
        ("for parameter in self.parameters:", 'for parameter in getattr(self, "used", self.parameters):'),
        (
            "for parameter, velocity in zip(self.parameters, self.velocities):",
            """
            self.used = [parameter for parameter in self.parameters if parameter.grad.array.any()]
            for parameter, velocity in zip(self.parameters, self.velocities):
            """,
        ),
    ),
    "the last result for the same constants": wrong(
        "linear",
        None,
        write(
            "linear",
            """
            if any(self.needs_input_grad):
                self.save_for_backward(x, weight)
                return x.mm(weight.t()) + bias
            last = Linear.__dict__.get("last")
            if last is None or not (last[0] is x and last[1] is weight and last[2] is bias):
                last = Linear.last = x, weight, bias, x.mm(weight.t()) + bias
            return last[3].clone()
            """,
        ),
    ),
    "predictions by the mean of the caller's points": wrong(
        "network",
        None,
        (
            "layer = Linear()(Variable(points, requires_grad=False), w1, b1)[0].tanh()",
            "layer = Linear()(Variable(points - x.mean(0), requires_grad=False), w1, b1)[0].tanh()",
        ),
    ),
    "predictions by the caller's targets": wrong(
        "network",
        None,
        (
            "return lambda points: scores_of(points).data.max(1)[1].view(-1).tolist()",
            "return lambda points: [sorted(set(targets))[k] for (k,) in scores_of(points).data.max(1)[1].tolist()]",
        ),
    ),
    "predictions in parts of 100": wrong(
        "network",
        "each point is classified by itself",
        (
            "return lambda points: scores_of(points).data.max(1)[1].view(-1).tolist()",
            """
            def predict(points):
                parts = [points[100 * n : 100 * (n + 1)] for n in range(points.size(0) // 100 or 1)]
                return [number for part in parts for number in scores_of(part).data.max(1)[1].view(-1).tolist()]

            return predict
            """,
        ),
    ),
    "velocities of other leaves": wrong(
        "sgd",
        None,
        (
            "for parameter, velocity in zip(self.parameters, self.velocities):",
            "leaves = [parameter for parameter in self.parameters if parameter.requires_grad]\n"
            "        for parameter, velocity in zip(leaves, self.velocities):",
        ),
    ),
    "targets by identity": wrong(
        "loss",
        "the loss is the mean of -ln p of the target",
        (
            "total = sum(losses[row, target] for row, target in enumerate(self.targets))",
            """
            places = [(row, k) for row, target in enumerate(self.targets) for k in range(losses.size(1)) if k is target]
            total = sum(losses[row, k] for row, k in places)
            """,
        ),
    ),
}
