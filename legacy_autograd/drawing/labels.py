"""The texts on a drawing: shapes, numbers, attributes and names, each as one line that is safe in every format.

No text contains a memory address, so the same graph always gives the same text.
"""

import base64
import html
import math
import numbers

import graphviz
import numpy

from ..autograd.variable import Variable
from ..tensor import Tensor
from .heat import heat_of

LONGEST_NAME = 60
_UNITS = {"Double": 2.0**-52, "Float": 2.0**-23, "Half": 2.0**-10}  # in the last place of 1
MOST_IN_WORDS = 6  # elements of a tensor that are shown as numbers


def size_text(size):
    """Return a shape as Python writes a tuple: (1, 36)."""
    return str(tuple(size))


def number_text(number):
    """Return a number with four significant digits."""
    return str(number) if isinstance(number, int) else format(number, ".4g")


def values_text(tensor, most=6):
    """Return the numbers of a Tensor as nested lists; if there are more than `most`, the first few and the count."""
    if tensor.array.size <= most:
        return _nested(tensor.array.tolist())
    first = ", ".join(map(number_text, tensor.array.flat[: max(1, most // 2)].tolist()))
    return f"[{first}, … {tensor.array.size} in all]"


def _nested(values):
    if isinstance(values, list):
        return f"[{', '.join(map(_nested, values))}]"
    return number_text(values)


def attribute_text(value, longest=50):
    """Return an attribute's value: plain data as Python writes it, a tensor's type and shape, otherwise the class."""
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
    """Return `text` on one line, with unprintable characters escaped, cut to `longest` characters."""
    text = str(text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def listed(words, most=6):
    """Return the first few `words` as an enumeration in a sentence."""
    words = [one_line(word) for word in words]
    if len(words) > most:
        words[most - 1 :] = [f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def counted(names):
    """Return the keys of `names`, a Counter, as an enumeration: "Mm, 2 Add and Sum"."""
    return listed([name if count == 1 else f"{count} {name}" for name, count in names.items()])


def numbered(text, number):
    """Return `text` with the number of a Function, which is the same in every drawing of its graph."""
    return f"{text} #{number}"


def dot_label(lines):
    """Return `lines` as a DOT label that shows them literally, without HTML, escape sequences or entities."""
    escaped = [one_line(line).replace("&", "&amp;").replace("\\", "\\\\") for line in lines]
    return graphviz.nohtml("\\n".join(escaped))


def image(svg, words, width=None):
    """Return an SVG as an HTML image with the alternative text `words`; untrusted notebooks show it too.

    The `width` in pixels is an attribute, because styles are removed from untrusted notebooks.
    """
    encoded = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    wide = "" if width is None else f' width="{width}"'
    return f'<img alt="{html.escape(words)}"{wide} src="data:image/svg+xml;base64,{encoded}">'


def tensor_record(tensor, most=16):
    """Return a Tensor as a dictionary for JSON: `size`, `type` and its first `most` numbers as `values`.

    A record of more than six elements also has their mean, their norm and their heat map (heat.py). JSON has no
    infinities and no nan, so these are the strings "inf", "-inf" and "nan".
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
        record["heat"] = heat_of(array)
    return record


def _json_number(number):
    return number if not isinstance(number, float) or math.isfinite(number) else str(number)


def record_text(record):
    """Return a short text for a `tensor_record`: the numbers if there are few, else the shape and the first ones."""
    values = _shown(record)
    count = math.prod(record["size"])
    if count <= 4:
        return f"[{', '.join(values)}]"
    return f"{size_text(record['size'])} [{', '.join(values[:3])}, …]"


def short_text(record):
    """Return the text of a `tensor_record` on a node: up to six numbers, otherwise the shape with mean and norm."""
    if "norm" in record:
        mean, norm = _shown({**record, "values": [record["mean"], record["norm"]]})
        return f"{size_text(record['size'])} mean {mean} norm {norm}"
    values = _shown(record)
    return values[0] if len(values) == 1 else _nested_texts(values, record["size"])


def _nested_texts(values, size):
    """Return the texts of a record's numbers as nested lists."""
    if len(size) < 2:
        return f"[{', '.join(values)}]"
    length = len(values) // size[0] if size[0] else 0
    rows = [_nested_texts(values[row * length : (row + 1) * length], size[1:]) for row in range(size[0])]
    return f"[{', '.join(rows)}]"


def _shown(record):
    """Return the texts of a record's numbers: "≈ 0" for what is rounding beside the largest of them.

    Sixteen units in the last place of the largest number are rounding: 1e-17 beside 1 in double precision.
    `templates/page/replay.js` writes the same.
    """
    numbers = [abs(x) for x in record["values"] if not isinstance(x, str)]
    if not isinstance(record.get("norm", ""), str):
        numbers.append(record["norm"] / math.sqrt(math.prod(record["size"])))  # values may be the first of many
    noise = max(numbers, default=0) * 16 * next((unit for name, unit in _UNITS.items() if name in record["type"]), 0)
    return [x if isinstance(x, str) else "≈ 0" if 0 < abs(x) < noise else number_text(x) for x in record["values"]]
