"""Data sets read the original files and name those that are missing."""

import gzip
import hashlib
import io
import pickle
import struct
import subprocess
import sys
import tarfile

import numpy
import pytest
from installed import needs

import legacy_autograd as torch
from legacy_autograd.compat.torchvision import datasets, transforms
from legacy_autograd.utils.data import DataLoader

needs("PIL")
from PIL import Image  # noqa: E402

GENERATOR = numpy.random.default_rng(0)
IMAGES = GENERATOR.integers(0, 256, (7, 28, 28), numpy.uint8)
LABELS = GENERATOR.integers(0, 10, 7).astype(numpy.uint8)
PHOTOGRAPHS = GENERATOR.integers(0, 256, (6, 3, 32, 32), numpy.uint8)


def idx(array):
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()


def write_mnist(folder, packed=True, part=slice(None)):
    folder.mkdir(parents=True, exist_ok=True)
    for prefix, these in (("train", part), ("t10k", slice(2))):
        for name, array in (("images-idx3", IMAGES), ("labels-idx1", LABELS)):
            content = idx(array[these])
            path = folder / f"{prefix}-{name}-ubyte{'.gz' if packed else ''}"
            path.write_bytes(gzip.compress(content) if packed else content)


# --- MNIST


@pytest.mark.parametrize("place", ["raw", "", "MNIST/raw"])
@pytest.mark.parametrize("packed", [True, False])
def test_mnist_reads_the_files_as_they_are_published(tmp_path, place, packed):
    write_mnist(tmp_path / place, packed)
    train, test = datasets.MNIST(str(tmp_path)), datasets.MNIST(str(tmp_path), train=False, download=True)
    assert (len(train), len(test)) == (7, 2)
    assert train.train_data.type() == "torch.ByteTensor" and train.train_labels.type() == "torch.LongTensor"
    assert (train.train_data.numpy() == IMAGES).all() and test.test_labels.tolist() == LABELS[:2].tolist()
    image, digit = train[3]
    assert (image.mode, image.size, digit) == ("L", (28, 28), LABELS[3]) and type(digit) is int
    assert (numpy.asarray(image) == IMAGES[3]).all()


def test_mnist_gives_what_the_transforms_make_of_it_in_batches(tmp_path):
    write_mnist(tmp_path / "raw")
    steps = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    data = datasets.MNIST(str(tmp_path), transform=steps, target_transform=lambda digit: digit + 1)
    images, digits = next(iter(DataLoader(data, batch_size=4)))
    assert images.type() == "torch.FloatTensor" and images.size() == (4, 1, 28, 28)
    assert abs(images.numpy()[:, 0] - (IMAGES[:4] / 255 - 0.1307) / 0.3081).max() < 1e-6
    assert digits.tolist() == (LABELS[:4].astype(int) + 1).tolist()


def test_mnist_reads_what_torchvision_made_of_the_files(tmp_path):
    (tmp_path / "processed").mkdir()
    made = (torch.from_numpy(IMAGES), torch.LongTensor(LABELS.tolist()))
    torch.save(made, tmp_path / "processed/training.pt")
    data = datasets.MNIST(str(tmp_path))
    assert (data.train_data.numpy() == IMAGES).all() and data[0][1] == LABELS[0]


def test_fashion_mnist_is_read_in_the_same_way_but_for_its_folder(tmp_path):
    write_mnist(tmp_path / "FashionMNIST/raw")
    assert len(datasets.FashionMNIST(str(tmp_path))) == 7
    with pytest.raises(RuntimeError, match="FashionMNIST reads t10k-images"):
        datasets.FashionMNIST(str(tmp_path / "absent"), train=False, download=True)


