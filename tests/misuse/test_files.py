"""Objects that cannot be saved, files that are not what `load` reads, and places that cannot be written to."""

import io
import json
import os
import pathlib
import pickle
import struct
import threading

import numpy
import pytest
import torch as modern

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import DoubleTensor

from .misuse import gives, leaf, raises

as_root = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "model")


@pytest.fixture
def saved(path):
    """The path of a file with {"a": 1, 2}."""
    torch.save({"a": DoubleTensor([1.0, 2.0])}, path)
    return path


def written(path, content):
    pathlib.Path(path).write_bytes(content)
    return path


def safetensors(path, data, **entries):
    """Write a safetensors file with these entries as its header, whatever they say of `data`."""
    header = json.dumps({name: dict(zip(("dtype", "shape", "data_offsets"), entry)) for name, entry in entries.items()})
    return written(path, struct.pack("<Q", len(header)) + header.encode() + data)


# --- what is saved


@raises(TypeError, "save", "['x'][0]", "MulConstant", "leaf", "data")
def test_save_of_a_result(path):
    torch.save({"x": [leaf(2.0) * 2]}, path)


@raises(TypeError, "save", "function", "state_dict()", "weights_only=False")
def test_save_of_a_function(path):
    torch.save(lambda x: x, path)


@raises(TypeError, "save", "DoubleTensor", "key")
def test_save_of_a_dictionary_with_a_tensor_as_its_key(path):
    torch.save({DoubleTensor([1.0]): 2}, path)


@raises(TypeError, "save", "bytes", "key")
def test_save_of_a_dictionary_with_bytes_as_its_key(path):
    torch.save({b"weight": 2}, path)


@gives(1, 2, 3, 4)
def test_keys_that_look_alike(path):
    keys = (1, "1", (1,), "(1,)")
    torch.save(dict(zip(keys, range(1, 5))), path)
    found = torch.load(path)
    return [found[key] for key in keys]


@gives(1, 2)  # names of tensors in the file are not those of the parts
def test_keys_with_dots(path):
    torch.save({"a": {"b": DoubleTensor([1.0])}, "a.b": DoubleTensor([2.0])}, path)
    found = torch.load(path)
    return found["a"]["b"], found["a.b"]


@gives(7.0)
def test_tensor_with_the_name_of_the_formats_own_entry(path):
    torch.save({"__metadata__": DoubleTensor([7.0])}, path)
    return torch.load(path)["__metadata__"]


@raises(ValueError, "save", "contains itself")
def test_save_of_a_list_that_contains_itself(path):
    loop = []
    loop.append(loop)
    torch.save(loop, path)


@raises(ValueError, "save", "nested too deeply")
def test_save_of_a_list_nested_five_thousand_deep(path):
    nest = []
    for _ in range(5000):
        nest = [nest]
    torch.save(nest, path)


@gives(5.0, 5.0)  # the view is one of the loaded tensor's memory too
def test_tensor_saved_beside_its_own_view(path):
    x = DoubleTensor([1.0, 2.0, 3.0])
    torch.save({"whole": x, "end": x[1:]}, path)
    found = torch.load(path)
    found["whole"].fill_(5)
    return found["end"]


@gives(7.0)  # a state dict shares the memory of its module: what is saved is the weight of now
def test_state_dict_taken_before_the_training(path):
    layer = nn.Linear(1, 1, bias=False)
    state = layer.state_dict()
    layer.weight.data.fill_(7)
    torch.save(state, path)
    return torch.load(path)["weight"]


@gives(1.0, 0.0)  # neither the hook nor the gradient is in the file
def test_variable_saved_with_a_hook_and_a_gradient(path):
    x = leaf(2.0)
    (x * 3).backward()
    x.register_hook(lambda grad: grad * 9)
    torch.save(x, path)
    found = torch.load(path)
    before = found.grad.clone()
    (found * 1).backward()
    return found.grad, before


# --- where it is saved


@gives(1.0, 2.0)
def test_save_over_the_file_it_came_from(saved):
    torch.save(torch.load(saved), saved)
    return torch.load(saved)["a"]


@gives(1.0, 2.0, 1)  # the old file is whole, and nothing lies beside it
def test_save_that_fails_over_a_good_file(saved):
    with pytest.raises(TypeError):
        torch.save({"a": DoubleTensor([9.0]), "b": leaf(1.0) * 2}, saved)
    return torch.load(saved)["a"], len(os.listdir(os.path.dirname(saved)))


@raises(FileNotFoundError, "No such file", "absent/model'", fixed=True)  # named a temporary file
def test_save_into_a_folder_that_is_not_there(tmp_path):
    torch.save(DoubleTensor([1.0]), str(tmp_path / "absent" / "model"))


