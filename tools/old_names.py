"""Collect every public name of an old PyTorch from its sources, without running them.

    python tools/old_names.py CHECKOUT > tests/names/v0_2_0.toml

CHECKOUT is the work tree of a commit, for example that of `git archive e02f7bf8a3 torch` in a clone of
github.com/gchanan/pytorch: v0.2.0. Names come from

- every module below torch/: `__all__`, definitions, assignments and, in a package, imports of its own modules. Left out
  are `torch.legacy.nn`, modules whose name begins with an underscore (but for `_functions`, which programs import), and
  the generated code of torch/lib;
- the bodies of the classes in CLASSES, and what the module assigns to them afterwards;
- the tables of methods in C and the `*.cwrap` files, but for CUDA and sparse tensors.

A name is public if it does not begin with an underscore.
"""

import argparse
import ast
import pathlib
import re
import sys
import textwrap

# {the owner of methods: the module and class that define them, files of C with a table of more}
CLASSES = {
    "torch.Tensor": ("torch.tensor", "_TensorBase", []),
    "torch.Storage": ("torch.storage", "_StorageBase", ["generic/StorageMethods.cpp", "generic/StorageSharing.cpp"]),
    "torch.Generator": (None, None, ["Generator.cpp"]),
    "torch.autograd.Variable": ("torch.autograd.variable", "Variable", ["autograd/python_variable.cpp"]),
    "torch.autograd.Function": ("torch.autograd.function", "Function", ["autograd/python_function.cpp"]),
    "torch.nn.Module": ("torch.nn.modules.module", "Module", []),
    "torch.optim.Optimizer": ("torch.optim.optimizer", "Optimizer", []),
}
MODULE_TABLES = ("Module.cpp", "Exceptions.cpp", "Generator.cpp", "Size.cpp")
_C_TABLE = re.compile(r'\{\s*(?:\(char\s*\*\)\s*)?"([A-Za-z]\w*)"')
_C_OBJECT = re.compile(r'PyModule_AddObject\(module, "([A-Za-z]\w*)"')
_STRIPPED = re.compile(r"#if(?:def WITH_CUDA| defined\(WITH_CUDA\)|def THC_GENERIC_FILE| IS_CUDA).*?#endif", re.DOTALL)


