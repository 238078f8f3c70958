"""Three steps of gradient descent of a program's model, for `compare_models.py`, which starts it on both sides.

    python -m legacy_autograd run tools/three_steps.py legacy FOLDER
    python tools/three_steps.py modern FOLDER

FOLDER has the program's files and model.json, the entry of the table. The numbers are written to FOLDER. With a third
argument, a number, steps in single precision go on for as many seconds on one thread, and the median of their processor
times is printed. Modern torch
receives what v0.1.12 had: reductions keep their dimension, masks are bytes, names of modules may have dots,
instance norms have running statistics, corners are aligned in bilinear upsampling, and initialisations have no
underscore.
"""

import ast
import functools
import json
import os
import random
import statistics
import sys
import time
import types

import numpy
import torch
from torch import nn
from torch.autograd import Variable


def main():
    """Write the numbers of each precision of the model."""
    side, folder, *seconds = sys.argv[1:]
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as file:
        model = json.load(file)
    os.chdir(os.path.join(folder, model.get("folder", "")))
    sys.path.insert(0, os.getcwd())
    if side == "modern":
        as_in_2017(keeps_dimensions=model.get("era") != "0.2.0")
    for name in model.get("absent", []):
        sys.modules[name] = Absent(name)
    nn.functional.dropout = lambda x, *others, **named: x
    if seconds:
        if side == "modern":
            torch.set_num_threads(1)
        print("seconds", three_steps(model, "float32", side, folder, float(seconds[0])))
        return
    for precision in model.get("precisions", ["float32", "float64"]):
        numbers = three_steps(model, precision, side, folder)
        numpy.savez(os.path.join(folder, f"{side}.{precision}.npz"), **numbers)


