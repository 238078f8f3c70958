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
        "loss", "take the largest score", ("highest, _ = scores.max(1)", "highest = scores.new([0.0])")
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
        "sgd", "in place: whoever holds", (_STEP, "parameter.data = parameter.data - velocity * self.lr")
    ),
    "the data is not changed": wrong(
        "sgd network", "has not changed", (_STEP, "parameter.data.sub(velocity * self.lr)")
    ),
    "no learning rate": wrong("sgd", "lr times the gradient", (_STEP, "parameter.data.sub_(velocity)")),
    "no momentum": wrong("sgd", "what v was before is not used", ("velocity.mul_(self.momentum)", "velocity.zero_()")),
    "step zeroes": wrong(
        "sgd", "leaves the gradients as they are", (_STEP, f"{_STEP}\n            parameter.grad.zero_()")
    ),
    "gradients are never zeroed": wrong("sgd network", "has not zeroed", ("parameter.grad.zero_()", "parameter.grad")),
    "no hidden layer": wrong(
        "network",
        "so much a straight line can do",
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
    "learned by heart": wrong(
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
        "is not lent",
        ("SGD([w1, b1, w2, b2], lr=0.5, momentum=0.9)", "torch.optim.SGD([w1, b1, w2, b2], lr=0.5)"),
    ),
}
