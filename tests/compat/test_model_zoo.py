"""Published weights come from a folder of the user's; nothing is downloaded."""

import pytest

import legacy_autograd as torch
from legacy_autograd.compat.torchvision import models
from legacy_autograd.utils import model_zoo

URL = "https://download.pytorch.org/models/squeezenet1_1-f364aa15.pth"


def test_the_folder_is_named_by_an_argument_or_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("TORCH_MODEL_ZOO", raising=False)
    for folder in ("argument", "zoo", "home/models"):
        (tmp_path / folder).mkdir(parents=True)
        torch.save({"from": folder}, tmp_path / folder / "a-1234.pth")
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "home"))
    assert model_zoo.load_url("https://x.org/b/a-1234.pth?c=1") == {"from": "home/models"}
    monkeypatch.setenv("TORCH_MODEL_ZOO", str(tmp_path / "zoo"))
    assert model_zoo.load_url("https://x.org/b/a-1234.pth") == {"from": "zoo"}
    assert model_zoo.load_url("http://x.org/a-1234.pth", model_dir=str(tmp_path / "argument")) == {"from": "argument"}


def test_a_model_takes_the_weights_or_says_where_to_put_them(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_MODEL_ZOO", str(tmp_path))
    with pytest.raises(FileNotFoundError) as caught:
        models.squeezenet1_1(pretrained=True)
    for fact in (str(tmp_path / "squeezenet1_1-f364aa15.pth"), "nothing is downloaded", URL, "TORCH_MODEL_ZOO"):
        assert fact in str(caught.value)
    saved = models.squeezenet1_1()
    torch.save(saved.state_dict(), tmp_path / "squeezenet1_1-f364aa15.pth")
    loaded = models.squeezenet1_1(pretrained=True)
    assert all(a.data.equal(b.data) for a, b in zip(saved.parameters(), loaded.parameters()))
