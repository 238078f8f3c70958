"""Write the files that repeat what methods of Tensor and Variable say: `python tools/write_twins.py`.

`tensor/functions.py` gets a function for each method in FUNCTIONS, and the two files `inplace_forms.py` a method that
writes the result into the Tensor or Variable for each one in IN_PLACE: all below their line MARK. Signatures and
docstrings come from the methods. After a change of these, run this tool; tests/test_tools_write_twins.py compares.
"""

import ast
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
TENSOR = ROOT / "legacy_autograd" / "tensor"
METHODS = ROOT / "legacy_autograd" / "autograd" / "methods"
MARK = "# --- below this line, tools/write_twins.py writes"

# {what `takes_results` gets besides the number of tensors: methods}; None for functions without it, because their
# results are views, copies or Python numbers.
FUNCTIONS = {
    None: """all any argmax argmin chunk clone dist dot equal index_add index_copy index_fill masked_fill masked_scatter
        narrow numel permute reshape scatter scatter_add split squeeze t take trace transpose unsqueeze""",
    "": """
        abs acos addcdiv addcmul asin atan atan2 bmm btrisolve ceil clamp clamp_max clamp_min cmax cmin cos cosh cross
        cumprod cumsum diag exp expm1 floor fmod frac gather ger histc index_select lerp lgamma log log1p masked_select
        matmul mean mm mv neg nonzero norm prod reciprocal remainder renorm round rsqrt sigmoid sign sin sinh sort sqrt
        std sum tan tanh topk tril triu trunc var""",
    "columns=True": "btrifact eig gels geqrf gesv inverse potrf potri potrs pstrf qr svd symeig trtrs",
    "results=1, columns=True": "orgqr ormqr",
    "converts=True": "eq ge gt le lt ne",
    "results=2": "kthvalue median mode",
    "results=2, or_of_two=True": "max min",
}
IN_PLACE = """
    abs neg sign exp expm1 log log1p sqrt rsqrt reciprocal sigmoid tanh sin cos tan asin acos atan sinh cosh floor ceil
    round trunc frac remainder fmod cmax cmin atan2 lerp renorm cumsum cumprod tril triu eq ne lt le gt ge addmm addmv
    addr addbmm baddbmm
"""
OF_TENSORS_ONLY = "div lgamma pow"
OF_VARIABLES_ONLY = """
    clamp clamp_min clamp_max addcmul addcdiv index_add index_copy index_fill scatter scatter_add masked_fill
    masked_copy masked_scatter squeeze unsqueeze resize resize_as
"""

# The words for its tensor in a method's docstring, and those in the function's.
WORDS = {
    r"A Tensor of the same type": "A Tensor or Variable like `x`",
    r"[Tt]his (tensor|vector|matrix)": "`x`",
    r"\bself\b": "x",
}


def methods(folder):
    """Return {name: syntax tree} of the methods of Tensor, or of Variable, that the files of a folder define."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name not in ("Storage", "Generator", "Size"):
                found.update({method.name: method for method in node.body if isinstance(method, ast.FunctionDef)})
    return found


def described(method):
    """Return the first line of a method's docstring without its period, and {name of a section: its text}."""
    parts = re.split(r"^([A-Z][a-z]+):\n", ast.get_docstring(method), flags=re.MULTILINE)
    return parts[0].split("\n")[0].removesuffix("."), dict(zip(parts[1::2], map(str.rstrip, parts[2::2])))


def signature(method, first):
    """Return the parameters of a method, the first of them written as `first`, and the hint of its result."""
    return f"({first}{ast.unparse(method.args).removeprefix('self')}) -> {ast.unparse(method.returns)}"


def passed_on(method):
    """Return the arguments of a call that passes on what a method was given."""
    given = method.args
    free = [f"*{given.vararg.arg}"] if given.vararg else []
    return ", ".join([p.arg for p in given.args[1:]] + free + [f"{p.arg}={p.arg}" for p in given.kwonlyargs])


def definition(head, docstring, body):
    """Return the source of a function."""
    end = "\n" if "\n" in docstring else ""
    return f"{head}:\n" + textwrap.indent(f'"""{docstring}{end}"""\n{body}\n', "    ")


