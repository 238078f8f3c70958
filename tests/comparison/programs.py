"""Programs written once for both worlds: each takes (torch, Variable, *inputs), and `inputs` makes its numbers."""

import numpy

PROGRAMS = {}  # {name: (program, inputs)}


def program(*inputs):
    """Register a program; `inputs` are sizes of random arrays (tuples), or arrays."""

    def register(function):
        random = numpy.random.default_rng(len(PROGRAMS))
        made = [random.standard_normal(x) if isinstance(x, tuple) else x for x in inputs]
        PROGRAMS[function.__name__] = function, made
        return function

    return register


# --- arithmetic and the shapes of graphs


@program((1, 4), (4, 3), (1, 3))
def linear_regression(torch, Variable, W, x, y):
    W = Variable(W)
    x, y = Variable(x, requires_grad=False), Variable(y, requires_grad=False)
    loss = torch.sum(torch.abs(torch.mm(W, x) - y))
    loss.backward()
    W.data -= W.grad.data * 0.1
    return loss, W


@program((3,), (3,))
def polynomial(torch, Variable, a, b):
    a, b = Variable(a), Variable(b)
    return 3 * a**3 - b**2


@program((2, 3))
def diamond(torch, Variable, x):
    x = Variable(x)
    base = x.exp()
    left, right = base * 2, base.sin()
    return (left * right + base).sum()


@program((3,), (3,))
def shared_leaves(torch, Variable, x, y):
    x, y = Variable(x), Variable(y)
    z = x * y + (x + y)
    return (z * x + x * x - z / (y * y + 1)).sum()


@program((2, 3, 4), (3, 1), (4,))
def broadcasting(torch, Variable, x, column, row):
    x, column, row = Variable(x), Variable(column), Variable(row)
    return ((x + column) * row / (column * column + 1) - row).sum()


@program((3,), (3,))
def powers(torch, Variable, x, y):
    x, y = Variable(x * x + 0.5), Variable(y)
    return (2**x + x**y + x**0.5 + 1 / x + x**0 + 3 - x).sum()


@program((7,))
def transcendental(torch, Variable, x):
    x = Variable(x)
    y = x.sin() * x.cos() + x.tanh() * torch.sigmoid(x) + x.atan() + x.sinh() / x.cosh()
    return (y + (x * x + 1).log() + (x * x).log1p() + (x * x + 1).sqrt() + (x * x + 1).rsqrt()).sum()


@program(numpy.array([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0]))
def kinks(torch, Variable, x):
    x = Variable(x)
    y = x.abs() + x.clamp(-1, 1) + x.sign() + x.floor() * 2 + torch.nn.functional.relu(x)
    return (y * x).sum()


@program((2,))
def a_chain_of_200(torch, Variable, x):
    x = Variable(x)
    y = x
    for step in range(100):
        y = y * 0.99
        y = y + x * (0.01 * step)
    return y.sum()


@program((3,))
def doubling(torch, Variable, x):
    y = Variable(x)
    for _ in range(12):
        y = y + y
    return y.mean()


# --- several outputs, indices, order, sizes


@program((4, 3))
def parts(torch, Variable, x):
    x = Variable(x)
    a, b = x.chunk(2)
    first, second, third = x.split(1, 1)
    return torch.cat([a * 2, b], 1).sum() + (second * third).sum() + torch.stack([a, b, a]).mean()


@program((4, 5))
def maxima(torch, Variable, x):
    x = Variable(x)
    largest, _ = x.max(1)
    smallest, _ = torch.min(x, 0)
    ordered, _ = x.sort(1)
    top, _ = x.topk(2, 1)
    return (largest * smallest).sum() + (ordered * ordered).sum() + top.sum() + x.max()


@program((4, 5))
def indexing(torch, Variable, x):
    x = Variable(x)
    return (x[0] * x[1]).sum() + x[1:3, 2].sum() * 3 + x.narrow(1, 1, 2).sum() + x.select(0, 3).mean() + x[2, 2]


@program((4, 3), numpy.array([2, 0, 2]), numpy.array([[0, 1, 2], [3, 3, 0]]))
def index_tensors(torch, Variable, x, rows, places):
    x = Variable(x)
    rows, places = Variable(rows, requires_grad=False), Variable(places, requires_grad=False)
    return (x.index_select(0, rows) ** 2).sum() + (x.gather(0, places) * 3).sum()


@program((3, 4))
def masks(torch, Variable, x):
    x = Variable(x)
    mask = x.data > 0
    mask = Variable(mask, requires_grad=False)
    return (x.masked_select(mask) ** 2).sum() + x.masked_fill(mask, 2).sum()


