"""Count phrases that plain English has a better word for, in prose and in strings: `python tools/plain_english.py`.

The script reads Markdown files, docstrings, comments and string literals of Python files (the exercises' templates and
the notebooks' sources among them), and the pages' templates and tables. It does not read code: a name may contain a
word that a sentence should not. `--list` prints every place.
"""

import argparse
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROSE = ["*.md", "benchmarks/README.md", "docs/*.md", "docs/how_to/*.md", "diagrams/README.md", "notebooks/README.md"]
PROSE += ["notebooks/exercises/INSTRUCTORS.md", "notebooks/text/*.md", "notebooks/slides/*.md"]
CODE = ["legacy_autograd/**/*.py", "benchmarks/**/*.py", "tools/*.py", "notebooks/*.py"]
DATA = [f"legacy_autograd/**/*.{kind}" for kind in ("toml", "html", "js", "css")]
DATA += ["notebooks/slides/template/*", "notebooks/lesson/*", "Makefile", "pyproject.toml", "setup.cfg"]

# The verb that follows decides: "what is saved" as a subject or object is counted, "what is it?" is not.
PHRASES = {
    "what is/came …": r"\bwhat (?:is|are|was|were|came|comes|has|had|stands?) (?!its?\b|this\b|that\b|the\b|an?\b)\w+",
    "stand(s)": r"\bstands?\b(?! for\b)",
    "nobody, somebody, whoever": r"\b(?:nobody|somebody|whoever)\b",
    "mend": r"\bmend(?:ed|s|ing)?\b",
    "is to be": r"\b(?:is|are|was|were) to be\b",
    "hands on, lets go": r"\bhands? on\b|\blets? go\b",
    "in the place of": r"\bin the place of\b",
    "a program of the time": r"\bprograms? of the time\b",
    "says of": r"\bsays? (?:it )?of\b",
    "to the bit": r"\bto the bit\b",
    "younger than": r"\byounger than\b",
    "Right is": r"(?-i:\bRight is\b)",
    "is said": r"\b(?:is|are|was|were) said\b|\bsays? nothing\b",
}
# A phrase may continue on the next line.
PATTERNS = {name: re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE) for name, pattern in PHRASES.items()}
STRINGS = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", None)}  # the last from Python 3.12


def prose_of(path):
    """Return the texts of a file as [(first line's number, text)]."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return [(1, text)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(token.start[0], token.string) for token in tokens if token.type in STRINGS]


def files():
    """Return the files to read, without this one: it contains the phrases."""
    patterns = [*PROSE, *CODE, *DATA]
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(found - {Path(__file__).resolve()})


def places():
    """Return {phrase: [(path, line number, line)]}."""
    found = {name: [] for name in PATTERNS}
    for path in files():
        for first, text in prose_of(path):
            lines = text.splitlines()
            for name, pattern in PATTERNS.items():
                for match in pattern.finditer(text):
                    offset = text.count("\n", 0, match.start())
                    found[name].append((path, first + offset, lines[offset].strip()))
    return found


def main():
    """Print the counts, and with `--list` every place."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print every place")
    arguments = parser.parse_args()
    found = places()
    for name, hits in found.items():
        print(f"{len(hits):5}  {name}")
        if arguments.list:
            for path, number, line in hits:
                print(f"       {path.relative_to(ROOT)}:{number}: {line}")
    print(f"{sum(map(len, found.values())):5}  together")


if __name__ == "__main__":
    main()