class Absent(types.ModuleType):
    """A package that a file imports and its model does not use."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return Absent(name)


def three_steps(model, precision, side, folder, seconds=0):
    """Return {name: array} of losses, gradients, and the parameters and buffers at the end.

    With `seconds` the steps go on for as long, and the median of their processor times is returned.

    Args:
        model: The entry of the table.
        precision: "float32" or "float64".
        side: "legacy", which writes its initial parameters, or "modern", which reads them.
        folder: The folder for these.
        seconds: How long to go on.
    """
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    names = {"torch": torch, "nn": nn, "Variable": Variable}
    if "script" in model:
        exec(definitions(model["script"]), names)
    exec(model["code"], names)
    network = names["model"]
    for layer in network.modules():
        if type(layer).__name__.startswith("Dropout"):
            layer.p = 0
        elif isinstance(getattr(layer, "dropout", None), float):  # between the layers of a recurrent network
            layer.dropout = 0
    initial = os.path.join(folder, "initial.npz")
    if side == "legacy":
        numpy.savez(initial, **state_of(network))
    else:
        state = network.state_dict()
        for name, array in numpy.load(initial).items():  # view_as raises if a size differs
            state[name].copy_(torch.from_numpy(array).view_as(state[name]))
    network.double() if precision == "float64" else network.float()
    generator = numpy.random.RandomState(model.get("seed", 1))
    inputs = [random_input(generator, shape, precision) for shape in model["inputs"]]
    numbers, times = {}, []
    while len(times) < 3 or sum(times) < seconds:
        step, began = len(times), time.process_time()
        variables = [Variable(torch.from_numpy(x.copy()), requires_grad=x.dtype.kind == "f") for x in inputs]
        torch.manual_seed(3)
        outputs = eval(model.get("call", "model(*inputs)"), {**names, "inputs": variables})
        loss = sum([(y * y).mean() + 0.3 * y.mean() for y in floats_of(outputs)])
        network.zero_grad()
        loss.backward()
        if not seconds:
            numbers |= gradients_of(network, variables, loss, step)
        for parameter in network.parameters():
            if parameter.grad is not None:
                parameter.data.add_(-model.get("rate", 0.001) * parameter.grad.data)
        times.append(time.process_time() - began)
    return statistics.median(times[2:]) if seconds else {**numbers, **state_of(network)}


def gradients_of(network, variables, loss, step):
    """Return {name: array} of the loss, and of the gradients of the inputs and parameters.

    Args:
        network: The model.
        variables: The inputs.
        loss: The loss.
        step: The number of the step, for the names.
    """
    numbers = {f"loss {step}": loss.data.numpy()}
    gradients = {f"input {i}": x for i, x in enumerate(variables)}
    gradients.update(network.named_parameters())
    for name, variable in gradients.items():
        if variable.grad is not None:
            numbers[f"gradient {step} {name}"] = variable.grad.data.numpy().copy()
    return numbers


def definitions(script):
    """Return the imports, constants, classes and functions of a script, compiled. Missing packages are left out.

    Args:
        script: Its file.
    """
    with open(script, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    kept = []
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            kept.append(statement)
        elif isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            continue
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            kept += ast.parse(f"try:\n    {ast.unparse(statement)}\nexcept Exception:\n    pass").body
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            kept.append(statement)
    tree.body = kept
    return compile(ast.fix_missing_locations(tree), script, "exec")


def state_of(network):
    """Return {name: array} of the parameters and buffers that v0.1.12 has.

    Args:
        network: The model.
    """
    state = network.state_dict()
    return {name: state[name].numpy().copy() for name in state if not name.endswith("num_batches_tracked")}


def random_input(generator, shape, precision):
    """Return normal numbers of a shape, or integers below a bound if `shape` is {"size": shape, "below": bound}.

    Args:
        generator: NumPy's.
        shape: The shape.
        precision: The dtype of normal numbers.
    """
    if isinstance(shape, dict):
        return generator.randint(0, shape["below"], shape["size"])
    return generator.randn(*shape).astype(precision)


def floats_of(outputs):
    """Return the floating-point Variables in an output, in order.

    Args:
        outputs: A Variable, or tuples, lists and dictionaries of them.
    """
    if isinstance(outputs, dict):
        outputs = list(outputs.values())
    if isinstance(outputs, list | tuple):
        return [y for output in outputs for y in floats_of(output)]
    return [outputs] if outputs.data.numpy().dtype.kind == "f" else []


def as_in_2017(keeps_dimensions):
    """Give modern torch what v0.1.12 had and what is no number.

    Args:
        keeps_dimensions: Whether reductions keep their dimension, as before 0.2.0.
    """

    def keeping(reduction, count):
        @functools.wraps(reduction)
        def reduce(x, *places, **named):
            if len(places) == count and type(places[-1]) is int or "dim" in named:
                named.setdefault("keepdim", True)
            return reduction(x, *places, **named)

        return reduce

    for name in ("sum", "mean", "max", "min", "norm", "var", "std", "prod") if keeps_dimensions else ():
        for owner in (torch, torch.Tensor):
            setattr(owner, name, keeping(getattr(owner, name), 2 if name == "norm" else 1))
    for name in dir(nn.init):
        if name[-1] == "_" != name[0]:
            setattr(nn.init, name[:-1], getattr(nn.init, name))
    interpolate = nn.functional.interpolate

    def aligned(x, size=None, scale_factor=None, mode="nearest", align_corners=None, **named):
        linear = mode in ("linear", "bilinear", "trilinear")
        return interpolate(x, size, scale_factor, mode, True if linear else None, **named)

    nn.functional.interpolate = nn.functional.upsample = aligned
    statistics = nn.modules.instancenorm._InstanceNorm.__init__
    nn.modules.instancenorm._InstanceNorm.__init__ = functools.partialmethod(statistics, track_running_stats=True)
    masked_fill_ = torch.Tensor.masked_fill_
    torch.Tensor.masked_fill_ = lambda self, mask, value: masked_fill_(self, mask.bool(), value)
    nn.Module.add_module = lambda self, name, module: self._modules.__setitem__(name, module)
    torch.Tensor.volatile = False


if __name__ == "__main__":
    main()
