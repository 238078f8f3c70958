"""The standard streams of a program: what it prints goes to the page as it is printed."""

import time

from .bridge import host

_MOST = 2_000_000  # characters of one run; a page with more of them becomes slow
_AT_ONCE = 200  # lines that are passed on at once in each second; after that they are collected
_COLLECTED = 8_000  # characters


class Stream:
    """A standard stream, flushed at the end of a line.

    Lines that come faster than the page can show them are collected, and two million characters are the most.
    """

    encoding, errors = "utf-8", "replace"

    def __init__(self, is_error):
        self._is_error = is_error
        self.begin()

    def begin(self):
        """Begin a run: nothing is printed yet."""
        self._waiting, self._length = [], 0
        self._left = _MOST
        self._second, self._lines = 0, 0

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._left <= 0:
            return len(text)
        self._left -= len(text)
        if self._left <= 0:
            text = text[: self._left + len(text)]
            text += f"\n… the output is cut here: it has more than {_MOST:,} characters\n"
        self._waiting.append(text)
        self._length += len(text)
        if "\n" in text and self._is_time():
            self.flush()
        return len(text)

    def _is_time(self):
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._lines = second, 0
        self._lines += 1
        return self._lines <= _AT_ONCE or self._length >= _COLLECTED or self._left <= 0

    def flush(self):
        if self._waiting:
            text, self._waiting, self._length = "".join(self._waiting), [], 0
            host("print", {"text": text, "isError": self._is_error})

    def writable(self):
        return True

    def isatty(self):
        return False


OUT, ERR = Stream(False), Stream(True)
