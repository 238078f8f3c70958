# Small things that programs did: a hook that looks at a gradient, layers frozen, groups with learning rates of their
# own, a whole network saved, a loader read by next(), weights set by apply.
import os
import sys
import tempfile
import torch
import torch.nn as nn
import torch.utils.data as Data
from torch.autograd import Variable

torch.manual_seed(1)
x = torch.unsqueeze(torch.linspace(-1, 1, 100), dim=1)
y = x.pow(2) + 0.1 * torch.rand(x.size())
loader = Data.DataLoader(
    dataset=Data.TensorDataset(data_tensor=x, target_tensor=y), batch_size=25, shuffle=True, num_workers=2
)
batch_x, batch_y = iter(loader).next()
print("batch", batch_x.size(), batch_y.size())


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        m.weight.data.normal_(0.0, 0.5)
        m.bias.data.fill_(0)


net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
net.apply(weights_init)
for param in net[2].parameters():
    param.requires_grad = False
frozen = net[2].weight.data.clone()
optimizer = torch.optim.SGD(
    [{"params": net[0].parameters(), "lr": 0.05}, {"params": net[4].parameters()}], lr=0.1, momentum=0.5
)

norms = []
for epoch in range(40):
    for batch_x, batch_y in loader:
        prediction = net(Variable(batch_x))
        prediction.register_hook(lambda grad: norms.append(grad.data.norm()))
        loss = nn.MSELoss()(prediction, Variable(batch_y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 10 == 0:
        for group in optimizer.param_groups:
            group["lr"] *= 0.7
        print("epoch %d loss %.5f" % (epoch, loss.data[0]))
print("epoch %d loss %.5f" % (epoch, loss.data[0]))
print("gradients seen", len(norms), "frozen moved by", (net[2].weight.data - frozen).abs().max())

path = os.path.join(tempfile.mkdtemp(), "net.pkl")
torch.save(net, path)
again = torch.load(path)
print("loaded again: difference", (again(Variable(x)).data - net(Variable(x)).data).abs().max())
sys.exit(0)
