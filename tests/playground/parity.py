"""Results that are compared natively and in the live page: all Functions, and random programs.

It runs in both: in the page without torch and hypothesis. Numbers are written as their bytes, so nothing is rounded.
"""

import json
import sys

import numpy
from properties import operations

import legacy_autograd as torch
from legacy_autograd import autograd, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.drawing import examples


def written(tensor):
    """Return the type, the shape and the bytes of a Tensor or Variable; None for None."""
    if tensor is None:
        return None
    tensor = tensor.data.contiguous()
    return [tensor.type(), list(tensor.size()), tensor.array.tobytes().hex()]


def weights_like(variables, seed):
    """Return gradients for outputs, such that all elements count differently: fractions that are exact."""
    made = []
    for v in variables:
        count = v.data.numel()
        numbers = [((7 * i + seed) % 16 + 1) / 16 for i in range(count)]
        made.append(v.data.new(numbers).view(*v.size()))
    return made


def function_results(name):
    """Return the outputs of the example of a Function, its gradients, and its second derivatives."""
    result = {}
    try:
        torch.manual_seed(0)
        _, inputs, outputs, _ = examples.example(name)
        result["forward"] = [written(v) for v in outputs]
        leaves = [v for v in inputs.values() if isinstance(v, Variable) and v.requires_grad]
        roots = [v for v in outputs if v.requires_grad]
        if not roots:
            return result
        for root, gradient in zip(roots, weights_like(roots, 0)):
            root.backward(gradient)
        result["backward"] = [written(v.grad) for v in leaves]
        torch.manual_seed(0)
        _, inputs, outputs, _ = examples.example(name)
        leaves = [v for v in inputs.values() if isinstance(v, Variable) and v.requires_grad]
        roots = [v for v in outputs if v.requires_grad]
        gradients = [Variable(g) for g in weights_like(roots, 3)]
        first = autograd.grad(roots, leaves, gradients, create_graph=True, allow_unused=True)
        first = [g for g in first if g is not None and g.requires_grad]
        if first:
            second = autograd.grad(first, [*leaves, *gradients], weights_like(first, 5), allow_unused=True)
            result["second"] = [written(g) for g in second]
    except Exception as error:  # a Function without a second derivative says so, natively and in the page
        result["error"] = f"{type(error).__name__}: {error}"
    return result


def program_results(leaves, steps, roots):
    """Return all values of a random program, and the gradients of its leaves."""
    program = operations.Program(leaves, [operations.Step(*step) for step in steps], roots)
    values = program.run(operations.Ours)
    program.backward(operations.Ours, values)
    gradients = [v.grad for v in values[: len(leaves)] if v.requires_grad]
    return [written(v) for v in values], [written(g) for g in gradients]


