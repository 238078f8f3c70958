import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.demos import datasets

images, digits = datasets.load_digits(8)
x = torch.from_numpy(images).view(-1, 64).float()
y = torch.from_numpy(digits)

torch.manual_seed(0)
network = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
network.float()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(network.parameters(), lr=0.2, momentum=0.9)

for epoch in range(5):
    for start in range(0, 1500, 50):
        batch = Variable(x[start : start + 50])
        target = Variable(y[start : start + 50])
        optimizer.zero_grad()
        loss = criterion(network(batch), target)
        loss.backward()
        optimizer.step()
    found = network(Variable(x[1500:])).data.max(1)[1].view(-1)
    right = (found == y[1500:]).sum()
    print(f"epoch {epoch + 1}: {right} of {len(found)} unseen digits are right")
