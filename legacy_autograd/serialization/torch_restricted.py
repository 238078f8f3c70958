"""`RestrictedUnpickler`: opens a pickle of tensors without executing any of it (`weights_only=True`, v1.13).

Python's unpickler imports what a pickle names, and calls it. This one interprets the pickle's opcodes itself. It
accepts only the names that tensors, Variables and containers need (`torch_globals.py`), and refuses every other name or
opcode. `pickletools` of the standard library decodes the pickle.
"""

import collections
import contextlib
import pickle
import pickletools
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING

from ..autograd.variable import Variable
from ..nn.parameter import Parameter
from ..tensor import Size, Storage, Tensor
from .torch_globals import FUNCTIONS, VARIABLES, check_key
from .torch_storages import TYPES, Damaged, StorageType

_MOST_DIGITS = 1000  # bytes of an integer: longer ones take too long to print


class NotAllowed(Exception):
    """The name of something in the pickle that only a trusted file may have."""


class _Name(str):
    """A global that may be called, between its name and the call."""


_MARK = object()
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_NUMBERS_AND_TEXTS = frozenset(
    """BININT BININT1 BININT2 LONG1 LONG4 BINFLOAT BINUNICODE SHORT_BINUNICODE BINUNICODE8 SHORT_BINSTRING BINSTRING
    SHORT_BINBYTES BINBYTES BINBYTES8""".split()
)
_CONTAINERS = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_ALLOWED = frozenset(
    [dict, collections.OrderedDict, collections.Counter, list, tuple, Size, str, bytes, int, float, bool, type(None)]
)


