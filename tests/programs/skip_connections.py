# Layers of one's own as programs of 2017 define them: on torch.nn's private bases, with functions of the backend, in
# place, and with parts that stay as they are in training.
import digits
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd
from torch.nn.modules.utils import _pair
from torch.nn.parameter import Parameter

torch.manual_seed(0)
loader = torch.utils.data.DataLoader(digits.Digits(True), batch_size=50, shuffle=True)


class ScaledConv2d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0):
        super(ScaledConv2d, self).__init__(
            in_channels,
            out_channels,
            _pair(kernel_size),
            _pair(stride),
            _pair(padding),
            _pair(1),
            False,
            _pair(0),
            1,
            True,
        )
        self.scale = Parameter(torch.ones(1))

    def forward(self, x):
        weight = self.weight * self.scale.expand_as(self.weight)
        function = self._backend.ConvNd(
            self.stride, self.padding, self.dilation, self.transposed, self.output_padding, self.groups
        )
        return function(x, weight, self.bias)


class FrozenNorm(nn.BatchNorm2d):
    def train(self, mode=True):
        return super(FrozenNorm, self).train(False)


class Skip(nn.Module):
    def __init__(self, channels, inner=None):
        super(Skip, self).__init__()
        down = [nn.LeakyReLU(0.2, True), ScaledConv2d(channels, channels, 4, 2, 1), FrozenNorm(channels)]
        up = [nn.ReLU(True), nn.ConvTranspose2d(2 * channels if inner else channels, channels, 4, 2, 1)]
        self.model = nn.Sequential(*(down + ([inner] if inner else []) + up))

    def forward(self, x):
        return torch.cat([x, self.model(x)], 1)


class Network(nn.Module):
    def __init__(self):
        super(Network, self).__init__()
        self.first = ScaledConv2d(1, 4, 3, padding=1)
        self.skip = Skip(4, Skip(4))
        self.last = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        return self.last(self.skip(self.first(x)))


def initialize(module):
    name = module.__class__.__name__
    if name.find("Conv") != -1:
        module.weight.data.normal_(0.0, 0.1)
    elif isinstance(module, _BatchNorm):
        module.weight.data.fill_(1)


net = Network()
net.apply(initialize)
net.train()
print("modules in training", sum(module.training for module in net.modules()), "of", len(list(net.modules())))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step, (images, labels) in enumerate(loader):
    images = Variable(images.view(-1, 1, 28, 28))
    noisy = F.dropout(images, 0.3, True)
    optimizer.zero_grad()
    loss = net._backend.MSELoss()(net(noisy), images)
    loss.backward()
    nn.utils.clip_grad_norm(net.parameters(), 1)
    optimizer.step()
    if step % 4 == 0:
        print("step %d loss %.4f" % (step, loss.data[0]))
