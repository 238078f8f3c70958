# The same network: autograd finds the gradients, once through a Function of the program's own.
import torch
from torch.autograd import Function, Variable


class Rectifier(Function):
    def forward(self, input):
        self.save_for_backward(input)
        return input.clamp(min=0)

    def backward(self, grad_output):
        (input,) = self.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input


def train(activation):
    torch.manual_seed(0)
    x = Variable(torch.randn(32, 20), requires_grad=False)
    y = Variable(torch.randn(32, 5), requires_grad=False)
    weight1 = Variable(torch.randn(20, 15), requires_grad=True)
    weight2 = Variable(torch.randn(15, 5), requires_grad=True)
    for t in range(400):
        loss = (activation(x.mm(weight1)).mm(weight2) - y).pow(2).sum()
        if t % 50 == 0:
            print(t, "loss", loss.data[0])
        loss.backward()
        for weight in (weight1, weight2):
            weight.data -= 2e-4 * weight.grad.data
            weight.grad.data.zero_()
    print(t, "loss", loss.data[0])
    return weight1.data


by_method = train(lambda x: x.clamp(min=0))
by_function = train(lambda x: Rectifier()(x))
print("difference", (by_method - by_function).abs().max())
