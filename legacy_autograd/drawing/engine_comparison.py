"""`EngineComparison`: what `compare_engines` found, in words and as a page."""

from __future__ import annotations

import copy
import html
from dataclasses import replace
from pathlib import Path

import numpy

from .engine_faults import Finding
from .labels import record_text
from .layout import LayoutUnavailable
from .loss_curves import Training, curves
from .modern_order import ModernOrderEngine
from .page import in_notebook, programs_page
from .sentences import words_in
from .trace import Trace


class EngineComparison:
    """The result of `compare_engines`: a verdict, both traces in step, and the losses of a regression.

    `print` it for its texts, `save` it as a page to step through; a notebook shows that page. `mine` and `real` are the
    traces of both engines.

    Args:
        name: The class of your engine.
        about: The name of the root.
        title: The title, or None for a default.
        lang: The language of the texts, "en" or "zh".
        mine: The `Trace` of your engine.
        real: The `Trace` of the real engine.
        finding: The first difference.
        choices: Those of `ModernOrderEngine`, with labels of Functions.
        training: The regression with your engine.
        real_training: The regression with the real engine.
    """

    def __init__(
        self, name: str, about: str, title: str | None, lang: str, mine: Trace, real: Trace, finding: Finding,
        choices: list, training: Training, real_training: Training,
    ) -> None:  # fmt: skip
        self._class, self._about, self._title, self.lang = name, about, title, lang
        self.mine, self.real, self._finding, self._choices = mine, real, finding, choices
        self._training = training, real_training

    @property
    def fault(self) -> str | None:
        """The kind of the first fault ("too_early", "written", …), or None if the engine is correct on this graph."""
        return self._finding.kind

    @property
    def losses(self) -> tuple[list[float], list[float]]:
        """The losses of the regression: (your engine's, the real one's)."""
        return self._training[0].losses, self._training[1].losses

    @property
    def step(self) -> int | None:
        """The number of the page's step with the first difference, from 1; None if there is none."""
        return None if self._finding.index is None else self._place(self.mine.steps[self._finding.index])

    def _place(self, step):
        """Return the visible number of a step: steps with the same time are shown together."""
        moments = sorted({step.time for trace in (self.mine, self.real) for step in trace})
        return moments.index(step.time) + 1

    @property
    def title(self) -> str:
        """The title of the page."""
        key = "title_modern" if self._is_modern else "title"
        return self._title or self._words[key].format(engine=self._name, about=self._about)

    @property
    def _is_modern(self):
        return self._class == ModernOrderEngine.__name__

    @property
    def _name(self):
        return self._words["modern"] if self._is_modern else self._class

    @property
    def _real_name(self):
        return self._words["of_2016" if self._is_modern else "real"]

    @property
    def text(self) -> str:
        """The verdict in words."""
        return self._finding.text(self.lang, self.step)

    @property
    def _words(self):
        return words_in(self.lang)["engines"]

    def in_language(self, lang: str) -> EngineComparison:
        """Return the same comparison with its texts in another language.

        Args:
            lang: "en" or "zh".

        Raises:
            ValueError: If `lang` is unknown.
        """
        other = copy.copy(self)
        other.lang = lang
        other.mine, other.real = self.mine.in_language(lang), self.real.in_language(lang)
        return other

    def __repr__(self) -> str:
        return f"<{self.title}: {self.fault or 'no fault'}>"

    def __str__(self) -> str:
        told = self._words["at_step"] + self._words["colon"]
        reasons = [told.format(step=step) + text for step, text in self._reasons()]
        return "\n".join([self.title, self.text, *self._outcome(), *reasons, self._trained()])

    def _outcome(self):
        """Return what a fault does to the leaves, as a list of at most one text."""
        if self.fault in (None, "raised", "endless"):
            return []
        mine, real = (
            {step.function: step.after for step in trace if step.event == "accumulate"}
            for trace in (self.mine, self.real)
        )
        none, texts = self._words["nothing"], []
        for number, right in real.items():
            got = mine.get(number)
            if got is None or not numpy.allclose(got["values"], right["values"], rtol=1e-5, equal_nan=True):
                fields = {"leaf": self.real.nodes[number].label, "right": record_text(right)}
                texts.append(self._words["grad_wrong"].format(got=none if got is None else record_text(got), **fields))
        if texts:
            return [self._words["grads_wrong"].format(grads=words_in(self.lang)["joined"]["gradients"].join(texts))]
        more = sum(step.event == "pop" for step in self.mine) > sum(step.event == "pop" for step in self.real)
        return [self._words["grads_linear" if more else "grads_right"]]

    def _trained(self):
        mine, real = self._training
        hidden = self.fault is not None and mine.agrees_with(real)
        return self._words["joined"].join(
            [mine.text(real, self._words), *([self._words["not_shown"]] if hidden else [])]
        )

    def _reasons(self):
        """Return [(step, why `ModernOrderEngine` does not choose what a stack would)]."""
        popped = [step for step in self.mine if step.event == "pop" and step.gradients is not None]
        return [
            (self._place(popped[call]), self._words[key].format(function=function, other=other))
            for call, function, other, key in self._choices
        ]

    def page(self, embedded: bool = False) -> str:
        """Return the page that steps through both engines, as HTML.

        Args:
            embedded: For a frame in a notebook or in another page.

        Raises:
            LayoutUnavailable: If no program on this machine can lay out a graph.
            ValueError: If there are more steps than a page can hold.
        """
        traces = {self._name: self._marked(), self._real_name: self.real}
        program = {"title": self.title, "text": self._html(), "traces": traces, "at": self.step}
        return programs_page([program], self.title, self.lang, embedded)

    def _html(self):
        verdict = f'<p class="finding">{html.escape(self._words["joined"].join([self.text, *self._outcome()]))}</p>'
        if self.step is not None:
            link = html.escape(self._words["to_step"].format(step=self.step))
            verdict = f'{verdict[:-4]} <a href="#step={self.step}">{link}</a></p>'
        told, colon = self._words["at_step"], self._words["colon"]
        reasons = [
            f'<li><a href="#step={step}">{html.escape(told.format(step=step))}</a>{html.escape(colon + text)}'
            for step, text in self._reasons()
        ]
        verdict += f"<ul>{''.join(reasons)}</ul>" if reasons else ""
        names = self._name, self._real_name
        return f"<div>{verdict}</div>{curves(*self._training, self._trained(), names, self._words)}"

    def _marked(self):
        """Return the trace of the own engine, with the reason at the step with the fault."""
        index = self._finding.index
        if self.fault is None or index is None:
            return self.mine
        step, trace = self.mine.steps[index], copy.copy(self.mine)
        extra = {**(step.extra or {}), "wrong": self._finding.reason(self.lang)}
        marks = extra.get("marks", {"nodes": []})
        extra["marks"] = {**marks, "nodes": sorted({*marks["nodes"], *self._finding.nodes})}
        trace.steps = [*self.mine.steps[:index], replace(step, extra=extra), *self.mine.steps[index + 1 :]]
        return trace

    def save(self, path: str | Path, lang: str | None = None) -> None:
        """Write the page to a file.

        Args:
            path: The HTML file.
            lang: The language, "en" or "zh". Default: that of the comparison.

        Raises:
            LayoutUnavailable: If no program on this machine can lay out a graph.
            ValueError: If the suffix is not .html, or `lang` is unknown.
        """
        if Path(path).suffix.lower() != ".html":
            raise ValueError(f"EngineComparison.save: the suffix must be .html, got {Path(path).name!r}")
        told = self if lang is None else self.in_language(lang)
        Path(path).write_text(told.page(), encoding="utf-8")

    def _repr_mimebundle_(self, include=None, exclude=None, **_):
        try:
            body = in_notebook(self.page(embedded=True), f"<pre>{html.escape(str(self))}</pre>")
        except (LayoutUnavailable, ValueError) as error:
            return {"text/plain": f"{self}\n\n{error}"}
        return {"text/html": body, "text/plain": str(self)}
