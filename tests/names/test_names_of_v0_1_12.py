"""Every public name of v0.1.12 is there under `run`, or in the list of those left out with a reason."""

import json
import multiprocessing
import pathlib
import re
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = tomllib.loads(pathlib.Path(__file__).with_name("v0_1_12.toml").read_text(encoding="utf-8"))
LEFT_OUT = tomllib.loads((ROOT / "tools" / "old_suites.toml").read_text(encoding="utf-8"))["names_left_out"]

PROGRAM = """
import importlib, json, sys
import torch

instances = {
    "torch.Tensor": torch.ones(2),
    "torch.Storage": torch.ones(2).storage(),
    "torch.Generator": torch.default_generator,
    "torch.autograd.Variable": torch.autograd.Variable(torch.ones(2)),
    "torch.autograd.Function": torch.autograd.Function(),
    "torch.nn.Module": torch.nn.Module(),
    "torch.optim.Optimizer": torch.optim.SGD([torch.autograd.Variable(torch.ones(2), requires_grad=True)], lr=1),
}

def missing(owner, names):
    found = instances[owner] if owner in instances else importlib.import_module(owner)
    for name in names:
        try:
            getattr(found, name)
        except AttributeError:
            try:
                importlib.import_module(f"{owner}.{name}")
            except ImportError:
                yield f"{owner}.{name}"

wanted = json.load(open(sys.argv[1]))
print(json.dumps([name for owner, names in wanted.items() for name in missing(owner, names)]))
"""


def test_every_name_is_there_or_left_out_with_a_reason(program, tmp_path):
    wanted = {owner: names.split() for owner, names in NAMES.items()}
    wanted["torch.multiprocessing"] = [*wanted["torch.multiprocessing"], *multiprocessing.__all__]
    assert sum(map(len, wanted.values())) > 850
    path = tmp_path / "wanted.json"
    path.write_text(json.dumps(wanted), encoding="utf-8")
    result = program(PROGRAM, path)
    assert result.returncode == 0, result.stderr
    missing = set(json.loads(result.stdout))
    listed = {name for name in LEFT_OUT if name.rpartition(".")[0] in wanted}
    assert missing == listed


def test_every_reason_is_a_sentence():
    for name, reason in LEFT_OUT.items():
        assert re.fullmatch(r"torch\.[\w.]+", name) and len(reason.split()) > 3, name
