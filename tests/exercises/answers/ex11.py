"""Exercise 11: a network."""

from . import write, wrong

_LOSS = "return grad * (grad_output[0] / len(self.targets))"
_STEP = "parameter.data.sub_(velocity * self.lr)"

RIGHT = {
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
            sums = {variable.creator: grad}
            for fn in order[::-1]:
                for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(sums.pop(fn))):
                    if prev_fn.requires_grad and gradient is not None:
                        sums[prev_fn] = sums[prev_fn] + gradient if prev_fn in sums else gradient
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
    "no bias": wrong("linear", "the bias is not added", ("return x.mm(weight.t()) + bias", "return x.mm(weight.t())")),
    "the weight's gradient is transposed": wrong(
        "linear network", "this is the transpose", ("grad_output.t().mm(x)", "x.t().mm(grad_output)")
    ),
    "the bias gets all rows": wrong(
        "linear network", "its gradient is the sum of the rows", ("grad_output.sum(0, keepdim=False)", "grad_output")
    ),
    "the bias gets the mean": wrong("linear", "the sum, not the mean", ("grad_output.sum(0,", "grad_output.mean(0,")),
    "the bias gets ones": wrong(
        "linear network",
        "depends on grad_output",
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
        "e^1000 is inf: subtract the largest score of the row first",
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
        "linear", "all numbers are 0", ("return grad_output.mm(weight), ", "return grad_output.mm(weight) * 0, ")
    ),
    "the loss of the first row": wrong(
        "loss",
        "the gradient is correct and the loss is not: it is the mean",
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
        "if the gradient is 0, the parameter still moves by lr * momentum * v: never skip a step",
        (
            "velocity.mul_(self.momentum).add_(parameter.grad)",
            "if not parameter.grad.norm():\n                continue\n            "
            "velocity.mul_(self.momentum).add_(parameter.grad)",
        ),
    ),
    "the largest of all rows": wrong(
        "loss",
        "some of the numbers are inf or nan",
        ("total / len(self.targets)]", "total / max(len(self.targets), 1)]"),
        ("highest, _ = scores.max(1)", "highest = scores.max()"),
    ),
}