# What could differ where integers have 32 bits, or on NumPy 1.
EXPRESSIONS = """
torch.IntTensor([2**30] * 4).sum()
torch.ByteTensor([200] * 40).sum(), torch.CharTensor([-100] * 40).sum(), torch.ShortTensor([2**14] * 10**5).sum()
torch.IntTensor([2**30] * 4).sum(0)
torch.IntTensor([[2**28] * 4]).sum(1), torch.ByteTensor([[100] * 2]).sum(1)
torch.IntTensor([2**20, 2**20]).prod(), torch.ShortTensor([[2**7, 2**7]]).prod(1)
torch.IntTensor([2**30, 2**30 - 1]).cumsum(0), torch.IntTensor([2**15, 2**15]).cumprod(0)
torch.IntTensor([2**30, 2**30]).cumsum(0)
torch.LongTensor([2**40, 1, 2**33]).sort()
torch.LongTensor([2**40, 2**40 + 1]).sum()
torch.LongTensor([2**40, 7]).prod()
torch.LongTensor([2**31, 2]).dot(torch.LongTensor([4, 1]))
torch.LongTensor([2**62]) * 2, torch.LongTensor([2**40]) / 3, torch.LongTensor([-7]) % 3
torch.IntTensor([2**30]) * 4, torch.ByteTensor([200]) + 100
torch.ByteTensor([1]) + 300
torch.ByteTensor(2).fill_(300)
torch.LongTensor([2**63 - 1]).eq(2**63), torch.ByteTensor([1]).lt(300), torch.IntTensor([-1]).gt(-(2**40))
torch.LongTensor([2**63])
torch.IntTensor([2**31])
torch.Tensor([1, 2, 2, 3]).histc(2, 0, 4), torch.ByteTensor([1, 2, 2]).histc(2)
torch.Tensor([[3, 1, 2]]).topk(2), torch.Tensor([[3, 1, 2]]).kthvalue(2), torch.Tensor([[3, 1, 2]]).median(1)
torch.Tensor([[1, 5, 5]]).max(1)
torch.Tensor([[1, 5, 5]]).argmax(1)
torch.Tensor([[1, 5, 5]]).mode(1)
torch.Tensor([0, 5]).nonzero()
torch.arange(0, 6).view(2, 3).take(torch.LongTensor([[5], [0]]))
torch.arange(0, 6).index_select(0, torch.LongTensor([5, 0]))
torch.arange(0, 6)[torch.LongTensor([5, 0])], torch.arange(0, 6)[[1, 2]], torch.zeros(2, 3)[torch.LongTensor([1])]
torch.zeros(3).index_add_(0, torch.LongTensor([1, 1]), torch.ones(2))
torch.zeros(3).index_copy_(0, torch.LongTensor([1]), torch.ones(1))
torch.zeros(3).scatter_add_(0, torch.LongTensor([1, 1]), torch.ones(2))
torch.zeros(3).index_put_(torch.LongTensor([1, 1]), torch.ones(2), True)
torch.zeros(3)[torch.LongTensor([3])]
torch.zeros(3).index_select(0, torch.LongTensor([2**40]))
torch.manual_seed(2**63 + 1).initial_seed()
torch.rand(3)
torch.randn(3)
torch.FloatTensor(2).uniform_()
torch.HalfTensor(2).normal_()
torch.manual_seed(0) and torch.randperm(9)
torch.Tensor([0.2, 0.8]).multinomial(5, True)
torch.Tensor([0.2, 0.8, 1]).multinomial(2)
torch.manual_seed(0) and torch.LongTensor(3).random_(2**40)
torch.IntTensor(3).random_()
torch.LongTensor(3).random_(-(2**63), 2**63)
torch.manual_seed(0) and torch.LongTensor(3).geometric_(1e-5)
torch.Tensor(3).bernoulli_(0.5)
torch.Tensor(3).exponential_()
torch.get_rng_state()
F.max_pool2d(variable(torch.arange(0, 16).view(1, 1, 4, 4)), 2, return_indices=True)
F.max_pool2d(variable(torch.arange(0, 2 * 257**2).view(1, 2, 257, 257)), 257, return_indices=True)
F.max_unpool2d(variable(torch.ones(1, 1, 1, 1)), variable(torch.LongTensor([2]).view(1, 1, 1, 1)), 2)
F.adaptive_max_pool1d(variable(torch.arange(0, 6).view(1, 1, 6)), 2, return_indices=True)
nn.Embedding(4, 2, padding_idx=0, scale_grad_by_freq=True)(variable(torch.LongTensor([[1, 1, 0]]))).size()
rnn.pack_padded_sequence(variable(torch.arange(0, 12).view(3, 2, 2)), [3, 1])
rnn.pad_packed_sequence(rnn.pack_padded_sequence(variable(torch.arange(0, 12).view(3, 2, 2)), [3, 1]))
torch.zeros(2, 3).t().stride(), torch.zeros(2, 3)[1].storage_offset(), torch.LongStorage([2**40]).tolist()
torch.from_numpy(numpy.array([2**40])), torch.LongTensor(numpy.array([1, 2], "int32")), torch.IntTensor([7]).long()
torch.Tensor([2**40, -3.5]).long()
torch.LongTensor([2**40]).int()
torch.Tensor([1e300]).float()
torch.Tensor([70000]).half()
torch.FloatTensor([1, 2, 4]).var()
torch.FloatTensor([1, 2, 4]).std()
torch.FloatTensor([[3, 4], [0.3, 0.4]]).renorm(2, 0, 1)
torch.FloatTensor([16777217, 1]).sum(), torch.HalfTensor([60000, 60000]).mean(), torch.FloatTensor([1, 2]).norm(3)
torch.zeros(2).expand(3, 2).fill_(1)
torch.zeros(1).expand(3).zero_()
variable(torch.ByteTensor([200, 200])).sum()
""".strip().splitlines()


def value_of(expression):
    """Return what an expression gives, as plain data, or its error."""
    names = {"torch": torch, "numpy": numpy, "nn": nn, "F": nn.functional, "rnn": nn.utils.rnn}
    names["variable"] = lambda tensor: Variable(tensor, requires_grad=False)
    try:
        return plain(eval(expression, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def plain(value):
    if isinstance(value, (torch.Tensor, Variable)):
        return written(value)
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def results(programs):
    """Return all results as JSON. Each program is the text of a tuple (leaves, steps, roots)."""
    with_slices = {"slice": slice}
    return json.dumps(
        {
            "functions": {name: function_results(name) for name in examples.function_classes()},
            "expressions": [value_of(expression) for expression in EXPRESSIONS],
            "programs": [program_results(*eval(text, with_slices)) for text in programs],
            "bits": sys.maxsize.bit_length() + 1,
        }
    )
