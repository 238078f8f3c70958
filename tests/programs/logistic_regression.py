# One Linear layer, scikit-learn's measurements of flowers, and a data set of two tensors by its names of the time.
import torch
import torch.nn as nn
import torch.utils.data as Data
from sklearn.datasets import load_iris
from torch.autograd import Variable

torch.manual_seed(3)
measures, kinds = load_iris(return_X_y=True)
x = torch.from_numpy(measures).float()
x = (x - x.mean(0).expand_as(x)) / x.std(0).expand_as(x)
y = torch.from_numpy(kinds)
order = torch.randperm(150)
train = Data.TensorDataset(data_tensor=x[order[:120]], target_tensor=y[order[:120]])
test = Data.TensorDataset(data_tensor=x[order[120:]], target_tensor=y[order[120:]])
loader = Data.DataLoader(dataset=train, batch_size=20, shuffle=True)

model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(30):
    for i, (measured, kind) in enumerate(loader):
        measured, kind = Variable(measured), Variable(kind)
        optimizer.zero_grad()
        loss = criterion(model(measured), kind)
        loss.backward()
        optimizer.step()
    print("Epoch [%d/%d] loss %.4f" % (epoch + 1, 30, loss.data[0]))

correct = 0
total = 0
for measured, kind in Data.DataLoader(test, batch_size=10):
    _, predicted = torch.max(model(Variable(measured)).data, 1)
    total += kind.size(0)
    correct += (predicted.view(-1) == kind).sum()
print("accuracy %.3f" % (float(correct) / total))
