"""Exercise 11, 120 minutes: A network on your own engine. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 11. A network
#
# The points lie on three arms of a spiral. No straight line separates the arms. A network with one hidden layer learns
# to separate them in a second or two. On top of your own engine, write a layer, a loss, an optimizer and the training
# loop.
#
# You may use the operations of Variables (`tanh`, `clamp`, `view`, …), but not `torch.nn` or `torch.optim`: you write
# these parts.

# %% given
import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable

# %% [markdown]
# ## The engine
#
# Put your engine of exercise 5 here. (It may run a Function that received only None, on zeros.)
#
# The network can run on more of your own answers. `python -m legacy_autograd exercises check 11 --own` uses the answers
# in the same folder that passed all checks:
#
# - `Engine` of exercise 5, instead of the one below;
# - `_do_forward` of exercise 2 and `_do_backward` of exercise 3, in each operation and each leaf;
# - `Add` and `Mul` of exercise 7 for `+` and `*` of Variables;
# - `Exp`, `Sigmoid` and `Abs` of exercise 1 for `exp()`, `sigmoid()` and `abs()` of Variables.


# %% solution: engine
class Engine:
    """Propagates a gradient back to the leaves."""

    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        root = variable.creator
        uses, queue = {}, [root]
        while queue:
            for prev_fn, _ in queue.pop().previous_functions:
                if prev_fn.requires_grad:
                    if prev_fn not in uses:
                        uses[prev_fn] = 0
                        queue.append(prev_fn)
                    uses[prev_fn] += 1
        arrived = {root: [None] * len(root.output_ids)}
        arrived[root][root.output_ids[id(variable)]] = grad
        ready = [root]
        while ready:
            fn = ready.pop()
            gradients = [
                grad.new(*size).zero_() if gradient is None else gradient
                for gradient, size in zip(arrived.pop(fn), fn._output_sizes)
            ]
            for (prev_fn, arg_id), gradient in zip(fn.previous_functions, fn._do_backward(*gradients)):
                if not prev_fn.requires_grad:
                    continue
                waiting = arrived.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                number = prev_fn.output_ids[arg_id]
                if gradient is not None:
                    waiting[number] = gradient if waiting[number] is None else waiting[number].add(gradient)
                uses[prev_fn] -= 1
                if uses[prev_fn] == 0:
                    ready.append(prev_fn)
        ### END SOLUTION


# %% tests: engine
# the engine of exercise 5 (2 points)
# - Check the engine in exercise 5 first: its report has more detail.
# - A gradient that arrives from several uses must be the sum.
# - Copy the class Engine from your answer to exercise 5.

# %% [markdown]
# ## A layer
#
# The layer processes n points at once. The shapes are (n, inputs) for `x`, (outputs, inputs) for `weight` and
# (outputs,) for `bias`. The result is x · weightᵀ + bias with the shape (n, outputs); the bias is added to each row.
# Tensors have `mm`, `t()` and `sum(dim)`; `sum(0, keepdim=False)` adds the rows. A call returns a tuple: `Linear()(x,
# weight, bias)[0]`. All Tensors of this exercise are DoubleTensors.


# %% solution: linear
class Linear(Function):
    """x · weightᵀ + bias."""

    def forward(self, x, weight, bias):
        ### BEGIN SOLUTION
        self.save_for_backward(x, weight)
        return x.mm(weight.t()) + bias
        ### END SOLUTION

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        x, weight = self.saved_tensors
        return grad_output.mm(weight), grad_output.t().mm(x), grad_output.sum(0, keepdim=False)
        ### END SOLUTION


# %% tests: linear
# a linear layer (3 points)
# - Look at the shapes: (outputs, inputs) for weight, (n, outputs) for grad_output, (n, inputs) for x.
# - Only one product of grad_output and x has the shape of weight. The same holds for the gradient of x.
# - grad_output.mm(weight), grad_output.t().mm(x), grad_output.sum(0, keepdim=False)

# %% [markdown]
# ## A loss
#
# The call is `CrossEntropy(targets)(scores)`. `scores` has the shape (n, classes), and `targets` is a list of n class
# numbers. The probabilities of a row are p_k = e^(s_k) / Σ_j e^(s_j). The loss of a row is -ln p of its target. The
# result has one element, the mean over the rows. Its derivative with respect to a score is (p_k - 1) / n for the target
# and p_k / n for the other classes, times grad_output.
#
# e^1000 overflows. First subtract the largest score of a row from all of its scores. The probabilities stay the same. A
# probability like e^-1000 becomes 0, but its logarithm is -1000: compute it as s_k - ln Σ_j e^(s_j). The arguments of a
# call stay as they are, and `backward` may run more than once.


# %% solution: cross_entropy
class CrossEntropy(Function):
    """The mean of -ln p over the rows, where p is the probability of the row's target."""

    def __init__(self, targets):
        self.targets = targets

    def forward(self, scores):
        ### BEGIN SOLUTION
        highest, _ = scores.max(1)
        shifted = scores - highest
        exponentials = shifted.exp()
        sums = exponentials.sum(1)
        self.probabilities = exponentials / sums
        losses = sums.log() - shifted
        total = sum(losses[row, target] for row, target in enumerate(self.targets))
        return scores.new([total / len(self.targets)])
        ### END SOLUTION

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        grad = self.probabilities.clone()
        for row, target in enumerate(self.targets):
            grad[row, target] = grad[row, target] - 1
        return grad * (grad_output[0] / len(self.targets))
        ### END SOLUTION


