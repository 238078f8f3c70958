"""`async` as a name, as in `x.cuda(async=True)`: Python 3.7 made it a keyword, programs of 2017 have it as an argument.

A source that does not parse is compiled again with each such name in another Unicode form of the same letters. Python's
parser does not take that form for the keyword and normalizes it to the identifier `async` (PEP 3131), so parameters,
attributes and modules keep their name. Tracebacks show the file's own lines and columns. No 2016 counterpart.
"""

import ast
import importlib.machinery
import importlib.util
import io
import sys
import tokenize

_SAME_NAME = "\u00aasync"  # NFKC of the first letter is "a"; five letters again, and one byte more in UTF-8
_BEFORE_KEYWORDS = ("def", "for", "with")  # after these words' `async` it is the keyword


def compile_program(source, path, optimize=-1):
    """Return the code object of a file's content, `source` (bytes or str); `async` may be a name in it.

    Raises SyntaxError, or ValueError for null bytes, where the source is not valid for another reason.
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
    """Return whether `source`, which `compile_program` compiles, is not valid without that."""
    try:
        compile(source, "", "exec", dont_inherit=True)
    except SyntaxError:
        return True
    return False


def _rewritten(source):
    """The text with every name `async` in its other form, and where: {line: byte columns in the new text}."""
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
    """Subtract from every column of the tree the bytes that the rewritten names before it on the line have added."""
    for node in ast.walk(tree):
        for line_name, column_name in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            if hasattr(node, line_name):
                column = getattr(node, column_name)
                added = sum(place < column for place in columns.get(getattr(node, line_name), ()))
                setattr(node, column_name, column - added)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module's file, in which `async` may be a name."""

    def source_to_code(self, data, path, *, _optimize=-1):
        return compile_program(data, path, _optimize)


_PATH_HOOK = importlib.machinery.FileFinder.path_hook(
    (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
    (Loader, importlib.machinery.SOURCE_SUFFIXES),
    (importlib.machinery.SourcelessFileLoader, importlib.machinery.BYTECODE_SUFFIXES),
)


def install():
    """Let every module that is imported from a file from here on have `async` as a name."""
    if _PATH_HOOK not in sys.path_hooks:
        sys.path_hooks.insert(0, _PATH_HOOK)
        sys.path_importer_cache.clear()  # finders that were made with Python's own loader
