"""Small programs that draw random numbers, for both worlds: each takes (torch, Variable) and returns what it drew."""

PROGRAMS = {}  # {name: program}


def program(function):
    """Register a program that returns tensors, Variables or lists of numbers."""
    PROGRAMS[function.__name__] = function
    return function


def initialiser(name, *arguments, size=(4, 6), **keywords):
    """Register a program for `nn.init.<name>` and one for its name with an underscore."""

    def called(suffix):
        def fill(torch, Variable):
            init = getattr(torch.nn.init, name + suffix)
            weight, parameter = torch.Tensor(*size), Variable(torch.Tensor(*size))
            results = init(weight, *arguments, **keywords), init(parameter, *arguments, **keywords)
            assert results[0] is weight and results[1] is parameter
            return parameter * parameter, weight

        return fill

    PROGRAMS[f"init_{name}"], PROGRAMS[f"init_{name}_"] = called(""), called("_")


# --- initialisers

initialiser("uniform", -2, 3)
initialiser("normal", 1, std=0.3)
initialiser("constant", 0.25)
initialiser("ones")
initialiser("zeros")
initialiser("eye")
initialiser("dirac", size=(3, 2, 5))
initialiser("xavier_uniform", gain=2)
initialiser("xavier_normal", size=(4, 2, 3, 3))
initialiser("kaiming_uniform", a=0.1, mode="fan_out")
initialiser("kaiming_normal", 0.2)
initialiser("orthogonal", gain=1.5)
initialiser("orthogonal", size=(7, 2, 2))
initialiser("sparse", sparsity=0.4, std=0.5)


@program
def init_of_every_parameter(torch, Variable):
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))

    def draw(module):
        if isinstance(module, torch.nn.Linear):
            torch.nn.init.xavier_normal(module.weight)
            module.bias.data.normal_(0, 0.1)

    model.apply(draw)
    return model(Variable(torch.randn(5, 3))), model


@program
def init_again_by_reset_parameters(torch, Variable):
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    convolution, recurrent = torch.nn.Conv2d(2, 3, 3), torch.nn.GRU(2, 3)
    for module in (*model, convolution, recurrent):
        module.reset_parameters()
    return model(Variable(torch.randn(5, 3))), model, convolution, recurrent


# --- random functions


@program
def rand(torch, Variable):
    return torch.rand(2, 3), torch.rand(torch.ones(2, 2).size())


@program
def randn(torch, Variable):
    x = Variable(torch.randn(2, 3))
    return x * x, torch.randn([4])


@program
def rand_into_a_tensor(torch, Variable):
    x, y, order = torch.ones(2, 3), torch.Tensor(), torch.LongTensor()
    results = torch.rand(2, 3, out=x), torch.randn(3, out=y), torch.randperm(4, out=order)
    assert results[0] is x and results[1] is y and results[2] is order
    return x, y, order


@program
def randperm(torch, Variable):
    return torch.randperm(9)


@program
def normal(torch, Variable):
    means = torch.rand(4)
    return torch.normal(means, 0.5), torch.normal(means, means + 1), torch.normal(std=means)


@program
def bernoulli(torch, Variable):
    p = torch.rand(20)
    return torch.bernoulli(p), p.bernoulli()


@program
def multinomial(torch, Variable):
    weights = torch.rand(3, 6)
    return torch.multinomial(weights, 2), weights.multinomial(9, True), weights[0].multinomial(3)


@program
def uniform_(torch, Variable):
    return torch.Tensor(3, 2).uniform_(), torch.Tensor(3).uniform_(-1, 1), torch.zeros(2).new(4).uniform_(2, 3)


@program
def normal_(torch, Variable):
    x = Variable(torch.zeros(3, 4))
    x.data.normal_(1, 0.1)
    x.data[0].normal_()
    x.data.t().normal_(std=2)
    return (x * x).sum(), x


@program
def bernoulli_(torch, Variable):
    return torch.Tensor(9).bernoulli_(), torch.ByteTensor(9).bernoulli_(0.2), torch.Tensor(3).bernoulli_(torch.rand(3))


@program
def random_(torch, Variable):
    return torch.LongTensor(5).random_(10), torch.Tensor(5).random_(3, 8), torch.IntTensor(5).random_()


@program
def exponential_(torch, Variable):
    return torch.Tensor(5).exponential_(), torch.Tensor(5).exponential_(3)


@program
def geometric_(torch, Variable):
    return torch.Tensor(5).geometric_(0.3), torch.LongTensor(5).geometric_(0.1)


@program
def cauchy_(torch, Variable):
    return torch.Tensor(5).cauchy_(), torch.Tensor(5).cauchy_(1, 2)


@program
def log_normal_(torch, Variable):
    return torch.Tensor(5).log_normal_(), torch.Tensor(5).log_normal_(0, 0.5)


@program
def numbers_for_a_variable(torch, Variable):
    x = Variable(torch.rand(6), requires_grad=False)
    x.data.uniform_(0.2, 0.8)
    return x.bernoulli(), x.multinomial(3)


@program
def a_generator(torch, Variable):
    g = torch.Generator()
    g.manual_seed(3)
    state = g.get_state()
    drawn = torch.Tensor(4).normal_(generator=g), torch.randn(g, 2), torch.rand(2, generator=g)
    g.set_state(state)
    assert g.initial_seed() == 3
    return *drawn, torch.Tensor(4).normal_(generator=g), torch.rand(torch.default_generator, 2)


@program
def a_generator_that_the_system_seeds(torch, Variable):
    g = torch.Generator()
    seeds = g.initial_seed() % 2**20, g.seed() % 2**20, torch.seed() % 2**20, torch.initial_seed() % 2**20
    return torch.Tensor(4).normal_(generator=g), torch.rand(2), seeds


