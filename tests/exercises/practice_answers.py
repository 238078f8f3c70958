"""Answers to the notebooks' short exercises: {name: [right answers]}, {name: [(wrong answer, part of the reason)]}."""

import legacy_autograd
from legacy_autograd.autograd import ExecutionEngine, Function, Variable, grad
from legacy_autograd.tensor import DoubleTensor


class _Tanh(Function):
    def forward(self, x):
        self.result = x.tanh()
        return self.result

    def backward(self, grad_output):
        return grad_output.mul(self.result.mul(self.result).neg().add(1))


class _TanhWithoutChainRule(_Tanh):
    def backward(self, grad_output):
        return self.result.mul(self.result).neg().add(1)


class _TanhWithoutSquare(_Tanh):
    def backward(self, grad_output):
        return grad_output.mul(self.result.neg().add(1))


class _Clip(Function):
    def forward(self, x):
        self.inside = x.ge(-1).mul(x.le(1)).type_as(x)
        return x.clamp(-1, 1)

    def backward(self, grad_output):
        return grad_output.mul(self.inside)


class _ClipStraightThrough(_Clip):
    def backward(self, grad_output):
        return grad_output


def _add(gradients, output_nr, gradient):
    waiting = gradients[output_nr]
    gradients[output_nr] = gradient if waiting is None else waiting + gradient


def _add_in_place(gradients, output_nr, gradient):
    waiting = gradients[output_nr]
    gradients[output_nr] = gradient if waiting is None else waiting.add_(gradient)


def _replace(gradients, output_nr, gradient):
    gradients[output_nr] = gradient


def _leaf_tensors(tensor):
    found, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if hasattr(node, "variable"):
            found[id(node.variable)] = node.variable
        stack += [following for following, _ in node.next_functions if following is not None]
    return list(found.values())


def _leaf_nodes(tensor):
    return [node for node, _ in tensor.grad_fn.next_functions]


def _modern_step(w, learning_rate):
    import torch

    with torch.no_grad():
        w -= learning_rate * w.grad
    w.grad.zero_()


def _modern_step_without_zeroing(w, learning_rate):
    w.data -= learning_rate * w.grad


def _count_runs(parameters):
    counters = [[] for _ in parameters]
    for parameter, counter in zip(parameters, counters):
        parameter.register_hook(lambda gradient, counter=counter: counter.append(1))
    return counters


def _count_in_one_name(parameters):
    counters = [[] for _ in parameters]
    for counter, parameter in zip(counters, parameters):
        parameter.register_hook(lambda gradient: counter.append(1))  # noqa: B023
    return counters


def _momentum_step(parameters, velocities, lr, momentum):
    for parameter, velocity in zip(parameters, velocities):
        velocity.mul_(momentum).add_(parameter.grad)
        parameter.data -= velocity * lr


def _step_without_momentum(parameters, velocities, lr, momentum):
    for parameter, velocity in zip(parameters, velocities):
        velocity.zero_().add_(parameter.grad)
        parameter.data -= parameter.grad * lr


def _derivative(f, x, n):
    x = Variable(DoubleTensor([x]))
    result = f(x)
    for _ in range(n):
        (result,) = grad(result, x, create_graph=True)
    return result.data[0]


def _first_derivative(f, x, n):
    return _derivative(f, x, 1)


def _hessian_times(f, point, v):
    (gradient,) = grad(f(point), point, create_graph=True)
    (product,) = grad((gradient * Variable(v, requires_grad=False)).sum(), point)
    return product


def _hessian_times_ones(f, point, v):
    (gradient,) = grad(f(point), point, create_graph=True)
    return grad(gradient.sum(), point)[0]


def _gradient_times(f, point, v):
    return grad(f(point), point)[0] * v


def _count_calls(counts):
    def callback(function, proceed, *variables):
        counts[type(function).__name__] = counts.get(type(function).__name__, 0) + 1
        return proceed(*variables)

    return callback


def _count_classes(counts):
    def callback(function, proceed, *variables):
        counts[type(function)] = 1
        return proceed(*variables)

    return callback