class Sources:
    """The modules below torch/ of a checkout, parsed."""

    def __init__(self, checkout):
        self.root = checkout / "torch"
        self.trees = {}
        for path in sorted(self.root.rglob("*.py")):
            parts = path.relative_to(checkout).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if not name.startswith(("torch.lib", "torch.csrc")):
                text = re.sub(r"\basync\b", "non_blocking", path.read_text(encoding="utf-8"))  # a keyword since 3.7
                self.trees[name] = ast.parse(text), path.name == "__init__.py"

    def names(self, module):
        """Return the names that `module` defines, lists in `__all__`, and, if it is a package, imports from torch."""
        tree, is_package = self.trees[module]
        package = module if is_package else module.rpartition(".")[0]
        found = set()
        for statement in _statements(tree.body):
            if isinstance(statement, ast.ImportFrom):
                if not is_package:
                    continue
                origin = statement.module or ""
                if statement.level:
                    base = package.split(".")[: len(package.split(".")) - statement.level + 1]
                    origin = ".".join([*base, origin] if origin else base)
                for alias in statement.names if origin.partition(".")[0] == "torch" else ():
                    found |= self.names(origin) if alias.name == "*" and origin in self.trees else {
                        alias.asname or alias.name
                    }  # fmt: skip
            elif isinstance(statement, ast.Delete):
                found -= {target.id for target in statement.targets if isinstance(target, ast.Name)}
            else:
                found |= _defined(statement)
        return found - {"*"}

    def members(self, module, name):
        """Return the names in the body of a class and of its bases in the same module, and those assigned to it."""
        body = self.trees[module][0].body
        found = set()
        for statement in _statements(body):
            if isinstance(statement, ast.ClassDef) and statement.name == name:
                for part in statement.body:
                    found |= _defined(part) - {"args"}
                    if isinstance(part, ast.Assign) and getattr(part.targets[0], "id", "") == "_fallthrough_methods":
                        found |= {element.value for element in part.value.elts}
                for base in ast.walk(ast.Tuple(statement.bases, ast.Load())):
                    if isinstance(base, ast.Name) and base.id != name:
                        found |= self.members(module, base.id)
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == name:
                        found.add(target.attr)
        return found

    def in_c(self, file, pattern=_C_TABLE):
        """Return the names of the tables in a file of torch/csrc, without those under a condition on CUDA."""
        path = self.root / "csrc" / file
        return set(pattern.findall(_STRIPPED.sub("", path.read_text(encoding="utf-8")))) if path.exists() else set()

    def methods_in_c(self):
        """Return the methods of tensors in the `*.cwrap` files."""
        found = set()
        for path in (self.root / "csrc" / "generic" / "methods").glob("*.cwrap"):
            if path.name in ("TensorCuda.cwrap", "SparseTensor.cwrap"):
                continue
            for block in re.findall(r"^\[\[\n(.*?)^\]\]", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
                name = re.search(r"^  python_name: (\w+)", block, re.MULTILINE)
                name = name or re.search(r"^  name: (\w+)", block, re.MULTILINE)
                variants = re.search(r"^  variants:\n((?:    - \w+\n)+)", block, re.MULTILINE)
                only_function = variants and "method" not in variants.group(1)
                only_cuda = re.search(r"^  backends:\n    - CUDA\n(?!    - CPU)", block, re.MULTILINE)
                if not (only_function or only_cuda or re.search(r"^  only_stateless: [Tt]rue", block, re.MULTILINE)):
                    found.add(name.group(1))
        return found


def _statements(body):
    """Yield the statements of a module, those under `if`, `try` and `with` too."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody") if isinstance(statement, (ast.If, ast.Try, ast.With)) else ():
            yield from _statements(getattr(statement, part, []))


def _defined(statement):
    """Return the names that a statement defines, and the elements of a list that it gives to `__all__`."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        assigned = [part.names for part in ast.walk(statement) if isinstance(part, ast.Global)]
        return {statement.name}.union(*assigned)
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    names = set()
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        names |= {part.id for part in parts if isinstance(part, ast.Name)}
    if "__all__" in names and isinstance(statement.value, ast.List):
        names |= {element.value for element in statement.value.elts if isinstance(element, ast.Constant)}
    return names


def is_public(name):
    return not name.startswith("_")


def collect(checkout):
    """Return {owner: the set of its public names} of a checkout."""
    sources = Sources(checkout)
    found = {}
    for module in sources.trees:
        parts = module.split(".")
        if module.startswith("torch.legacy.nn") or not all(is_public(part) or part == "_functions" for part in parts):
            continue
        parent = ".".join(parts[:-1])
        if parent:
            found.setdefault(parent, set()).add(parts[-1])
        found.setdefault(module, set()).update(filter(is_public, sources.names(module)))
    for file in MODULE_TABLES[:1]:
        found["torch"] |= sources.in_c(file)
    for file in MODULE_TABLES:
        found["torch"] |= sources.in_c(file, _C_OBJECT)
    for owner, (module, name, files) in CLASSES.items():
        members = sources.members(module, name) if module else set()
        found[owner] = set(filter(is_public, members.union(*map(sources.in_c, files))))
    in_c = sources.methods_in_c() | sources.members("torch", "DoubleTensor")
    found["torch.Tensor"] |= set(filter(is_public, in_c))
    return {owner: names for owner, names in sorted(found.items()) if names}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    options = parser.parse_args(arguments)
    if not (options.checkout / "torch" / "__init__.py").exists():
        parser.error(f"{options.checkout} has no torch/__init__.py")
    version = re.search(r"^version = '(.*)'", (options.checkout / "setup.py").read_text(encoding="utf-8"), re.MULTILINE)
    print(f"# Every public name of v{version.group(1)}, by its owner; made by tools/old_names.py.\n")
    for owner, names in collect(options.checkout).items():
        print(f'"{owner}" = """\n' + textwrap.fill(" ".join(sorted(names)), 118, break_on_hyphens=False) + '\n"""')
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
