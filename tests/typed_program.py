"""A user's program, which `python -m mypy` checks with the package: the hints accept what is correct and nothing else.

Every `type: ignore` names an error that mypy must find; setup.cfg reports one that is not needed.
"""

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable


class Square(Function):
    def __init__(self, factor: float) -> None:
        self.factor = factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.save_for_backward(x)
        return x * x * self.factor

    def backward(self, grad_output: torch.Tensor) -> torch.Tensor:
        (x,) = self.saved_tensors
        return 2 * self.factor * x * grad_output


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 1)

    def forward(self, x: Variable) -> Variable:
        return self.linear(x).sigmoid()


def correct() -> float:
    x = Variable(torch.randn(2, 3), requires_grad=True)
    values, indices = x.max(1)
    y = (x.exp() + 2 * x - x[0] / 3).view(3, 2).t().clamp(min=0, max=5)
    loss = (y * y).mean() + values.sum() + indices.double().sum() + x.max() + x.add(1).type("torch.DoubleTensor").norm()
    loss.add_(Square(2)(x)[0].sum()).backward(retain_variables=True)
    x.register_hook(lambda grad: grad * 2).remove()
    x.grad.zero_()
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    optimizer.zero_grad()
    torch.nn.BCELoss()(net(x), Variable(torch.ones(2, 1), requires_grad=False)).backward()
    optimizer.step()
    return loss.item() + x.size(0) + x.data.sum()


def incorrect() -> None:
    x = Variable(torch.ones(3))
    x.exponential()  # type: ignore[attr-defined]
    x.clamp(min="0")  # type: ignore[arg-type]
    x.sum(dims=1)  # type: ignore[call-arg]
    Variable([1.0, 2.0])  # type: ignore[arg-type]
    Square(1)(torch.Tensor(3))  # type: ignore[arg-type]
    x.requires_grad = "yes"  # type: ignore[assignment]