def _without_graph(f, *variables):
    with legacy_autograd.no_grad():
        return f(*variables)


def _distance(a, b):
    return legacy_autograd.sqrt(legacy_autograd.sum((a - b) ** 2) + 1e-12)


def _nan_at_zero(a, b):
    return legacy_autograd.sqrt(legacy_autograd.sum((a - b) ** 2))


def _one_sided(eps):
    return lambda f, x: (f(x + eps) - f(x)) / eps


def _hook(note):
    def make(seen):
        def hook(grad_input, grad_output):
            note(seen, grad_output[0])

        return hook

    return make


def _step(W, learning_rate):
    W.data -= W.grad * learning_rate
    W.grad.zero_()


def _uphill(W, learning_rate):
    W.data += W.grad * learning_rate
    W.grad.zero_()


def _no_zeroing(W, learning_rate):
    W.data -= W.grad * learning_rate


def _leaves(variable):
    found, stack = set(), [variable.creator]
    while stack:
        function = stack.pop()
        if not function.previous_functions:
            found.add(function)
        stack += [previous for previous, _ in function.previous_functions]
    return found


def _leaves_with_repetition(variable):
    def walk(function):
        if not function.previous_functions:
            return [function]
        return [leaf for previous, _ in function.previous_functions for leaf in walk(previous)]

    return walk(variable.creator)


def _functions_between(variable):
    seen, stack = set(), [variable.creator]
    while stack:
        function = stack.pop()
        if function.previous_functions:
            seen.add(function)
        stack += [previous for previous, _ in function.previous_functions]
    return len(seen)


def _functions_on_all_paths(variable):
    def walk(function):
        return bool(function.previous_functions) + sum(walk(previous) for previous, _ in function.previous_functions)

    return walk(variable.creator)


def _dependencies(root, seen=None):
    counts, seen, stack = {}, set(), [root]
    while stack:
        function = stack.pop()
        if function not in seen:
            seen.add(function)
            for previous, _ in function.previous_functions:
                counts[previous] = counts.get(previous, 0) + 1
                stack.append(previous)
    return counts


class _Engine:
    """The engine of notebook 4, with the helper methods of the package's; the classes below replace a part of it."""

    def run_backward(self, variable, grad, retain_variables=True):
        engine = ExecutionEngine()
        root = variable.creator
        ready, not_ready = self._begin(variable, grad)
        uses = engine._compute_dependencies(root)
        while ready:
            fn, gradients = ready.pop()
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, engine._run(fn, gradients)):
                if self._skips(prev_fn, grad):
                    continue
                output_nr = engine._free_backward_dependency(uses, prev_fn, fn, arg_id)
                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if grad is not None:
                    self._add(waiting, output_nr, grad)
                if self._is_ready(uses[prev_fn], output_nr):
                    ready.append((prev_fn, engine._complete(prev_fn, not_ready.pop(prev_fn))))

    def _skips(self, prev_fn, grad):
        return not prev_fn.requires_grad

    def _is_ready(self, uses, output_nr):
        return not any(uses)

    _add = staticmethod(_add)
    _begin = ExecutionEngine()._begin


class _SkipsNone(_Engine):
    def _skips(self, prev_fn, grad):
        return grad is None or not prev_fn.requires_grad


class _AddsInPlace(_Engine):
    _add = staticmethod(_add_in_place)


class _LooksAtOneOutput(_Engine):
    def _is_ready(self, uses, output_nr):
        return not uses[output_nr]


class _SkipsNothing(_Engine):
    def _skips(self, prev_fn, grad):
        return False


class _StartsAtOutput0(_Engine):
    def _begin(self, variable, grad):
        root = variable.creator
        return [(root, ExecutionEngine()._complete(root, [grad] + [None] * (len(root.output_ids) - 1)))], {}


def _paths(root):
    counts = {}

    def walk(function):
        for previous, _ in function.previous_functions:
            counts[previous] = counts.get(previous, 0) + 1
            if sum(counts.values()) < 10**5:
                walk(previous)

    walk(root)
    return counts