# %% tests: loss
# cross entropy (3 points)
# - scores.max(1) returns the largest score of each row and its index; both keep the dimension with length 1.
# - Store the probabilities in forward. The gradient is (probabilities - 1 at the target) / n * grad_output.
# - grad[row, target] = grad[row, target] - 1, in a copy of the probabilities, for each row

# %% [markdown]
# ## An optimizer
#
# `SGD(parameters, lr, momentum)` takes a list of leaves. `step()` adds -lr · v to the data of each leaf, in place. Here
# v = momentum · v + grad, and v is zero before the first step. `zero_grad()` sets all gradients to zero; `step()` does
# not.


# %% solution: sgd
class SGD:
    """Stochastic gradient descent with momentum."""

    def __init__(self, parameters, lr, momentum=0):
        ### BEGIN SOLUTION
        self.parameters, self.lr, self.momentum = list(parameters), lr, momentum
        self.velocities = [parameter.data.clone().zero_() for parameter in self.parameters]
        ### END SOLUTION

    def zero_grad(self):
        ### BEGIN SOLUTION
        for parameter in self.parameters:
            parameter.grad.zero_()
        ### END SOLUTION

    def step(self):
        ### BEGIN SOLUTION
        for parameter, velocity in zip(self.parameters, self.velocities):
            velocity.mul_(self.momentum).add_(parameter.grad)
            parameter.data.sub_(velocity * self.lr)
        ### END SOLUTION


# %% tests: sgd
# gradient descent with momentum (3 points)
# - step() changes parameter.data in place, so that the Variable stays the same.
# - Keep one velocity for each parameter: v = momentum * v + grad, and then data = data - lr * v.
# - velocity.mul_(self.momentum).add_(parameter.grad), parameter.data.sub_(velocity * self.lr)

# %% [markdown]
# ## All of it
#
# Write `train(x, targets)`, which trains a network of your choice on these points and returns a function. The function
# takes a Tensor of points of shape (n, 2) and returns a list of n class numbers, 0, 1 or 2. Nine of ten new points must
# be classified correctly; 32 hidden units with `tanh` and a few hundred steps over all points reach more than that.
# Start from small random weights (`torch.randn`) and call `torch.manual_seed(…)`, so that each run is the same. The
# training may take 10 seconds. The points and targets stay as they are.
#
# Begin with `Variable._execution_engine = Engine()`. After this line each `backward` runs your engine. The checks test
# that the training uses your Engine, Linear, CrossEntropy and SGD, and that the predictions use your Linear.


# %% solution: train
def train(x, targets):
    ### BEGIN SOLUTION
    Variable._execution_engine = Engine()
    torch.manual_seed(0)
    hidden, classes = 32, 3
    w1, b1 = Variable(torch.randn(hidden, 2)), Variable(torch.zeros(hidden))
    w2, b2 = Variable(torch.randn(classes, hidden) * 0.1), Variable(torch.zeros(classes))

    def scores_of(points):
        layer = Linear()(Variable(points, requires_grad=False), w1, b1)[0].tanh()
        return Linear()(layer, w2, b2)[0]

    optimizer = SGD([w1, b1, w2, b2], lr=0.5, momentum=0.9)
    for _ in range(200):
        optimizer.zero_grad()
        CrossEntropy(targets)(scores_of(x))[0].backward()
        optimizer.step()
    return lambda points: scores_of(points).data.max(1)[1].view(-1).tolist()
    ### END SOLUTION


# %% tests: network
# nine of ten points are classified correctly (4 points)
# - If the parts pass and the network does not learn: do you zero the gradients before each backward?
# - Print the loss every 50 steps. If it does not fall, change lr; 0.5 with momentum 0.9 works.
# - Two layers: Linear, tanh, Linear; 32 hidden units; 200 steps over all points.

# %% [markdown]
# To test the network with your engine:
#
#     Variable._execution_engine = Engine()
#     from legacy_autograd.exercises.data import spirals
#     predict = train(*spirals(0))
#     points, right = spirals(1)  # other points of the same arms
#     print(sum(one == other for one, other in zip(predict(points), right)), "of", len(right))
