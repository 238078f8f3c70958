"""Count lines of code: lines that hold more than a comment or a part of a docstring.

    python tools/code_lines.py            the core's files, by file; the exit code is 1 if they are over their limits
    python tools/code_lines.py PATH …     these files and folders, by file, without a limit

The counts compare only if the files are formatted by `ruff format`; tests/test_tools_code_lines.py holds both.
"""

import ast
import io
import pathlib
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[1]
CORE = ROOT / "legacy_autograd" / "autograd"
BOOK = ("variable.py", "function.py", "leaf.py", "engine.py")
BESIDE_IT = ("record.py", "saved_tensors.py", "callbacks.py")
LIMITS = {BOOK: 380, BESIDE_IT: 230}  # v0.1.1 had 229 lines in the files of the book, and none of the other three

_LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(source):
    """Return how many lines of `source` hold code. A line of a docstring or of any other bare string holds none."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT and token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def count(paths):
    """Return {path: lines of code} of these files, and of the Python files in these folders."""
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    return {file: code_lines(file.read_text(encoding="utf-8")) for file in files}


def report(counts, limit=None):
    """Print the counts and their sum. Return whether the sum is within the limit."""
    for file, lines in counts.items():
        print(f"{lines:6}  {file.relative_to(ROOT) if file.is_relative_to(ROOT) else file}")
    total = sum(counts.values())
    print(f"{total:6}  together{'' if limit is None else f', at most {limit}'}\n")
    return limit is None or total <= limit


def main(arguments):
    if arguments:
        return 0 if report(count([pathlib.Path(argument).resolve() for argument in arguments])) else 1
    within = [report(count([CORE / name for name in names]), limit) for names, limit in LIMITS.items()]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