RIGHT = {
    "2.1": [["SubConstant", "SubConstant", "Negate", "Mul"]],
    "2.2": [_functions_between],
    "2.3": [lambda a, b, g, needed: (g * b if needed[0] else None, g * a if needed[1] else None)],
    "1.1": [["Mean", "PowConstant", "Sub", "Mm"]],
    "1.2": [_step],
    "1.3": [_leaves],
    "3.1": [lambda start, count: 2 * start * count],
    "3.2": [_hook(lambda seen, gradient: seen.append((gradient * 2).tolist()))],
    "3.3": [[True, False, True, False]],
    "4.1": [_dependencies],
    "4.2": [["Mul #5", "AddConstant #4", "Mul #3", "y #2", "x #1"]],
    "5.1": [_Tanh],
    "5.2": [_one_sided(1e-8), _one_sided(2e-8)],
    "5.3": [_Clip],
    "6.1": [[2, 2], (2.0, 2.0)],
    "6.2": [_add],
    "6.3": [[1, 3, 5, 6], {6, 5, 3, 1}],
    "8.1": [lambda gradient: gradient.clamp(-1, 1)],
    "8.2": [_count_runs],
    "8.3": ["b", "B"],
    "9.1": [lambda module: sum(parameter.numel() for parameter in module.parameters())],
    "9.2": [_momentum_step],
    "9.3": ["b"],
    "10.1": [_derivative],
    "10.2": [_hessian_times],
    "10.3": [lambda n, parts: parts + n // parts, lambda n, parts: parts + n / parts],
    "11.1": [_count_calls],
    "11.2": [_without_graph],
    "11.3": [_distance],
    "7.1": [["grad_fn", "next_functions", "AccumulateGrad"]],
    "7.2": [_leaf_tensors],
    "7.3": [_modern_step],
    "4.3": [lambda trace: max(len(step.not_ready) for step in trace)],
    "4.4": [_Engine],
}
WRONG = {
    "2.1": [
        (["Sub", "Sub", "Neg", "Mul"], "a number goes to the constructor"),
        (["Sub"], "four names"),
        (["AddConstant", "SubConstant", "Negate", "Mul"], "has a class of its own for a difference"),
        (["SubConstant", "RSubConstant", "Negate", "Mul"], "uses the class of `y - 3`"),
        (["SubConstant", "Sub", "Negate", "Mul"], "the number 3 is not a Variable"),
        (["SubConstant", "SubConstant", "Neg", "Mul"], "shows the class that `-y` creates"),
        (["SubConstant", "SubConstant", "Negate", "MulConstant"], "is a Variable, not a number"),
    ],
    "2.2": [(_functions_on_all_paths, "counts once")],
    "2.3": [
        (lambda a, b, g, needed: (g * a, g * b), "the other way round"),
        (lambda a, b, g, needed: (b, a), "the chain rule"),
        (lambda a, b, g, needed: (g * b, g * a), "gets None"),
    ],
    "1.1": [
        (["Mm", "Sub", "PowConstant", "Mean"], "begin with the loss"),
        (["Mean", "Pow", "Sub", "Mm"], "recorded as `PowConstant`"),
        (["mean", "PowConstant", "Sub", "Mm"], "begins with a capital letter"),
        (["Mean", "PowConstant", "Mm"], "entry 3 is the first that is wrong"),
        (["Mean", "PowConstant"], "too few entries"),
    ],
    "1.2": [(_uphill, "against the gradient"), (_no_zeroing, "`W.grad.zero_()` is missing")],
    "1.3": [(_leaves_with_repetition, "each Leaf once")],
    "3.1": [(lambda start, count: 2 * start, "each backward adds its gradient to x.grad")],
    "3.2": [
        (_hook(lambda seen, gradient: seen.append(gradient.mul_(2).tolist())), "changed the gradient in place"),
        (_hook(lambda seen, gradient: seen.append(gradient.tolist())), "not twice the gradient"),
        (lambda seen: lambda grad_input, grad_output: seen.append(2 * grad_output), "`2 *` repeats a tuple"),
        (lambda seen: lambda grad_input, grad_output: seen.append((2 * grad_output).tolist()), "this is a tuple"),
    ],
    "4.1": [
        (lambda root: {**_dependencies(root), root: 1}, "the root is not counted"),
        (lambda root: dict.fromkeys(_dependencies(root), 1), "each use counts"),
        (_paths, "that counts the paths from the root"),
    ],
    "4.2": [
        (["Mul #5", "Mul #3", "AddConstant #4", "y #2", "x #1"], "`ready` is a stack"),
        (["Mul #5", "Mul #3", "AddConstant #4", "x #1", "y #2"], "A queue takes the first one pushed"),
        (["Mul #5", "AddConstant #4", "Mul #3", "x #1", "y #2"], "right up to the leaves"),
        (["Mul #5", "AddConstant #4", "x #1", "Mul #3", "y #2"], "it waits until both have run"),
        (["x #1", "y #2", "Mul #3", "AddConstant #4", "Mul #5"], "begins at the root"),
        (["Mul #5"], "under the label that the picture shows"),
        ("Mul #5", "a list of labels"),
    ],
    "4.3": [
        (lambda trace: len(trace[-1].not_ready), "take the maximum over all"),
        (lambda trace: len({n for step in trace for n in step.not_ready}), "how many wait at the same step"),
        (lambda trace: max([n for step in trace for n in step.not_ready], default=0), "do not compare them"),
        (lambda trace: max(len(step.ready) for step in trace), "do not wait any more"),
    ],
    "4.4": [
        (_StartsAtOutput0, "blank 1"),
        (_SkipsNothing, "blank 2: what requires no gradient has no count"),
        (_SkipsNone, "blank 2: a None must be counted down"),
        (_AddsInPlace, "blank 4: the sum must be a new tensor"),
        (_LooksAtOneOutput, "blank 5"),
    ],
    "5.1": [
        (_TanhWithoutChainRule, "the chain rule"),
        (_TanhWithoutSquare, "the tanh is squared"),
    ],
    "5.2": [
        (_one_sided(1e-3), "the step is too large or too small"),
        (_one_sided(1e-13), "the step is too large or too small"),
        (lambda f, x: f(x + 1e-8) - f(x), "divide"),
    ],
    "5.3": [(_ClipStraightThrough, "outside of the limits the gradient is 0")],
    "6.1": [([2, 1], "which tensor waits for `x`"), ([1, 1], "two gradients, which are added")],
    "6.2": [(_add_in_place, "in the tensor that waits"), (_replace, "replaced the first")],
    "6.3": [([1, 2, 3], "2 and 4 raise an error"), ([1, 3], "there are four")],
    "7.1": [(["grad_fn", "previous_functions", "Leaf"], "direction of backward"), (["grad_fn"], "three names")],
    "7.2": [(_leaf_nodes, "take its attribute `variable`")],
    "7.3": [(_modern_step_without_zeroing, "not set to zero")],
    "8.1": [(lambda gradient: gradient, "unchanged")],
    "8.2": [(_count_in_one_name, "share the last name"), (lambda parameters: [0, 0, 0], "no hook was called")],
    "8.3": [("a", "nothing asks that"), ("c", "resets itself")],
    "9.1": [(lambda module: len(list(module.parameters())), "that is the number of Variables")],
    "9.2": [(_step_without_momentum, "without momentum")],
    "9.3": [("a", "the generator has moved on")],
    "10.1": [
        (_first_derivative, "repeat `grad` n times"),
        (lambda f, x, n: Variable(DoubleTensor([x])), "return a Python number"),
    ],
    "10.2": [(_hessian_times_ones, "`v` is missing"), (_gradient_times, "differentiate its sum once more")],
    "10.3": [(lambda n, parts: n // parts, "the inputs of the parts stay too")],
    "11.1": [(_count_classes, "counts again")],
    "11.2": [(lambda f, *variables: f(*variables), "still has its history")],
    "11.3": [(_nan_at_zero, "∞ · 0 is nan")],
    "3.3": [
        ([True, True, True, True], "`c * c` has no input that requires a gradient"),
        ([True, False, True, True], "a number has no gradient"),
        ([False, True, False, True], "the opposites"),
        ([True, False, True], "a list of four"),
    ],
}