@program((2, 3, 4))
def other_sizes(torch, Variable, x):
    x = Variable(x)
    y = x.transpose(0, 2).contiguous().view(4, 6).t()
    z = x.permute(1, 2, 0).unsqueeze(1).squeeze(1)
    return (y.expand(2, 6, 4) * 2).sum() + (z * z).sum() + (x.select(0, 0).repeat(2, 1) ** 2).sum()


@program((3, 4))
def statistics(torch, Variable, x):
    x = Variable(x)
    parts = [x.mean(0), x.std(1), x.var(0), x.norm(2, 1), x.prod(1), x.sum(1), x.cumsum(0).mean(1)]
    return sum(part.sum() for part in parts) + x.norm() + x.std() + x.prod() + x.norm(1)


# --- products


@program((2, 3), (3, 4), (4,), (2, 4), (5, 2, 3), (5, 3, 2))
def products(torch, Variable, a, b, v, c, d, e):
    a, b, v, c, d, e = map(Variable, (a, b, v, c, d, e))
    y = torch.addmm(c, a, b)
    return y.mv(v).sum() + v.dot(v) + d.bmm(e).sum() + torch.ger(v, v).sum() + d.matmul(b).mean()


@program((3, 3), (3, 3), (3, 3))
def fused(torch, Variable, x, a, b):
    x, a, b = Variable(x), Variable(a), Variable(b * b + 1)
    return (torch.addcmul(x, a, b) + torch.addcdiv(x, a, b) + torch.lerp(x, a, 0.3)).sum()


# --- networks


@program((6, 4), numpy.array([0, 1, 2, 0, 1, 2]))
def softmax_by_hand(torch, Variable, x, target):
    W = Variable(torch.randn(4, 3))
    scores = Variable(x, requires_grad=False).mm(W)
    exponentials = (scores - scores.max(1)[0]).exp()
    logarithms = (exponentials / exponentials.sum(1)).log()
    return -logarithms.gather(1, Variable(target, requires_grad=False).view(-1, 1)).mean()


@program((5, 3), (5, 1))
def a_network_trained(torch, Variable, x, y):
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(4):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(Variable(x, requires_grad=False)), Variable(y, requires_grad=False))
        loss.backward()
        optimizer.step()
    return loss, model


@program((5, 3), numpy.array([1, 0, 1, 1, 0]))
def trained_by_adam(torch, Variable, x, target):
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(3):
        optimizer.zero_grad()
        output = model(Variable(x, requires_grad=False))
        loss = torch.nn.functional.cross_entropy(output, Variable(target, requires_grad=False))
        loss.backward()
        optimizer.step()
    return loss, model


@program((2, 1, 28, 28), numpy.array([3, 7]))
def lenet(torch, Variable, x, target):
    nn, F = torch.nn, torch.nn.functional

    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, kernel_size=5)
            self.conv2 = nn.Conv2d(6, 16, kernel_size=5)
            self.fc1 = nn.Linear(256, 120)
            self.fc2 = nn.Linear(120, 84)
            self.fc3 = nn.Linear(84, 10)

        def forward(self, x):
            x = F.max_pool2d(F.relu(self.conv1(x)), 2)
            x = F.max_pool2d(F.relu(self.conv2(x)), 2)
            x = x.view(x.size(0), -1)
            x = F.relu(self.fc1(x))
            x = F.relu(self.fc2(x))
            return self.fc3(x)

    model = LeNet()
    loss = F.cross_entropy(model(Variable(x, requires_grad=False)), Variable(target, requires_grad=False))
    return loss


@program((5, 2, 3))
def lstm_over_five_steps(torch, Variable, x):
    lstm = torch.nn.LSTM(3, 4)
    output, (h, c) = lstm(Variable(x))
    return (output * output).sum() + (h * c).sum()


@program((5, 2, 3))
def lstm_by_hand(torch, Variable, x):
    W, U = Variable(torch.randn(3, 8)), Variable(torch.randn(2, 8))
    h = c = Variable(torch.zeros(2, 2), requires_grad=False)
    for step in range(5):
        gates = Variable(x[step], requires_grad=False).mm(W) + h.mm(U)
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return (h * h).sum()


@program((4, 2, 3))
def gru_and_rnn(torch, Variable, x):
    gru, rnn = torch.nn.GRU(3, 3), torch.nn.RNN(3, 2)
    output, _ = gru(Variable(x))
    output, _ = rnn(output)
    return output.sum()