@pytest.mark.parametrize("download", [False, True])
def test_missing_files_of_mnist_are_named_with_where_to_get_them(tmp_path, download):
    write_mnist(tmp_path / "raw")
    (tmp_path / "raw/train-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(RuntimeError) as caught:
        datasets.MNIST(str(tmp_path), download=download)
    message = str(caught.value)
    for fact in ("train-labels-idx1-ubyte.gz in " + str(tmp_path / "raw"), "nothing is downloaded", "--digits"):
        assert fact in message
    assert "yann.lecun.com" in message and "train-images" not in message


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: b"\0\0\x0d" + content[3:],
        lambda content: content[:3],
        lambda content: b"",
        lambda content: content[:3] + b"\xff" + content[4:],
    ],
)
def test_a_damaged_file_of_mnist_is_named(tmp_path, damage):
    write_mnist(tmp_path, packed=False)
    path = tmp_path / "train-images-idx3-ubyte"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(RuntimeError, match="Dataset corrupted: .*train-images-idx3-ubyte is not a complete IDX file"):
        datasets.MNIST(str(tmp_path))


def test_other_damage_of_mnist_is_named(tmp_path):
    write_mnist(tmp_path)
    path = tmp_path / "train-images-idx3-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(RuntimeError, match="Dataset corrupted: .*train-images-idx3-ubyte.gz: "):
        datasets.MNIST(str(tmp_path))
    write_mnist(tmp_path, part=slice(5))
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(LABELS)))
    with pytest.raises(RuntimeError, match=r"\(5, 28, 28\), .*\(7,\)"):
        datasets.MNIST(str(tmp_path))


def test_a_data_set_of_the_programs_own_reads_as_mnist(tmp_path):
    class Halved(datasets.MNIST):
        def __len__(self):
            return super().__len__() // 2

    write_mnist(tmp_path / "MNIST/raw")
    assert len(Halved(str(tmp_path))) == 3


def test_without_pillow_the_images_are_arrays_and_tensors_come_from_them(tmp_path):
    write_mnist(tmp_path / "raw")
    started = f"""
import sys
sys.modules["PIL"] = None
from legacy_autograd.compat.torchvision import datasets, transforms, utils
image, digit = datasets.MNIST({str(tmp_path)!r})[0]
assert image.shape == (28, 28, 1), image.shape
steps = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])
assert datasets.MNIST({str(tmp_path)!r}, transform=steps)[0][0].size() == (1, 28, 28)
for needing in (transforms.Scale(3), transforms.RandomHorizontalFlip(), transforms.ToPILImage(), transforms.Pad(1),
                lambda image: transforms.ToTensor()("image"), lambda image: utils.save_image(image, "image.png")):
    try:
        needing(image)
    except ImportError as error:
        assert 'needs pillow, which is not installed: pip install "legacy_autograd[vision]"' in str(error)
    else:
        raise SystemExit(str(needing))
"""
    subprocess.run([sys.executable, "-c", started], check=True)


# --- archives


def test_download_url_takes_the_file_or_says_where_to_put_it(tmp_path):
    (tmp_path / "a.zip").write_bytes(b"content")
    assert datasets.utils.download_url("http://x.org/a.zip", str(tmp_path), "a.zip", md5(b"content")) is None
    for name, state in (("a.zip", "a.zip does not have the MD5 sum 00"), ("b.zip", "b.zip is not there")):
        with pytest.raises(RuntimeError, match=f"{state}, and nothing is downloaded; get http://x.org"):
            datasets.utils.download_url("http://x.org/a.zip", str(tmp_path), name, "00")


def batch(images, labels, fine=False):
    """A batch of CIFAR as Python 2 pickled it: protocol 2, arrays and byte strings."""
    content = {b"fine_labels" if fine else b"labels": labels, b"data": images.reshape(len(images), -1)}
    written = pickle.dumps({key.decode(): value for key, value in content.items()}, 2)
    return written.replace(b"numpy._core.multiarray", b"numpy.core.multiarray")


def md5(content):
    return hashlib.md5(content).hexdigest()


@pytest.fixture
def cifar(monkeypatch):
    """The published lists of files replaced by small files; returns their contents."""
    train = [batch(PHOTOGRAPHS[:2], [3, 1]), batch(PHOTOGRAPHS[2:4], [0, 9])]
    test = [batch(PHOTOGRAPHS[4:], [5, 6])]
    rows = [[f"data_batch_{index}", md5(content)] for index, content in enumerate(train, 1)]
    monkeypatch.setattr(datasets.CIFAR10, "train_list", rows)
    monkeypatch.setattr(datasets.CIFAR10, "test_list", [["test_batch", md5(test[0])]])
    return {"data_batch_1": train[0], "data_batch_2": train[1], "test_batch": test[0]}


