"""LeNet learns handwritten digits: it is trained, tested on unseen digits, drawn, saved and loaded again."""

import importlib.util
import sys
import time

import numpy

import legacy_autograd as torch
from legacy_autograd import drawing, nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.demos import save_graph
from legacy_autograd.demos.datasets import load_digits
from legacy_autograd.demos.networks import LeNet
from legacy_autograd.demos.training_loop import TrainingLoop
from legacy_autograd.utils import data

EPOCHS = 20
HELD_OUT = 360
BATCH = 32


def run(folder):
    try:
        if importlib.util.find_spec("safetensors") is None:
            raise ImportError('the model is saved with safetensors: pip install "legacy_autograd[train]"')
        train, held_out = digits()
    except ImportError as error:
        print(f"demo lenet: {error}", file=sys.stderr)
        return 1
    print(f"LeNet learns {len(train)} handwritten digits of 28x28, moved by up to {Moved.MOST} pixels each time,")
    print(f"in {EPOCHS} epochs, and is tested on {len(held_out)} held-out digits.")
    began = time.perf_counter()
    trainer = fit(train, held_out)
    accuracy = trainer.history[-1]["accuracy"]
    seconds = time.perf_counter() - began
    print(f"{accuracy:.1%} of the held-out digits are classified correctly, after {seconds:.0f} seconds.")
    print()
    plot(trainer.history, folder)
    draw(trainer.model, held_out, folder)
    return 0 if same_predictions_after_loading(trainer.model, held_out, folder) else 1


class Moved(data.Dataset):
    """Images shifted by up to MOST pixels in both directions, at random each time, with white at the edges."""

    MOST = 2

    def __init__(self, images, digits):
        edge = ((0, 0), (0, 0), (self.MOST, self.MOST), (self.MOST, self.MOST))
        self.images = torch.from_numpy(numpy.pad(images, edge))
        self.digits = digits
        self.size = images.shape[-1]

    def __len__(self):
        return len(self.digits)

    def __getitem__(self, index):
        row, column = torch.LongTensor(2).random_(2 * self.MOST + 1).tolist()
        return self.images[index, :, row : row + self.size, column : column + self.size], int(self.digits[index])


def digits(seed=0):
    """Return the training and the held-out digits, as datasets."""
    torch.manual_seed(seed)
    images, labels = load_digits()
    images = images.astype("float32")
    order = torch.randperm(len(labels)).numpy()
    learn, held_out = order[HELD_OUT:], order[:HELD_OUT]
    test = data.TensorDataset(torch.from_numpy(images[held_out]), torch.from_numpy(labels[held_out]))
    return Moved(images[learn], labels[learn]), test


def fit(train, held_out):
    """Return a TrainingLoop that has trained a LeNet on `train`."""
    model = LeNet().float()
    optimizer = optim.Adam(model.parameters(), lr=4e-3)
    schedule = optim.lr_scheduler.ExponentialLR(optimizer, 0.85)
    trainer = TrainingLoop(model, nn.CrossEntropyLoss(), optimizer, schedule, callback=report)
    trainer.fit(data.DataLoader(train, BATCH, shuffle=True), EPOCHS, data.DataLoader(held_out, HELD_OUT))
    return trainer


def report(trainer):
    """Print the progress after an epoch."""
    last = trainer.history[-1]
    print(f"  epoch {last['epoch']:2}  loss {last['loss']:.4f}  held out: loss {last['held_out_loss']:.4f}", end="")
    print(f"  accuracy {last['accuracy']:.1%}", flush=True)


def plot(history, folder):
    """Plot both losses over the epochs, if matplotlib is installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print(
            'The loss is not plotted, because matplotlib is missing: pip install "legacy_autograd[train]"',
            file=sys.stderr,
        )
        return
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    epochs = [entry["epoch"] for entry in history]
    axes.semilogy(epochs, [entry["loss"] for entry in history], marker=".", label="while learning, digits moved")
    axes.semilogy(epochs, [entry["held_out_loss"] for entry in history], marker=".", label="held out")
    axes.set(xlabel="epoch", ylabel="cross-entropy", xticks=epochs[::2])
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / "lenet_loss.png", dpi=150)
    print(f"The loss is plotted in {folder / 'lenet_loss.png'}.")


def draw(model, held_out, folder):
    """Draw the graph of one loss, each layer as one node, as DOT and, if Graphviz is available, as SVG."""
    image, digit = [Variable(part, requires_grad=False) for part in next(iter(data.DataLoader(held_out)))]
    with drawing.record():
        loss = nn.CrossEntropyLoss()(model(image), digit)
    leaves = {"image": image, "digit": digit, **dict(model.named_parameters())}
    graph = drawing.make_dot(loss, params=leaves, fold="modules")
    save_graph(graph, folder / "lenet", "The graph, each layer as one node,")


def same_predictions_after_loading(model, held_out, folder):
    """Save the model, load it into another one, and return whether both give the same scores."""
    path = folder / "lenet.safetensors"
    torch.save(model.state_dict(), path)
    again = LeNet().float()
    again.load_state_dict(torch.load(path))
    scores = [predicted(one, held_out) for one in (model, again)]
    same = bool((scores[0] == scores[1]).all())
    print(
        f"The model is saved in {path}; loaded again it gives {'the same' if same else 'OTHER'} scores for all digits."
    )
    return same


def predicted(model, held_out):
    """Return the model's scores for all held-out digits, as an array."""
    images, _ = held_out.tensors
    model.eval()
    return model(Variable(images, volatile=True)).data.numpy()
