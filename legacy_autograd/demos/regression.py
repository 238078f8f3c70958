"""The linear regression of the articles on v0.1.0, with NIST's calibration data of ozone monitors."""

import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable
from legacy_autograd.demos import datasets, progress, save_graph

STEPS = 2000
REPORTS = 8


def run(folder):
    print("Fits y = W x to 36 readings of an ozone monitor against a reference instrument (NIST, dataset Norris).")
    print("The sum of absolute deviations is minimised, without an intercept, in units of 1000, by gradient descent.")
    loss, leaves = train()
    slope = leaves["W"].data[0, 0]
    print(f"slope: {slope:.4f} (NIST's certified least-squares line, which has an intercept: 1.0021)")
    print()
    print("The graph of the last loss, from the loss back to the leaves:")
    drawing.print_graph(loss, params=leaves)
    print()
    save_graph(drawing.make_dot(loss, params=leaves), folder / "regression")
    return 0


def train():
    """Return the last loss, with its graph, and that graph's leaves by name: the trained W, and the data x and y."""
    x, y = (torch.from_numpy(values / 1000).view(1, -1) for values in datasets.load_norris())
    x = Variable(x, requires_grad=False)
    y = Variable(y, requires_grad=False)
    torch.manual_seed(0)
    W = Variable(torch.randn(1, 1), requires_grad=True)

    learning_rate = 0.0002
    for step in range(STEPS):
        y_ = torch.mm(W, x)
        loss = torch.sum(torch.abs(y_ - y))
        loss.backward()
        if step % (STEPS // REPORTS) == 0:
            progress(STEPS, STEPS)
            print(f"  step {step:5}  loss {loss.data[0]:.6f}  W {W.data[0, 0]:.6f}")
        progress(step + 1, STEPS)

        W.data -= W.grad.data * learning_rate
        W.grad.data.zero_()
    return loss, {"W": W, "x": x, "y": y}