def function(method, options):
    """Return the source of the function that calls a method; `options` is a key of FUNCTIONS."""
    name, (summary, sections) = method.name, described(method)
    hints = re.sub(r"\b(TensorBase|Self)\b", "Operand", signature(method, "x: Operand"))
    see = f"; see `Tensor.{name}`." if len(summary) + len(name) < 95 else f".\n\nSee `Tensor.{name}`."
    docstring = f"{summary}{see}\n\nArgs:\n    x: A Tensor or Variable.\n{sections.get('Args', '')}".rstrip()
    for theirs, ours in WORDS.items():
        docstring = re.sub(theirs, ours, docstring)
    source = definition(f"def {name}{hints}", docstring, f'return operand("{name}", x).{name}({passed_on(method)})')
    if options is None:
        return source
    required = method.args.args[1 : len(method.args.args) - len(method.args.defaults)]
    tensors = 1 + sum("Tensor" in ast.unparse(p.annotation) for p in required) + 2 * bool(method.args.vararg)
    results = ast.unparse(method.returns).count("Self")
    counted = [f"results={results}"] if results > 1 and "results" not in options else []
    arguments = [str(tensors), *counted, *[options] * bool(options)]
    return f"@takes_results({', '.join(arguments)})\n{source}"


def in_place(method):
    """Return the source of the method that writes the result of a method into the tensor.

    If the method only computes something of every element, the result is computed in the memory of the tensor.
    """
    name, (summary, sections) = f"{method.name}_", described(method)
    statements = [ast.unparse(statement).replace("'", '"') for statement in method.body[1:]]
    body, count = re.subn(rf'^return (each|combine)\("{method.name}"', rf'return \1_into("{name}"', statements[0])
    if not count or len(statements) > 1:
        body = f'return copied_into("{name}", self, self.{method.name}({passed_on(method)}))'
    becomes = ": the elements become 1 or 0 in the type of this tensor" if "ByteTensor" in summary else ""
    returned = {"Returns": "    This tensor."} if "Args" in sections else {}
    parts = {"Args": sections.get("Args"), **returned, "Raises": sections.get("Raises")}
    text = [f"{section}:\n{part}" for section, part in parts.items() if part]
    first = f"Apply `{method.name}` in place{becomes}{'' if returned else ' and return the tensor'}."
    head = f"def {name}{signature(method, 'self').rpartition('->')[0]}-> Self"
    return definition(head, "\n\n".join([first, *text]), body)


def variable_in_place(method):
    """Return the source of the method that replaces a Variable by the result of a method."""
    arguments = ", ".join([f'"{method.name}"', *filter(None, [passed_on(method)])])
    described_arguments = [f"Args:\n{text}" for section, text in described(method)[1].items() if section == "Args"]
    text = [f"Apply `{method.name}` in place and return this Variable.", *described_arguments]
    text.append("Raises:\n    RuntimeError: For a leaf that requires a gradient.")
    head = f"def {method.name}_{signature(method, 'self')}"
    return definition(head, "\n\n".join(text), f"return self._in_place({arguments})")


def written():
    """Return {path: definitions} of the files that this tool writes."""
    of_tensor, of_variable = methods(TENSOR), methods(METHODS)
    options = {name: kind for kind, names in FUNCTIONS.items() for name in names.split()}
    names = textwrap.fill(", ".join([f'"{name}"' for name in sorted(options)]), 116)
    exported = f"__all__ = [\n{textwrap.indent(names, '    ')},\n]  # fmt: skip\n__all__ += number_first.__all__\n"
    functions = [exported, *[function(of_tensor[name], options[name]) for name in sorted(options)]]
    tensors = [in_place(of_tensor[name]) for name in (IN_PLACE + OF_TENSORS_ONLY).split()]
    variables = [variable_in_place(of_variable[name]) for name in (IN_PLACE + OF_VARIABLES_ONLY).split()]
    return {
        TENSOR / "functions.py": functions,
        TENSOR / "inplace_forms.py": [textwrap.indent(form, "    ") for form in tensors],
        METHODS / "inplace_forms.py": [
            *[textwrap.indent(form, "    ") for form in variables],
            "\nattach(InPlaceForms)",
        ],
    }


def files():
    """Yield (path, source) of the files that this tool writes, formatted by ruff."""
    for path, definitions in written().items():
        head, mark, _ = path.read_text(encoding="utf-8").partition(MARK)
        source = "\n".join([head + mark, "", *definitions])
        # `--config`: the tests may run in a copy of the folder, below another pyproject.toml.
        options = ["--quiet", "--config", str(ROOT / "pyproject.toml"), "--stdin-filename", str(path)]
        command = [sys.executable, "-m", "ruff", "format", *options, "-"]
        yield path, subprocess.run(command, input=source, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


if __name__ == "__main__":
    for written_path, written_source in files():
        written_path.write_text(written_source, encoding="utf-8")