@program((6, 3), (6, 3))
def normalized_and_dropped(torch, Variable, x, y):
    norm, drop = torch.nn.BatchNorm1d(3), torch.nn.Dropout(0.4)
    z = drop(norm(Variable(x)))
    return (z * Variable(y)).sum(), norm.running_mean, norm.running_var


@program(numpy.array([[0, 2, 1], [3, 3, 0]]), numpy.array([1, 0]))
def embedded(torch, Variable, words, target):
    embedding, output = torch.nn.Embedding(4, 5), torch.nn.Linear(5, 2)
    mean = embedding(Variable(words, requires_grad=False)).mean(1, keepdim=False)
    scores = torch.nn.functional.log_softmax(output(mean), 1)
    weight = torch.Tensor([1.0, 3.0])
    return torch.nn.NLLLoss(weight)(scores, Variable(target, requires_grad=False))


@program((2, 3, 10), (2, 2, 9, 9))
def convolutions(torch, Variable, signal, image):
    F = torch.nn.functional
    conv = torch.nn.Conv1d(3, 4, kernel_size=3, stride=2, padding=1)
    kernel = Variable(torch.randn(4, 1, 3, 3))
    pooled = F.avg_pool2d(F.conv2d(Variable(image), kernel, None, 2, 1, 1, 2), 2)
    return conv(Variable(signal)).pow(2).sum() + (pooled * pooled).mean()


@program((4, 3), (4, 3))
def losses(torch, Variable, x, y):
    F = torch.nn.functional
    x, y = Variable(x), Variable(y, requires_grad=False)
    probability = torch.sigmoid(x)
    return (
        F.mse_loss(x, y)
        + F.l1_loss(x, y)
        + F.smooth_l1_loss(x, y)
        + F.binary_cross_entropy(probability, torch.sigmoid(y))
        + F.softplus(x).mean()
        + F.elu(x).mean()
        + F.leaky_relu(x).mean()
    )


# --- what only 2016 spells so, and what programs do beside computing


@program((2, 3))
def a_function_of_ones_own(torch, Variable, x):
    class StraightThrough(torch.autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x.round()

        def backward(self, grad_output):
            (x,) = self.saved_tensors
            return grad_output * 2 + x * 0

    x = Variable(x)
    (rounded,) = StraightThrough()(x * 3)
    return (rounded * x).sum()


@program((3,), (3,))
def hooks(torch, Variable, x, y):
    x, y = Variable(x), Variable(y)
    z = x * y
    z.register_hook(lambda grad: grad * 10)
    x.register_hook(lambda grad: grad + 1)
    return (z * z).sum()


@program((3,))
def backward_twice(torch, Variable, x):
    x = Variable(x)
    y = (x * x).sum()
    z = (y * 3).exp() * 0.01
    y.backward()
    z.backward()
    z.backward()
    return x.grad


@program((2, 3), (2, 3))
def a_gradient_given(torch, Variable, x, gradient):
    x = Variable(x)
    y = x * x * x
    y.backward(gradient)
    return y, x.grad


@program((2, 3))
def parts_without_gradient(torch, Variable, x):
    x, c = Variable(x), Variable(torch.ones(2, 3), requires_grad=False)
    scale = (c * 3).sum()
    frozen = (x * 2).detach()
    return (x * frozen * c + c).sum() * scale


@program((3,))
def random_numbers(torch, Variable, x):
    torch.manual_seed(7)
    noise = torch.randn(3) + torch.rand(3)
    weight = Variable(torch.zeros(3))
    weight.data.normal_(0, 0.5)
    other = Variable(torch.Tensor(3).uniform_(-1, 1))
    return (Variable(x) * weight + Variable(noise, requires_grad=False) * other).sum(), torch.randperm(5)


@program((4, 2))
def numbers_of_2016(torch, Variable, x):
    x = Variable(x)
    loss = torch.mean(x * x)
    loss.backward()
    total = loss.data[0] * 2 + x.data[0, 1]
    quiet = Variable(x.data, volatile=True) * x
    return total, x.grad.data.sum(), quiet, x.sum(1).size()[1]


@program((5, 3, 2))
def recurrent_layers_in_both_directions(torch, Variable, x):
    # The libraries run the two directions in different orders, so only the layers as a whole can be matched.
    x = Variable(x)
    outputs, (h, c) = torch.nn.LSTM(2, 3, num_layers=2, bidirectional=True)(x)
    others, state = torch.nn.GRU(6, 2, num_layers=2, bidirectional=True)(outputs)
    return (others * others).sum() + h.sum() + (c * c).sum() + state.sum()
