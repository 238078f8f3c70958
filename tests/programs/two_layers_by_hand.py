# A network of two layers, without autograd: tensors only.
import torch

torch.manual_seed(0)
dtype = torch.FloatTensor
samples, inputs, hidden, outputs = 32, 20, 15, 5
x = torch.randn(samples, inputs).type(dtype)
y = torch.randn(samples, outputs).type(dtype)
weight1 = torch.randn(inputs, hidden).type(dtype)
weight2 = torch.randn(hidden, outputs).type(dtype)

rate = 2e-4
for t in range(400):
    before = x.mm(weight1)
    after = before.clamp(min=0)
    predicted = after.mm(weight2)
    loss = (predicted - y).pow(2).sum()
    if t % 50 == 0:
        print(t, "loss", loss)

    grad_predicted = 2.0 * (predicted - y)
    grad_weight2 = after.t().mm(grad_predicted)
    grad_before = grad_predicted.mm(weight2.t()).clone()
    grad_before[before < 0] = 0
    grad_weight1 = x.t().mm(grad_before)
    weight1 -= rate * grad_weight1
    weight2 -= rate * grad_weight2
print(t, "loss", loss)
