"""The networks of the rows as users of torch wrote them in 2017. This package and modern torch run the same lines."""

from types import SimpleNamespace


def networks(torch):
    """Return the classes below, made of the layers of the module `torch`."""
    nn = torch.nn

    class Flatten(nn.Module):  # before nn.Flatten
        def forward(self, images):
            return images.view(images.size(0), -1)

    class LastStep(nn.Module):
        """A recurrent layer, and a Linear on its last step."""

        def __init__(self, recurrent, width, classes):
            super().__init__()
            self.recurrent, self.linear = recurrent, nn.Linear(width, classes)

        def forward(self, x):
            steps, _ = self.recurrent(x)
            return self.linear(steps[-1])

    class Unrolled(nn.Module):
        """An LSTMCell called for each step, and a Linear on the last."""

        def __init__(self, state, inputs, width, classes):
            super().__init__()
            self.cell, self.linear, self.state = nn.LSTMCell(inputs, width), nn.Linear(width, classes), state

        def forward(self, x):
            h = c = self.state
            for step in range(x.size(0)):
                h, c = self.cell(x[step], (h, c))
            return self.linear(h)

    class Characters(nn.Module):
        """The scores of the next character after each of a text, one step at a time."""

        def __init__(self, state, characters, width):
            super().__init__()
            self.embedding, self.cell = nn.Embedding(characters, width), nn.GRUCell(width, width)
            self.linear, self.state = nn.Linear(width, characters), state

        def forward(self, text):
            h, scores = self.state, []
            for position in range(text.size(0)):
                h = self.cell(self.embedding(text[position]), h)
                scores.append(self.linear(h))
            return torch.cat(scores, 0)

    class MeanOfWords(nn.Module):
        """The mean of the words' vectors, and a score for each word."""

        def __init__(self, words, width):
            super().__init__()
            self.embedding, self.linear = nn.Embedding(words, width), nn.Linear(width, words)

        def forward(self, text):
            return self.linear(self.embedding(text).mean(1).view(text.size(0), -1))

    class ResidualBlock(nn.Module):
        """Two 3x3 convolutions beside the identity, average pooling and a Linear."""

        def __init__(self, channels, size, classes):
            super().__init__()
            self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
            self.bn1 = nn.BatchNorm2d(channels)
            self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
            self.bn2 = nn.BatchNorm2d(channels)
            self.relu, self.pool, self.fc = nn.ReLU(), nn.AvgPool2d(size), nn.Linear(channels, classes)

        def forward(self, x):
            h = self.relu(self.bn1(self.conv1(x)))
            h = self.relu(self.bn2(self.conv2(h)) + x)
            return self.fc(self.pool(h).view(x.size(0), -1))

    class VAE(nn.Module):
        """A variational autoencoder; its noise is given, so that all libraries compute the same."""

        def __init__(self, noise, inputs, hidden, latent):
            super().__init__()
            self.encode, self.mean = nn.Linear(inputs, hidden), nn.Linear(hidden, latent)
            self.log_variance, self.hidden = nn.Linear(hidden, latent), nn.Linear(latent, hidden)
            self.decode, self.noise = nn.Linear(hidden, inputs), noise
            self.relu, self.sigmoid = nn.ReLU(), nn.Sigmoid()

        def forward(self, x):
            h = self.relu(self.encode(x))
            mean, log_variance = self.mean(h), self.log_variance(h)
            z = mean + self.noise * log_variance.mul(0.5).exp()
            return self.sigmoid(self.decode(self.relu(self.hidden(z)))), mean, log_variance

    def evidence(found, x):
        """The loss of the VAE: cross entropy of the pixels and the divergence from the normal distribution."""
        recon, mean, log_variance = found
        divergence = (mean.pow(2) + log_variance.exp() - log_variance - 1).sum() * 0.5
        return nn.functional.binary_cross_entropy(recon, x) + divergence / x.numel()

    def generator(width):
        """DCGAN: noise (N, 64, 1, 1) to images (N, 3, 32, 32)."""
        layers, inputs = [], 64
        for number, outputs in enumerate((4 * width, 2 * width, width)):
            stride, padding = (2, 1) if number else (1, 0)
            layers += [nn.ConvTranspose2d(inputs, outputs, 4, stride=stride, padding=padding, bias=False)]
            layers += [nn.BatchNorm2d(outputs), nn.ReLU(True)]
            inputs = outputs
        return nn.Sequential(*layers, nn.ConvTranspose2d(width, 3, 4, stride=2, padding=1, bias=False), nn.Tanh())

    def discriminator(width):
        """DCGAN: images (N, 3, 32, 32) to probabilities (N, 1, 1, 1)."""
        layers = [nn.Conv2d(3, width, 4, stride=2, padding=1, bias=False), nn.LeakyReLU(0.2, inplace=True)]
        for inputs in (width, 2 * width):
            layers += [nn.Conv2d(inputs, 2 * inputs, 4, stride=2, padding=1, bias=False), nn.BatchNorm2d(2 * inputs)]
            layers += [nn.LeakyReLU(0.2, inplace=True)]
        return nn.Sequential(*layers, nn.Conv2d(4 * width, 1, 4, bias=False), nn.Sigmoid())

    return SimpleNamespace(**locals())