class RestrictedUnpickler:
    """Interprets one pickle. `persistent_load(id)` returns storages. Raises Damaged and NotAllowed."""

    def __init__(self, builders, persistent_load):
        self.builders = builders
        self.persistent_load = persistent_load
        self.stack = []
        self.memo = {}
        self.bare = {}  # {id: Variable} of Variables whose data follows with BUILD

    def load(self, stream):
        """Return the object whose pickle begins in `stream`, and leave the stream at the end of the pickle."""
        try:
            for opcode, argument, _ in pickletools.genops(stream):
                if opcode.name == "STOP":
                    return self.checked(self.pop())
                self.apply(opcode.name, argument)
        except (IndexError, KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
            raise Damaged(f"its pickle is not one that torch writes ({type(error).__name__}: {error})") from None
        raise Damaged("its pickle has no end")

    def pop(self):
        value = self.stack.pop()
        if value is _MARK:
            raise Damaged("its pickle takes more from its stack than it put there")
        return value

    def to_mark(self):
        """Remove and return the part of the stack above the last mark."""
        for position in range(len(self.stack) - 1, -1, -1):
            if self.stack[position] is _MARK:
                items = self.stack[position + 1 :]
                del self.stack[position:]
                return items
        raise Damaged("its pickle takes more from its stack than it put there")

    def apply(self, name, argument):
        """Execute one opcode."""
        stack = self.stack
        if name in _NUMBERS_AND_TEXTS:
            if type(argument) is int and argument.bit_length() > 8 * _MOST_DIGITS:
                raise Damaged(f"it has an integer of {argument.bit_length()} bits")
            if name.endswith("BINSTRING"):  # a str of Python 2, which pickletools decodes as latin-1
                with contextlib.suppress(UnicodeDecodeError):
                    argument = argument.encode("latin-1").decode("utf-8")
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _CONTAINERS:
            stack.append(_CONTAINERS[name]())
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(self.memo[argument])
        elif name in ("BINPUT", "LONG_BINPUT", "MEMOIZE"):
            if stack[-1] is _MARK:
                raise Damaged("its pickle keeps a mark")
            self.memo[len(self.memo) if argument is None else argument] = stack[-1]
        elif name == "MARK":
            stack.append(_MARK)
        elif name == "TUPLE":
            stack.append(tuple(self.to_mark()))
        elif name in _TUPLES:
            stack.append(tuple([self.pop() for _ in range(_TUPLES[name])][::-1]))
        elif name in ("APPEND", "APPENDS"):
            items = [self.pop()] if name == "APPEND" else self.to_mark()
            if type(stack[-1]) is not list:
                raise Damaged(f"it appends to a {type(stack[-1]).__name__}")
            stack[-1].extend(items)
        elif name in ("SETITEM", "SETITEMS"):
            self.set_items([self.pop(), self.pop()][::-1] if name == "SETITEM" else self.to_mark())
        elif name == "GLOBAL":
            stack.append(self.find(*argument.split(" ", 1)))
        elif name == "STACK_GLOBAL":
            last, module = self.pop(), self.pop()
            stack.append(self.find(module, last))
        elif name in ("REDUCE", "NEWOBJ"):
            arguments, function = self.pop(), self.pop()
            stack.append(self.call(function, arguments))
        elif name == "BUILD":
            state = self.pop()
            self.build(stack[-1], state)
        elif name == "BINPERSID":
            stack.append(self.persistent_load(self.pop()))
        elif name == "PROTO":
            if argument > pickle.HIGHEST_PROTOCOL:
                raise Damaged(f"its pickle has protocol {argument}")
        elif name != "FRAME":
            raise NotAllowed(f"the opcode {name}")

    def set_items(self, items):
        target = self.stack[-1]
        if type(target) not in (dict, collections.OrderedDict, collections.Counter) or len(items) % 2:
            raise Damaged(f"it sets entries of a {type(target).__name__}")
        for key, value in zip(items[::2], items[1::2]):
            check_key(key)
            target[key] = value

    def find(self, module, name):
        """Return what the pickle may use a global for: to call it, or to name a type of storages."""
        if type(module) is not str or type(name) is not str:
            raise Damaged("its pickle names a global without text")
        if (module, name) in NAME_MAPPING:
            module, name = NAME_MAPPING[module, name]  # as Python 2 called it
        module = IMPORT_MAPPING.get(module, module)
        full = f"{module}.{name}"
        kind = TYPES.get(name.replace("Tensor", "Storage")) if module in ("torch", "torch.cuda") else None
        if kind is not None:
            return kind
        if full in self.builders.functions or full in FUNCTIONS or full in VARIABLES:
            return _Name(full)
        raise NotAllowed(full)

    def call(self, function, arguments):
        if type(function) is not _Name or type(arguments) is not tuple:
            raise Damaged(f"it calls a {type(function).__name__}")
        if function in VARIABLES:
            if arguments:
                return self.builders.variable(VARIABLES[function], *arguments)
            bare = VARIABLES[function].__new__(VARIABLES[function])
            self.bare[id(bare)] = bare
            return bare
        return (self.builders.functions.get(function) or FUNCTIONS[function])(*arguments)

    def build(self, target, state):
        if type(target) in (Variable, Parameter):
            if id(target) in self.bare and (type(state) is not tuple or len(state) != 5 or state[0] is None):
                raise Damaged("a Variable has no data")
            self.builders.build(target, state)
            self.bare.pop(id(target), None)
        elif type(target) is collections.OrderedDict and type(state) is dict and set(state) <= {"_metadata"}:
            vars(target).update(state)
        else:
            raise Damaged(f"it sets the state of a {type(target).__name__}")

    def checked(self, result):
        """Return `result` if it contains only tensors, numbers, texts and containers."""
        if self.bare:
            raise Damaged("a Variable has no data")
        seen, waiting = set(), [result]
        while waiting:
            value = waiting.pop()
            if isinstance(value, (Tensor, Storage)) or type(value) in (Variable, Parameter) or id(value) in seen:
                continue
            if type(value) not in _ALLOWED:
                what = value.name if isinstance(value, StorageType) else value
                raise NotAllowed(f"{what} itself")
            seen.add(id(value))
            if isinstance(value, dict):
                waiting.extend(value.values())
                waiting.extend(getattr(value, "__dict__", {}).values())
            elif isinstance(value, (list, tuple)):
                waiting.extend(value)
        return result
