"""The names that a pickle of torch may use for tensors, and the functions for them (2016: `torch/_utils.py`).

`Builders` has one method for each function of torch that a pickle of tensors calls. Both unpicklers use it: the
restricted one, which accepts no other names, and the one for trusted files.
"""

import collections

from ..autograd.later.copying import set_state
from ..autograd.variable import Variable
from ..nn.parameter import Parameter
from ..tensor import Size, Tensor
from .torch_storages import Damaged


class Builders:
    """The functions that pickles call, over the TorchStorages of one file. `trusted`: whether hooks (code) are kept."""

    def __init__(self, storages, trusted=False):
        self.storages = storages
        self.trusted = trusted
        self.functions = {
            "torch._utils._rebuild_tensor": self.rebuild_tensor,
            "torch._utils._rebuild_tensor_v2": self.rebuild_tensor_v2,
            "torch._utils._rebuild_parameter": self.rebuild_parameter,
        }

    def rebuild_tensor(self, storage, offset, size, stride):
        """Return a Tensor (v0.1.2 to v0.3)."""
        return self.storages.tensor(storage, offset, size, stride)

    def rebuild_tensor_v2(self, storage, offset, size, stride, requires_grad, hooks, metadata=None):
        """Return a Tensor, or a Variable if it requires a gradient (since v0.4, where tensors are Variables)."""
        tensor = self.storages.tensor(storage, offset, size, stride)
        if not requires_grad and not hooks:
            return tensor
        return self.variable(Variable, tensor, requires_grad, hooks)

    def rebuild_parameter(self, data, requires_grad, hooks):
        """Return a Parameter (since v0.4)."""
        return self.variable(Parameter, data.data if isinstance(data, Variable) else data, requires_grad, hooks)

    def variable(self, kind, data, requires_grad=False, hooks=None):
        """Return a Variable or Parameter over the Tensor `data`."""
        if isinstance(data, Variable):
            data = data.data
        if not isinstance(data, Tensor) or type(requires_grad) is not bool:
            raise Damaged(f"a {kind.__name__} has a {type(data).__name__} instead of a tensor, or no requires_grad")
        variable = kind.__new__(kind)
        self.build(variable, (data, None, hooks, requires_grad, False))
        return variable

    def build(self, variable, state):
        """Apply the state of a Variable in a pickle. Raise Damaged if it is invalid, or has hooks without trust."""
        if type(state) is not tuple or len(state) not in (3, 5):
            raise Damaged(f"a {type(variable).__name__} has an invalid state")
        data, _, hooks, requires_grad, volatile = state if len(state) == 5 else (None, None, state[2], *state[:2])
        if not (data is None or isinstance(data, Tensor)) or type(requires_grad) is not bool:
            raise Damaged(f"a {type(variable).__name__} has an invalid state")
        if hooks is not None and (hooks and not self.trusted or not isinstance(hooks, dict)):
            raise Damaged(f"a {type(variable).__name__} has hooks, which are functions and need trust")
        try:
            set_state(variable, (data, None, hooks, requires_grad, bool(volatile)) if len(state) == 5 else state)
        except (ValueError, RuntimeError, TypeError) as error:  # for example for integers that require a gradient
            raise Damaged(str(error)) from None


def ordered_dict(*pairs):
    """Return an OrderedDict. Python 2 pickled its pairs as lists."""
    if len(pairs) > 1 or pairs and type(pairs[0]) is not list:
        raise Damaged("an OrderedDict is made of a list of pairs")
    for pair in pairs[0] if pairs else ():
        if type(pair) not in (list, tuple) or len(pair) != 2:
            raise Damaged("an OrderedDict is made of pairs")
        check_key(pair[0])
    return collections.OrderedDict(*pairs)


def counter(counts):
    """Return a Counter, in which learning rate schedules keep their milestones."""
    if type(counts) is not dict or any([type(number) is not int for number in counts.values()]):
        raise Damaged("a Counter is made of numbers")
    return collections.Counter(counts)


def size(sizes=()):
    """Return a Size."""
    if type(sizes) not in (tuple, list) or any([type(number) is not int for number in sizes]):
        raise Damaged("a Size is made of integers")
    return Size(sizes)


def encode(letters, encoding="latin1"):
    """Return bytes, which protocol 2 pickles as text."""
    if type(letters) is not str or encoding not in ("latin1", "latin-1"):
        raise Damaged("its bytes are not stored as latin1 text")
    try:
        return letters.encode("latin1")
    except UnicodeEncodeError:
        raise Damaged("its bytes are not stored as latin1 text") from None


FUNCTIONS = {
    "collections.OrderedDict": ordered_dict,
    "collections.Counter": counter,
    "torch.Size": size,
    "_codecs.encode": encode,
}
VARIABLES = {
    "torch.autograd.variable.Variable": Variable,
    "torch.autograd.Variable": Variable,
    "torch.nn.parameter.Parameter": Parameter,
    "torch.nn.modules.module.Parameter": Parameter,
}
_PLAIN = (str, int, float, bool, bytes, type(None))


def check_key(key):
    """Raise Damaged for a key that is neither plain nor a flat tuple: hashing nested tuples may never end."""
    if type(key) not in _PLAIN and not (type(key) is tuple and all([type(part) in _PLAIN for part in key])):
        raise Damaged(f"a {type(key).__name__} is a key")