def write(folder, files):
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def test_cifar_reads_its_batches(tmp_path, cifar):
    write(tmp_path / "cifar-10-batches-py", cifar)
    train, test = datasets.CIFAR10(str(tmp_path)), datasets.CIFAR10(str(tmp_path), train=False)
    assert (len(train), len(test)) == (4, 2)
    assert train.train_data.shape == (4, 32, 32, 3) and train.train_labels == [3, 1, 0, 9]
    image, label = test[1]
    assert (image.mode, image.size, label) == ("RGB", (32, 32), 6)
    assert (numpy.asarray(image) == PHOTOGRAPHS[5].transpose(1, 2, 0)).all()
    tensor, _ = datasets.CIFAR10(str(tmp_path), transform=transforms.ToTensor())[3]
    assert abs(tensor.numpy() - PHOTOGRAPHS[3] / 255).max() < 1e-6


def test_cifar_100_reads_the_fine_labels(tmp_path, monkeypatch):
    content = batch(PHOTOGRAPHS[:3], [99, 0, 7], fine=True)
    monkeypatch.setattr(datasets.CIFAR100, "train_list", [["train", md5(content)]])
    monkeypatch.setattr(datasets.CIFAR100, "test_list", [["test", md5(content)]])
    write(tmp_path / "cifar-100-python", {"train": content, "test": content})
    assert [label for _, label in datasets.CIFAR100(str(tmp_path))] == [99, 0, 7]


