"""The pages of the API reference, written for autodoc from `reference.toml` and the modules themselves."""

import importlib
import inspect
import tomllib
from pathlib import Path

PAGES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["page"]


def write(folder):
    """Write one page for each entry of the table, and the list of them, into `folder`."""
    folder.mkdir(parents=True)
    for page in PAGES:
        (folder / f"{page['file']}.md").write_text(_page(page), encoding="utf-8")
    listed = [f"- [{page['title']}]({page['file']}.md): {_words(page)}" for page in PAGES]
    intro = "The public classes and functions, with links to their source and, where it has one, to v0.1.1's line."
    contents = ["```{toctree}", ":hidden:", "", *(page["file"] for page in PAGES), "```"]
    (folder / "index.md").write_text("\n".join(["# API reference", "", intro, "", *listed, "", *contents, ""]), "utf-8")


def _words(page):
    return " ".join(page["words"].split())


def _page(page):
    lines = [f"# {page['title']}", "", page["words"], ""]
    modules = page["module"] if isinstance(page["module"], list) else [page["module"]]
    for name in modules:
        module = importlib.import_module(name)
        if len(modules) > 1:
            lines += [f"## {name.removeprefix('legacy_autograd.')}", ""]
        for heading, members in _groups(module, page):
            if heading and len(modules) == 1:
                lines += [f"## {heading}", ""]
            lines += [
                "```{eval-rst}",
                *(line for member in members for line in _directive(page.get("shown_as", name), member, page)),
                "```",
                "",
            ]
    return "\n".join(lines)


def _groups(module, page):
    """Return [(heading, names)]: the names that the page asks for, or all, by the file that defines them."""
    if "names" in page:
        return [("", page["names"])]
    groups = {}
    if "attached_to" in page:
        owner = getattr(module, page["attached_to"])
        for name, home in members_of(owner).items():
            if home != owner.__module__:
                groups.setdefault(home.rpartition(".")[2], []).append(f"{owner.__name__}.{name}")
        return list(groups.items())
    shown = importlib.import_module(page["shown_as"]) if "shown_as" in page else module
    for name in public_names(module):
        member = getattr(module, name)
        if name in page.get("without", ()) or getattr(shown, name) is not member:
            continue
        file = member.__module__.rpartition(".")[2].strip("_")
        groups.setdefault(file, []).append(name)
    own = module.__name__.rpartition(".")[2]
    return [
        ("" if len(groups) == 1 else file if file != own else "", names)
        for file, names in sorted(groups.items(), key=lambda group: group[0] != own)
    ]


def public_names(module):
    """Return the names of the public classes and functions that `module` defines or takes from modules below it."""
    names = []
    for name, member in vars(module).items():
        if name.startswith("_") or not (inspect.isclass(member) or inspect.isfunction(member)):
            continue
        if not f"{member.__module__}.".startswith(f"{module.__name__}.") or member.__name__ != name:
            continue
        names.append(name)
    return names


def members_of(owner):
    """Return {name: the module that defines it} of the public methods and properties of a class, without aliases."""
    found = {}
    for name, member in vars(owner).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function):
            if isinstance(member, property) or function.__name__ == name:
                found[name] = function.__module__
    return found


def _directive(module, name, page):
    owner, found = None, importlib.import_module(module)
    for part in name.split("."):
        owner, found = found, inspect.getattr_static(found, part)
    if not inspect.isclass(found):
        kind = "function" if not inspect.isclass(owner) else "property" if isinstance(found, property) else "method"
        return [f".. auto{kind}:: {module}.{name}", ""]
    lines = [f".. autoclass:: {module}.{name}", "   :members:", "   :show-inheritance:"]
    if name in [other.get("attached_to") for other in PAGES]:
        lines[1] += " " + ", ".join([member for member, home in members_of(found).items() if home == found.__module__])
    if name in ("Tensor",):
        lines.append("   :inherited-members:")
    for method in page.get("private", ()):  # also those without a docstring
        if method in vars(found):
            lines += ["", f"   .. automethod:: {method}"]
    return [*lines, ""]