@raises(IsADirectoryError, "directory", "folder")
def test_save_as_a_folder(tmp_path):
    (tmp_path / "folder").mkdir()
    torch.save(DoubleTensor([1.0]), str(tmp_path / "folder"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@raises(OSError, "No space left", "/dev/full", fixed=True)  # did not say where
def test_save_on_a_full_disk():
    torch.save(torch.ones(100000), "/dev/full")


@pytest.mark.skipif(as_root, reason="root may write everywhere")
@raises(PermissionError, "Permission denied", "model")
def test_save_into_a_folder_of_others(tmp_path):
    tmp_path.chmod(0o500)
    try:
        torch.save(DoubleTensor([1.0]), str(tmp_path / "model"))
    finally:
        tmp_path.chmod(0o700)


@raises(TypeError, "save", "file", "path", "writing", "float", fixed=True)
def test_save_to_a_number():
    torch.save(DoubleTensor([1.0]), 5.5)


@raises(TypeError, "save", "text", "'wb'")
def test_save_to_a_file_that_is_open_for_text(path):
    with open(path, "w") as file:
        torch.save(DoubleTensor([1.0]), file)


@gives(True)  # a concurrent reader finds a complete file
def test_two_threads_save_to_one_name(path):
    def save(number):
        for _ in range(5):
            torch.save({"a": torch.ones(1000) * number}, path)

    threads = [threading.Thread(target=save, args=(number,)) for number in (1, 2)]
    save(0)
    for thread in threads:
        thread.start()
    found = [torch.load(path)["a"].numpy() for _ in range(10)]
    for thread in threads:
        thread.join()
    found.append(torch.load(path)["a"].numpy())
    return all(numbers.min() == numbers.max() for numbers in found)


# --- what is loaded


@raises(ValueError, "load", "model'", "empty")
def test_load_of_an_empty_file(path):
    torch.load(written(path, b""))


@raises(TypeError, "load", "file", "path", "reading", "NoneType", fixed=True)
def test_load_of_none():
    torch.load(None)


@raises(FileNotFoundError, "No such file", "model")
def test_load_of_no_file(path):
    torch.load(path)


@raises(IsADirectoryError, "directory", "folder")
def test_load_of_a_folder(tmp_path):
    (tmp_path / "folder").mkdir()
    torch.load(str(tmp_path / "folder"))


def test_load_of_a_file_cut_off_anywhere(saved):
    content = pathlib.Path(saved).read_bytes()
    for length in range(0, len(content), 7):
        with pytest.raises(ValueError, match="load: .*(cut off|empty|not what save writes)"):
            torch.load(written(saved, content[:length]))


@raises(ValueError, "load", "has 8 bytes more than its header")
def test_load_of_a_file_with_more_behind_it(saved):
    torch.load(written(saved, pathlib.Path(saved).read_bytes() + bytes(8)))


@raises(ValueError, "load", "neither a safetensors file nor a pickle")
def test_load_of_a_text(path):
    torch.load(written(path, b"epoch 1: loss 0.3\n"))


@raises(ValueError, "load", "needs torch.nn.modules.linear.Linear", "weights_only=False")
def test_load_of_a_model_of_modern_torch(path):
    modern.save({"a": modern.nn.Linear(1, 1)}, path)
    torch.load(path)


class _Hostile:
    def __reduce__(self):
        return os.mkdir, ("this-code-has-run",)


@gives(False)
def test_load_of_a_hostile_pickle(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="is a pickle.* can run any code.*weights_only=False"):
        torch.load(written(path, pickle.dumps(_Hostile())))
    return os.path.exists("this-code-has-run")


@raises(ValueError, "load", "is a pickle", "state_dict()")
def test_load_of_a_whole_model_without_trust(path):
    torch.save(nn.Linear(1, 1), path)
    torch.load(path)


@raises(ValueError, "load", "neither a safetensors file")  # and no attempt to have a million terabytes
def test_load_of_a_header_of_a_huge_length(path):
    torch.load(written(path, struct.pack("<Q", 2**60) + b"{}"))


@raises(ValueError, "load", "cut off", "according to its header")
def test_load_of_a_tensor_beyond_the_end(path):
    torch.load(safetensors(path, bytes(16), a=("F64", [2], [0, 160])))


@raises(ValueError, "load", "damaged", "offset")
def test_load_of_tensors_that_overlap(path):
    torch.load(safetensors(path, bytes(24), a=("F64", [2], [0, 16]), b=("F64", [2], [8, 24])))


@raises(ValueError, "load", "'a'", "X9")
def test_load_of_a_type_that_does_not_exist(path):
    torch.load(safetensors(path, bytes(16), a=("X9", [2], [0, 16])))


@gives(1.0, 2.0, 3.0)  # each load reads what one save wrote
def test_several_saves_into_one_stream():
    stream = io.BytesIO()
    torch.save(DoubleTensor([1.0]), stream)
    torch.save(DoubleTensor([2.0, 3.0]), stream)
    stream.seek(0)
    return torch.load(stream), torch.load(stream)


@raises(RuntimeError, "map_location='cuda:0'", "main memory")
def test_load_into_the_memory_of_a_graphics_card(saved):
    torch.load(saved, map_location="cuda:0")


@gives(numpy.nan, numpy.inf, 2.0**100)
def test_numbers_that_json_does_not_have(path):
    torch.save([float("nan"), DoubleTensor([float("inf")]), 2**100], path)
    not_a_number, infinity, large = torch.load(path)
    return not_a_number, infinity, float(large)


# --- resuming


@raises(RuntimeError, "Linear", "weight", "(1, 2)", "(1, 3)", "nothing was loaded")
def test_model_resumed_from_a_smaller_one(path):
    torch.save(nn.Linear(2, 1).state_dict(), path)
    nn.Linear(3, 1).load_state_dict(torch.load(path))


@raises(TypeError, "Linear", "'state'", "Tensor", "dict")
def test_model_resumed_from_an_optimizer(path):
    torch.save(optim.SGD([leaf(1.0)], lr=0.1).state_dict(), path)
    nn.Linear(1, 1).load_state_dict(torch.load(path))


@raises(TypeError, "Linear", "load_state_dict", "dictionary", "str")
def test_model_resumed_from_a_path(saved):
    nn.Linear(1, 1).load_state_dict(saved)


@gives(False)
def test_variable_without_gradient_comes_back_so(path):
    torch.save(Variable(torch.ones(1), requires_grad=False), path)
    return torch.load(path).requires_grad