def test_an_archive_is_unpacked_where_download_is_asked_for(tmp_path, cifar, monkeypatch):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, content in cifar.items():
            member = tarfile.TarInfo(f"cifar-10-batches-py/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    (tmp_path / "cifar-10-python.tar.gz").write_bytes(made.getvalue())
    with pytest.raises(RuntimeError, match="CIFAR10 reads data_batch_1, data_batch_2, test_batch in .*cifar-10-"):
        datasets.CIFAR10(str(tmp_path))
    with pytest.raises(RuntimeError, match="corrupted: .*cifar-10-python.tar.gz does not have the MD5 sum"):
        datasets.CIFAR10(str(tmp_path), download=True)
    monkeypatch.setattr(datasets.CIFAR10, "tgz_md5", md5(made.getvalue()))
    assert len(datasets.CIFAR10(str(tmp_path), download=True)) == 4


def test_a_changed_batch_is_refused_and_a_hostile_one_runs_nothing(tmp_path, cifar, monkeypatch):
    write(tmp_path / "cifar-10-batches-py", {**cifar, "test_batch": cifar["test_batch"][:-1] + b"!"})
    with pytest.raises(RuntimeError, match="corrupted: .*test_batch does not have the MD5 sum"):
        datasets.CIFAR10(str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setenv("LEGACY_AUTOGRAD_ANY_FILES", "1")  # run --any-files
        assert len(datasets.CIFAR10(str(tmp_path))) == 4
    hostile = b"cos\nsystem\n(S'echo run > " + str(tmp_path / "ran").encode() + b"'\ntR."
    (tmp_path / "cifar-10-batches-py/test_batch").write_bytes(hostile)
    monkeypatch.setattr(datasets.CIFAR10, "test_list", [["test_batch", md5(hostile)]])
    with pytest.raises(pickle.UnpicklingError, match="holds no os.system"):
        datasets.CIFAR10(str(tmp_path), train=False)
    assert not (tmp_path / "ran").exists()


def test_stl10_reads_its_splits(tmp_path, monkeypatch):
    images = GENERATOR.integers(0, 256, (3, 3, 96, 96), numpy.uint8)
    files = {
        "train_X.bin": images[:2].transpose(0, 1, 3, 2).tobytes(),  # column after column
        "train_y.bin": bytes([10, 1]),
        "unlabeled_X.bin": images[2:].transpose(0, 1, 3, 2).tobytes(),
        "class_names.txt": b"airplane\nbird\n",
    }
    write(tmp_path / "stl10_binary", files)
    rows = [[name, md5(content)] for name, content in files.items() if name.endswith(".bin")]
    monkeypatch.setattr(datasets.STL10, "train_list", rows)
    train = datasets.STL10(str(tmp_path))
    image, label = train[0]
    assert (len(train), label, train.classes) == (2, 9, ["airplane", "bird"])
    assert (numpy.asarray(image) == images[0].transpose(1, 2, 0)).all() and train.data.shape == (2, 3, 96, 96)
    assert [label for _, label in datasets.STL10(str(tmp_path), "train+unlabeled")] == [9, 0, -1]
    assert datasets.STL10(str(tmp_path), split="unlabeled")[0][1] is None
    with pytest.raises(RuntimeError, match="STL10 reads test_X.bin, test_y.bin in "):
        datasets.STL10(str(tmp_path), split="test")
    with pytest.raises(ValueError, match="no split 'val'; the splits are train, test"):
        datasets.STL10(str(tmp_path), split="val")


def test_svhn_reads_its_file(tmp_path, monkeypatch):
    needs_scipy = pytest.importorskip("scipy.io")
    path = tmp_path / "test_32x32.mat"
    needs_scipy.savemat(path, {"X": PHOTOGRAPHS.transpose(2, 3, 1, 0), "y": numpy.arange(1, 7, dtype="u1")[:, None]})
    rows = {**datasets.SVHN.split_list, "test": ["http://x.org", path.name, md5(path.read_bytes())]}
    monkeypatch.setattr(datasets.SVHN, "split_list", rows)
    data = datasets.SVHN(str(tmp_path), split="test")
    image, label = data[2]
    assert len(data) == 6 and label.tolist() == [3] and label.dtype == numpy.uint8
    assert (numpy.asarray(image) == PHOTOGRAPHS[2].transpose(1, 2, 0)).all()
    with pytest.raises(RuntimeError, match="SVHN reads train_32x32.mat in .*ufldl.stanford.edu"):
        datasets.SVHN(str(tmp_path), download=True)
    with pytest.raises(ValueError, match="no split 'val'"):
        datasets.SVHN(str(tmp_path), split="val")


# --- folders, and what is left out


def test_image_folder_numbers_the_folders_and_converts_to_rgb(tmp_path):
    for name, mode in (("dog/b.PNG", "L"), ("dog/deep/a.bmp", "RGB"), ("cat/c.png", "RGBA"), ("cat/note.txt", None)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if mode is None:
            path.write_text("not an image")
        else:
            Image.new(mode, (4, 3), 7 if mode == "L" else (7, 7, 7)).save(path)
    data = datasets.ImageFolder(str(tmp_path), transforms.ToTensor(), target_transform=float)
    assert data.classes == ["cat", "dog"] and data.class_to_idx == {"cat": 0, "dog": 1}
    names = ["cat/c.png", "dog/b.PNG", "dog/deep/a.bmp"]
    assert data.imgs == [(str(tmp_path / name), int(name[0] == "d")) for name in names] and len(data) == 3
    image, label = data[1]
    assert image.size() == (3, 3, 4) and abs(image - 7 / 255).max() < 1e-6 and label == 1.0
    assert datasets.ImageFolder(str(tmp_path), loader=len)[0] == (len(data.imgs[0][0]), 0)


def test_a_folder_without_images_is_refused(tmp_path):
    (tmp_path / "cat").mkdir()
    with pytest.raises(RuntimeError, match="Found 0 images in subfolders of"):
        datasets.ImageFolder(str(tmp_path))


@pytest.mark.parametrize("name", ["LSUN", "LSUNClass", "CocoCaptions", "CocoDetection", "PhotoTour"])
def test_what_is_left_out_says_what_to_do(name):
    with pytest.raises(NotImplementedError, match=f"datasets.{name} is not part of legacy_autograd.*ImageFolder"):
        getattr(datasets, name)("root", "other")