@program
def seeds_and_states(torch, Variable):
    torch.manual_seed(5)
    state = torch.get_rng_state()
    first = torch.randn(3)
    torch.set_rng_state(state)
    return first, torch.randn(3), torch.initial_seed()


# --- layers


@program
def dropout(torch, Variable):
    x = Variable(torch.ones(4, 5))
    F = torch.nn.functional
    return F.dropout(x, training=True), F.dropout(x, 0.2, True), F.dropout(input=x, p=0.7, training=True)


@program
def dropout_of_channels(torch, Variable):
    image, volume = Variable(torch.ones(3, 4, 2, 2)), Variable(torch.ones(3, 4, 2, 2, 2))
    F = torch.nn.functional
    return F.dropout2d(image, 0.4, True), F.dropout3d(volume, 0.6, True)


@program
def dropout_layers(torch, Variable):
    image = Variable(torch.randn(3, 4, 2, 2))
    model = torch.nn.Sequential(torch.nn.Dropout2d(), torch.nn.ReLU(), torch.nn.Dropout(0.3))
    first = model(image)
    model.eval()
    return first, model(image), torch.nn.Dropout3d(0.1)(Variable(torch.ones(2, 9, 1, 1, 1)))


@program
def dropout_in_place(torch, Variable):
    x = Variable(torch.ones(30))
    y = x * 2
    z = torch.nn.Dropout(0.5, inplace=True)(y)
    return z * z


@program
def randomised_leaky_rectifiers(torch, Variable):
    x = Variable(torch.randn(6, 5))
    layer = torch.nn.RReLU(0.1, 0.9)
    first = layer(x)
    layer.eval()
    return first, torch.nn.functional.rrelu(x, training=True), layer(x), torch.nn.functional.rrelu(x)


@program
def fractional_pooling(torch, Variable):
    x = Variable(torch.randn(2, 3, 9, 9))
    F = torch.nn.functional
    return torch.nn.FractionalMaxPool2d(2, output_size=4)(x), F.fractional_max_pool2d(x, 3, output_ratio=(0.5, 0.5))


@program
def recurrent_layers_with_dropout(torch, Variable):
    x = Variable(torch.randn(4, 3, 2))
    layers = [
        torch.nn.LSTM(2, 3, num_layers=3, dropout=0.5),
        torch.nn.GRU(2, 3, num_layers=2, dropout=0.4, batch_first=True, bidirectional=True),
        torch.nn.RNN(2, 3, num_layers=2, dropout=0.3, bias=False),
    ]
    outputs = [layer(x) for layer in layers]
    layers[0].eval()
    return [output for output, _ in [*outputs, layers[0](x)]], [outputs[0][1], outputs[1][1]]


@program
def packed_sequences_with_dropout(torch, Variable):
    rnn = torch.nn.utils.rnn
    packed = rnn.pack_padded_sequence(Variable(torch.randn(4, 3, 2)), [4, 3, 1])
    output, (h, c) = torch.nn.LSTM(2, 3, num_layers=2, dropout=0.5, bidirectional=True)(packed)
    return rnn.pad_packed_sequence(output)[0], h, c


@program
def new_modules(torch, Variable):
    nn = torch.nn
    modules = nn.Linear(3, 2), nn.Conv2d(2, 3, 3), nn.Embedding(5, 2), nn.LSTM(2, 2), nn.Bilinear(2, 3, 2)
    return torch.randn(2), *modules


# --- orders of samples


def loader(torch, *arguments, **keywords):
    data = torch.utils.data
    return data.DataLoader(data.TensorDataset(torch.range(1, 10), torch.randn(10)), *arguments, **keywords)


@program
def a_shuffled_loader(torch, Variable):
    batches = loader(torch, batch_size=3, shuffle=True)
    return [list(batch) for epoch in range(2) for batch in batches], torch.rand(2)


@program
def a_loader_in_order(torch, Variable):
    return [(*batch, torch.rand(1)) for batch in loader(torch, batch_size=4)]


@program
def samplers(torch, Variable):
    s = torch.utils.data.sampler
    orders = s.RandomSampler(range(9)), s.SubsetRandomSampler([3, 5, 8, 1]), s.WeightedRandomSampler([1, 2, 3, 4], 7)
    weighted = loader(torch, batch_size=2, sampler=s.WeightedRandomSampler([0.1] * 9 + [5], 6))
    return [list(order) for order in orders], [batch[0] for batch in weighted]


@program
def a_data_set_that_draws(torch, Variable):
    class Noisy(torch.utils.data.Dataset):
        def __len__(self):
            return 6

        def __getitem__(self, number):
            return torch.randn(2) + number

    return list(torch.utils.data.DataLoader(Noisy(), batch_size=2, shuffle=True))


@program
def a_random_split(torch, Variable):
    parts = torch.utils.data.random_split(list(range(10)), [7, 3])
    return [[part[i] for i in range(len(part))] for part in parts]


@program
def python_and_numpy(torch, Variable):
    import random

    import numpy

    order = list(range(9))
    random.shuffle(order)
    return order, numpy.random.randn(3), random.random(), numpy.random.permutation(5)


@program
def python_and_numpy_that_the_system_seeds(torch, Variable):
    import os
    import random
    import uuid

    import numpy

    numpy.random.seed()
    random.seed()
    drawn = random.random(), numpy.random.rand(), random.Random().random(), random.SystemRandom().random()
    own = numpy.random.default_rng().random(), numpy.random.RandomState().rand()
    return drawn, own, list(os.urandom(4)), uuid.uuid4().int % 2**20


@program
def noise_in_a_hook(torch, Variable):
    x = Variable(torch.ones(4), requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: grad * float(torch.rand(1)[0]))
    z = (y * y).sum()
    z.backward()
    return z, torch.rand(1)
