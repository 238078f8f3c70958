"""Serves the calls of the page: each names a function of this folder and its arguments."""

import importlib
import json
import random
import traceback
from pathlib import Path

import numpy

import legacy_autograd as torch
from legacy_autograd.drawing import layout

from . import programs  # noqa: F401  # sets up the streams
from .bridge import host

layout.set_renderer(lambda dot_source: host("layout", dot_source))


def serve():
    """Do what /bridge/request asks, and write /bridge/result."""
    request = json.loads(Path("/bridge/request").read_text(encoding="utf-8"))
    module, _, name = request["name"].partition(".")
    try:
        function = getattr(importlib.import_module(f"{__package__}.{module}"), name)
        result = {"value": function(**request["argument"])}
    except Exception:
        result = {"failed": traceback.format_exc()}
    Path("/bridge/result").write_text(json.dumps(result), encoding="utf-8")


def resume():
    """Continue from a saved state: it must not draw the same random numbers each time."""
    random.seed()
    numpy.random.seed()
    torch.seed()
