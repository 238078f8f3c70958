"""The package under the name `torch`, for `python -m legacy_autograd run`.

A module that is imported under a second name is the same module object. So a class is one class under every name. No
2016 counterpart.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

from .. import conventions, modern_names


class AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `alias` and everything below it as the modules below `aliases[alias]`.

    A module that does not exist raises ModuleNotFoundError with the requested name.
    """

    def __init__(self):
        self.aliases = {}

    def canonical(self, name):
        """Return a module's own name: `legacy_autograd.utils.data.dataset` for `torch.utils.data.dataset`."""
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
        # The import machinery will write the alias's spec into the module; exec_module restores the module's own.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        alias, own = module.__spec__.name, module.__spec__.loader_state
        module.__spec__ = own
        _name_what_is_absent(module)
        # `models.alexnet` is a function of the module models.alexnet. Give the module its second name now: a later
        # import would replace the function by the module.
        for name, found in list(sys.modules.items()):
            parent, _, last = name.rpartition(".")
            if parent == own.name and getattr(module, last, found) is not found:
                sys.modules[f"{alias}.{last}"] = found


def absence(name):
    """Return the sentence for a name of torch that this package does not have."""
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
        # find_spec imports the parents. A missing parent makes the whole name absent. A package that is missing
        # inside a parent is an error with its own message.
        if error.name is not None and (name + ".").startswith(error.name + "."):
            return False
        raise


def _name_what_is_absent(module):
    """Let `torch.nn.Foo` raise an error that names torch.nn.Foo, not the module behind the alias."""
    own = getattr(module, "__getattr__", None)
    if getattr(own, "__module__", None) == __name__:
        return  # the module was imported under another alias before

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
    """Return the name that a program would use: torch.autograd.graph for `legacy_autograd.autograd.later.graph`."""
    names = [name for name, found in sys.modules.items() if found is module and name.startswith("legacy_autograd")]
    own = min(names, key=lambda name: ".later." in name)
    reaching = [(canonical, alias) for alias, canonical in FINDER.aliases.items() if own.startswith(canonical)]
    canonical, alias = max(reaching, key=lambda pair: len(pair[0]))
    return alias + own.removeprefix(canonical)


FINDER = AliasFinder()


def add(alias, canonical):
    """Import the module `canonical` (and `canonical.x`) as `alias` (and `alias.x`) from now on."""
    FINDER.aliases[alias] = canonical
    if FINDER not in sys.meta_path:
        # First, before a modern torch in site-packages and before the finder of this package's files.
        sys.meta_path.insert(0, FINDER)
