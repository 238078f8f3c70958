"""`async` as a name, as in `x.cuda(async=True)`: a keyword since Python 3.7, an argument in programs of 2017.

A source that does not parse is compiled again, with each such name in another Unicode form of the same letters.
Python's parser does not recognize this form as the keyword and normalizes it to the identifier `async` (PEP 3131). So
parameters, attributes and modules keep their name. Tracebacks show the file's own lines and columns. No 2016
counterpart.
"""

import ast
import importlib.machinery
import importlib.util
import io
import sys
import tokenize

_SAME_NAME = "\u00aasync"  # NFKC turns its first letter into "a"; it has five letters and one more byte in UTF-8
_BEFORE_KEYWORDS = ("def", "for", "with")  # before these words `async` is the keyword


def compile_program(source, path, optimize=-1):
    """Return the code object of a file's content, `source` (bytes or str), in which `async` may be a name.

    Raises:
        SyntaxError: If the source is invalid for another reason.
        ValueError: If it contains null bytes.
    """
    try:
        return compile(source, path, "exec", dont_inherit=True, optimize=optimize)
    except SyntaxError:
        text, columns = _rewritten(source)
        if not columns:
            raise
    try:
        tree = ast.parse(text, path)
        _move_back(tree, columns)
        return compile(tree, path, "exec", dont_inherit=True, optimize=optimize)
    except SyntaxError as error:
        error.text = error.text and error.text.replace(_SAME_NAME, "async")
        raise error from None


def rewrites(source):
    """Return whether `source`, which `compile_program` compiles, is invalid Python without it."""
    try:
        compile(source, "", "exec", dont_inherit=True)
    except SyntaxError:
        return True
    return False


def _rewritten(source):
    """Return the text with every name `async` in its other form, and {line: byte columns of these names in it}."""
    columns = {}
    try:
        text = importlib.util.decode_source(source) if isinstance(source, bytes) else source
        lines = io.StringIO(text).readlines()
        tokens = list(tokenize.generate_tokens(iter(lines).__next__))
    except (tokenize.TokenError, SyntaxError):
        return source, columns
    for token, following in zip(tokens, tokens[1:]):
        if token.type == tokenize.NAME and token.string == "async" and following.string not in _BEFORE_KEYWORDS:
            row, column = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:column] + _SAME_NAME + line[column + len("async") :]
            columns.setdefault(row, []).append(len(lines[row - 1][:column].encode()))
    return "".join(lines), columns


def _move_back(tree, columns):
    """Subtract from every column of the tree the bytes that rewritten names before it on the line have added."""
    for node in ast.walk(tree):
        for line_name, column_name in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            if hasattr(node, line_name):
                column = getattr(node, column_name)
                added = sum(place < column for place in columns.get(getattr(node, line_name), ()))
                setattr(node, column_name, column - added)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module's file in which `async` may be a name."""

    def source_to_code(self, data, path, *, _optimize=-1):
        return compile_program(data, path, _optimize)


_PATH_HOOK = importlib.machinery.FileFinder.path_hook(
    (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
    (Loader, importlib.machinery.SOURCE_SUFFIXES),
    (importlib.machinery.SourcelessFileLoader, importlib.machinery.BYTECODE_SUFFIXES),
)


def install():
    """Allow `async` as a name in all modules that are imported from files from now on."""
    if _PATH_HOOK not in sys.path_hooks:
        sys.path_hooks.insert(0, _PATH_HOOK)
        sys.path_importer_cache.clear()  # drop the finders with Python's own loader
