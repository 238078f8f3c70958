# An autoencoder in the style of the variational one: a noise that is drawn inside forward, and a loss of two parts.
import digits
import torch
from torch import nn, optim
from torch.autograd import Variable
from torch.nn import functional as F

torch.manual_seed(1)
loader = torch.utils.data.DataLoader(digits.Digits(True), batch_size=64, shuffle=True)


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(784, 80)
        self.fc21 = nn.Linear(80, 8)
        self.fc22 = nn.Linear(80, 8)
        self.fc3 = nn.Linear(8, 80)
        self.fc4 = nn.Linear(80, 784)
        self.relu = nn.ReLU()
        self.sigmoid = nn.Sigmoid()

    def reparametrize(self, mu, logvar):
        std = logvar.mul(0.5).exp_()
        eps = torch.FloatTensor(std.size()).normal_()
        return Variable(eps).mul(std).add_(mu)

    def forward(self, x):
        hidden = self.relu(self.fc1(x.view(-1, 784)))
        mu, logvar = self.fc21(hidden), self.fc22(hidden)
        z = self.reparametrize(mu, logvar)
        return self.sigmoid(self.fc4(self.relu(self.fc3(z)))), mu, logvar


model = VAE()
reconstruction_function = nn.BCELoss()
reconstruction_function.size_average = False
optimizer = optim.Adam(model.parameters(), lr=3e-3)


def loss_function(recon_x, x, mu, logvar):
    bce = reconstruction_function(recon_x, x)
    kld = mu.pow(2).add_(logvar.exp()).mul_(-1).add_(1).add_(logvar)
    return bce + torch.sum(kld).mul_(-0.5)


for epoch in range(1, 5):
    train_loss = 0
    for data, _ in loader:
        data = Variable(data)
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data.view(-1, 784), mu, logvar)
        loss.backward()
        train_loss += loss.data[0]
        optimizer.step()
    print("Epoch: {} loss {:.4f}".format(epoch, train_loss / len(loader.dataset)))
sample = model.sigmoid(model.fc4(F.relu(model.fc3(Variable(torch.randn(4, 8))))))
print("sample", sample.size())
