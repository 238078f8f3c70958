"""The words on a drawing: sizes, numbers, attributes and names, each as one line that no format can misread.

Nothing here shows a memory address, so that one graph gives one text.
"""

import base64
import html
import math
import numbers

import graphviz
import numpy

from ..autograd.variable import Variable
from ..tensor import Tensor

LONGEST_NAME = 60
MOST_IN_WORDS = 6  # elements of a tensor that are shown one by one


def size_text(size):
    """A size as Python writes a tuple: (1, 36)."""
    return str(tuple(size))


def number_text(number):
    """A number with four significant digits."""
    return str(number) if isinstance(number, int) else format(number, ".4g")


def values_text(tensor, most=6):
    """The numbers of a Tensor as nested lists; of one with more than `most` the first few, and how many there are."""
    if tensor.array.size <= most:
        return _nested(tensor.array.tolist())
    first = ", ".join(map(number_text, tensor.array.flat[: max(1, most // 2)].tolist()))
    return f"[{first}, … {tensor.array.size} in all]"


def _nested(values):
    if isinstance(values, list):
        return f"[{', '.join(map(_nested, values))}]"
    return number_text(values)


def attribute_text(value, longest=50):
    """The value of an attribute: plain data as it is written, a tensor by its type and size, others by their class."""
    text = _attribute(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _attribute(value):
    if isinstance(value, Variable):
        return f"Variable {size_text(value.data.array.shape)}"
    if isinstance(value, Tensor):
        return f"{value.type().removeprefix('torch.')} {size_text(value.array.shape)}"
    if isinstance(value, (bool, str, bytes, slice, type(None), type(Ellipsis))):
        return repr(value)
    if isinstance(value, numpy.ndarray):
        return f"ndarray {size_text(value.shape)}"
    if isinstance(value, numbers.Number):
        return number_text(value) if isinstance(value, (int, float)) else repr(value)
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(_attribute, value))
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_attribute(key)}: {_attribute(item)}" for key, item in value.items()) + "}"
    return value.__name__ if isinstance(value, type) else type(value).__name__


def one_line(text, longest=LONGEST_NAME):
    """`text` with what is not printable (line ends, escape sequences) spelled out, and not too long."""
    text = str(text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def listed(words, most=6):
    """The first few `words` as a list in a sentence."""
    words = [one_line(word) for word in words]
    if len(words) > most:
        words[most - 1 :] = [f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def counted(names):
    """The keys of `names`, a Counter, as a list in a sentence: "Mm, 2 Add and Sum"."""
    return listed([name if count == 1 else f"{count} {name}" for name, count in names.items()])


def numbered(text, number):
    """`text` with the number of a Function, which is the same in every drawing of its graph."""
    return f"{text} #{number}"


def dot_label(lines):
    """`lines` as a DOT label that shows them as they are: no HTML, no escape sequence, no entity of theirs counts."""
    escaped = [one_line(line).replace("&", "&amp;").replace("\\", "\\\\") for line in lines]
    return graphviz.nohtml("\\n".join(escaped))


def image(svg, words, width=None):
    """An SVG as an HTML image that says `words`, in a form that a notebook shows though it does not trust it.

    The `width` in pixels is an attribute, since a viewer that does not trust the notebook strips styles.
    """
    encoded = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    wide = "" if width is None else f' width="{width}"'
    return f'<img alt="{html.escape(words)}"{wide} src="data:image/svg+xml;base64,{encoded}">'


def tensor_record(tensor, most=16):
    """A Tensor as plain data that JSON can hold: size, type, and its numbers (the first `most` of them).

    One of more than six elements has its mean and its norm as well. Not-a-number and the infinities become the strings
    "nan", "inf" and "-inf", which JSON has no numbers for.
    """
    array = tensor.array
    record = {
        "size": list(array.shape),
        "type": tensor.type(),
        "values": [_json_number(x) for x in array.flat[:most].tolist()],
    }
    if array.size > MOST_IN_WORDS:
        with numpy.errstate(all="ignore"):
            numbers = array.astype(numpy.float64)
            record["mean"] = _json_number(float(numbers.mean()))
            record["norm"] = _json_number(float(numpy.sqrt(numpy.square(numbers).sum())))
    return record


def _json_number(number):
    return number if not isinstance(number, float) or math.isfinite(number) else str(number)


def record_text(record):
    """A `tensor_record` in a few words: the numbers if they are few, else the size and the first ones."""
    values = [_shown(x) for x in record["values"]]
    count = math.prod(record["size"])
    if count <= 4:
        return f"[{', '.join(values)}]"
    return f"{size_text(record['size'])} [{', '.join(values[:3])}, …]"


def short_text(record):
    """A `tensor_record` as a node shows it: up to six numbers, else the size with mean and norm."""
    if "norm" in record:
        return f"{size_text(record['size'])} mean {_shown(record['mean'])} norm {_shown(record['norm'])}"
    if len(record["values"]) == 1:
        return _shown(record["values"][0])
    return _nested_record(record["values"], record["size"])


def _nested_record(values, size):
    """The numbers of a record as nested lists."""
    if len(size) < 2:
        return f"[{', '.join(map(_shown, values))}]"
    length = len(values) // size[0] if size[0] else 0
    rows = [_nested_record(values[row * length : (row + 1) * length], size[1:]) for row in range(size[0])]
    return f"[{', '.join(rows)}]"


def _shown(number):
    return number if isinstance(number, str) else number_text(number)
