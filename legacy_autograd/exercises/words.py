"""`WORDS`: the texts of `words.toml`."""

import tomllib
from importlib import resources

WORDS = tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
