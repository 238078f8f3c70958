"""The Python half of the live page: runs programs and exercises in a web worker, and shows their results."""
