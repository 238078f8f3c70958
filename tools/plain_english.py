"""Counts phrases that plain English has a better word for, in prose and in strings: `python tools/plain_english.py`.

Looked at are docstrings, comments and string literals of the package's Python files, its templates and tables, and the
Markdown beside it. Code is not: a name may contain what a sentence should not. `--list` prints every place.
"""

import argparse
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROSE = ["README.md", "FIDELITY.md", "benchmarks/README.md", "docs/*.md", "diagrams/README.md", "notebooks/README.md"]
PROSE += ["notebooks/exercises/INSTRUCTORS.md"]
CODE = ["legacy_autograd/**/*.py", "benchmarks/*.py", "tools/*.py"]
DATA = ["legacy_autograd/**/*.toml", "legacy_autograd/**/*.html", "legacy_autograd/**/*.js"]

# The verb that follows decides: "what is saved" as a subject or object is counted, "what is it?" is not.
PHRASES = {
    "what is/came …": r"\bwhat (?:is|are|was|were|came|comes|has|had|stands?) (?!it\b|this\b|that\b|the\b|an?\b)\w+",
    "stand(s)": r"\bstands?\b(?! for\b)",
    "nobody, somebody, whoever": r"\b(?:nobody|somebody|whoever)\b",
    "mend": r"\bmend(?:ed|s|ing)?\b",
    "is to be": r"\b(?:is|are|was|were) to be\b",
    "is said": r"\b(?:is|are|was|were) said\b|\bsays? nothing\b",
}


def prose_of(path):
    """[(line number, text)] of what a reader reads in a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return list(enumerate(text.splitlines(), 1))
    kinds = {tokenize.STRING, tokenize.COMMENT}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        (token.start[0] + offset, line)
        for token in tokens
        if token.type in kinds
        for offset, line in enumerate(token.string.splitlines())
    ]


def files():
    """The files that are looked at, this one left out: it holds the phrases."""
    patterns = [*PROSE, *CODE, *DATA]
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(found - {Path(__file__).resolve()})


def places():
    """{phrase: [(path, line number, line)]}."""
    found = {name: [] for name in PHRASES}
    for path in files():
        for number, line in prose_of(path):
            for name, pattern in PHRASES.items():
                found[name] += [(path, number, line.strip())] * len(re.findall(pattern, line, re.IGNORECASE))
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
