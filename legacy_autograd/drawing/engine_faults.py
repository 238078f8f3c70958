"""Where an engine first differs from the real one, and what it did wrong, in words (`words.toml`)."""

from dataclasses import dataclass, field

from .holders import written_text
from .labels import record_text
from .sentences import words_in

_BY_THE_COUNT = ("too_early", "uses", "never", "again", "leaf_again", "raised", "endless")


@dataclass
class Finding:
    """The first difference: the fault's `kind`, or None if there is none, and the `index` of a step of the own engine.

    `nodes` are the numbers of the Functions that the step is about. `fields` are those of the text of `key`.
    """

    key: str
    kind: str | None = None
    index: int | None = None
    nodes: list = field(default_factory=list)
    fields: dict = field(default_factory=dict)
    cause: tuple | None = None  # (key, fields): what the fault comes from

    def reason(self, lang):
        """Return what happens at the step, without its number."""
        told = [] if self.cause is None else [self._told(*self.cause, lang)]
        return words_in(lang)["engines"]["joined"].join([*told, self._told(self.key, self.fields, lang)])

    def text(self, lang, step):
        """Return the whole verdict."""
        reason = self.reason(lang)
        return reason if self.kind is None else words_in(lang)["engines"]["wrong_at"].format(step=step, reason=reason)

    def _told(self, key, fields, lang):
        if key == "in_place":
            return fields[lang]
        words = words_in(lang)["engines"]
        nothing = words["nothing"]
        shown = {}
        for name, value in fields.items():
            if isinstance(value, dict):
                value = record_text(value)
            elif isinstance(value, list):
                texts = [record_text(v) if isinstance(v, dict) else nothing if v is None else str(v) for v in value]
                last = words["and"] + texts.pop() if len(texts) > 1 else ""
                value = words["names"].join(texts) + last
            shown[name] = nothing if value is None else value
        plural = f"{key}_more" if shown.get("plural") and f"{key}_more" in words else key
        return words[plural].format(**shown)


def finding_of(mine, real, fault):
    """Return the Finding of a run of an engine; `real` is that of the real one. `fault` is the engine's, or None."""
    if fault is None:
        return _difference(mine, real)
    label = None if fault.function is None else mine.trace.nodes[fault.function].label
    fields = {"function": label, **fault.fields}
    fields["plural"] = len(fault.fields.get("missing", ())) > 1
    index = len(mine.trace) - 1 if fault.call is None else mine.pops[fault.call]
    finding = Finding(_key(fault), fault.kind, index, fault.nodes, fields)
    if mine.held is not None:
        _find_cause(finding, fault, mine, real)
    return finding


def _key(fault):
    if fault.kind == "raised" and fault.fields.get("line") is None:
        return "raised_elsewhere"
    if fault.kind in ("lost", "twice") and fault.fields.get("by") is None:
        return f"{fault.kind}_root"
    return "nothing_came" if fault.kind == "nothing" else fault.kind


def _find_cause(finding, fault, mine, real):
    """Where every step of the engine is known, go back to the step that the fault comes from."""
    if fault.kind in ("written", "caller"):
        for index, (step, held) in enumerate(zip(mine.trace, mine.held, strict=True)):
            if held.written:
                texts = {lang: written_text(mine.trace, step, held, words_in(lang)["museum"]) for lang in ("en", "zh")}
                finding.key, finding.fields = "in_place", texts
                finding.index, finding.nodes = index, [step.function]
                return
    if fault.kind in _BY_THE_COUNT:
        counts = {step.event: (index, step.counts) for index, step in enumerate(mine.trace) if step.event == "count"}
        right = next(step.counts for step in real.trace if step.event == "count")
        index, counted = counts["count"]
        wrong = [n for n, count in counted.items() if n in right and sum(count) != sum(right[n])]
        wrong = [number for number in wrong if fault.function in (None, number)]
        if wrong:
            number, then, today = wrong[0], sum(counted[wrong[0]]), sum(right[wrong[0]])
            key = ("counts_more" if then > today else "counts_less") + ("_one" if then == 1 else "")
            fields = {"function": mine.trace.nodes[number].label, "then": then, "today": today}
            finding.cause, finding.index, finding.nodes = (key, fields), index, [number]


def _difference(mine, real):
    """Return the Finding of an engine without a fault: another order, or none."""
    ours, theirs = mine.calls, real.calls
    for call, (own, other) in enumerate(zip(ours, theirs)):
        if own != other:
            fields = {"function": mine.trace.nodes[own].label, "other": real.trace.nodes[other].label}
            return Finding("order", index=mine.pops[call], nodes=[own], fields=fields)
    return Finding("same" if len(ours) == len(theirs) else "not_run")
