"""The package under the name `torch`, for `python -m legacy_autograd run`.

A module imported by a second name is the same module object, so a class is one class whatever name it was imported by.
No 2016 counterpart.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

from .. import conventions, modern_names


class AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `alias`, and everything below it, as the modules of the name that `aliases[alias]` gives.

    A module that is not there under its own name raises ModuleNotFoundError with the name that was asked for.
    """

    def __init__(self):
        self.aliases = {}

    def canonical(self, name):
        """The module's own name: `torch.utils.data.dataset` -> `legacy_autograd.utils.data.dataset`."""
        head, tail = name, ""
        while head:
            if head in self.aliases:
                return self.canonical(self.aliases[head] + tail)
            head, dot, last = head.rpartition(".")
            tail = dot + last + tail
        return name

    def find_spec(self, fullname, path=None, target=None):
        canonical = self.canonical(fullname)
        if canonical == fullname:
            return None
        if not _exists(canonical):
            raise ModuleNotFoundError(absence(fullname) + modern_names.hint(fullname), name=fullname)
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec):
        module = importlib.import_module(self.canonical(spec.name))
        # The import machinery is about to write the alias's spec into the module; the module keeps its own.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        alias, own = module.__spec__.name, module.__spec__.loader_state
        module.__spec__ = own
        _name_what_is_absent(module)
        # `models.alexnet` is a function of the module models.alexnet, which has its second name now: on a later import
        # the import machinery would write the module in the place of the function.
        for name, found in list(sys.modules.items()):
            parent, _, last = name.rpartition(".")
            if parent == own.name and getattr(module, last, found) is not found:
                sys.modules[f"{alias}.{last}"] = found


def absence(name):
    """The sentence for a name of torch that this package does not have."""
    if name.partition(".")[0] == "torchvision":
        return f"{name} does not exist in legacy_autograd (it has the names of torchvision 0.1.8, of early 2017)"
    return (
        f"{name} does not exist in legacy_autograd "
        f"(it has the names of PyTorch v0.1.x, of {conventions.era.version} in this run, and some that came later)"
    )


def _exists(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        # find_spec imports the parents. One that is not there makes the whole name absent; a package missing
        # inside one is another matter, and its own message says so.
        if error.name is not None and (name + ".").startswith(error.name + "."):
            return False
        raise


def _name_what_is_absent(module):
    """Let `torch.nn.Foo` raise an error that names torch.nn.Foo, not the module behind the alias."""
    own = getattr(module, "__getattr__", None)
    if getattr(own, "__module__", None) == __name__:
        return  # the module was imported by another alias before

    def __getattr__(name):
        if own is not None:
            try:
                return own(name)
            except AttributeError as error:
                if error.__cause__ is not None:
                    raise
        where = _torch_name(module)
        raise modern_names.attribute_error(absence(f"{where}.{name}"), where, name, module)

    module.__getattr__ = __getattr__


def _torch_name(module):
    """The name a program would use: for `legacy_autograd.autograd.later.graph`, torch.autograd.graph."""
    names = [name for name, found in sys.modules.items() if found is module and name.startswith("legacy_autograd")]
    own = min(names, key=lambda name: ".later." in name)
    reaching = [(canonical, alias) for alias, canonical in FINDER.aliases.items() if own.startswith(canonical)]
    canonical, alias = max(reaching, key=lambda pair: len(pair[0]))
    return alias + own.removeprefix(canonical)


FINDER = AliasFinder()


def add(alias, canonical):
    """From here on `alias` (and `alias.x`) imports the module `canonical` (and `canonical.x`)."""
    FINDER.aliases[alias] = canonical
    if FINDER not in sys.meta_path:
        # First, so that neither a modern torch in site-packages nor the file system's view of this package precedes it.
        sys.meta_path.insert(0, FINDER)
