"""The texts of a trace's steps, in English or in Chinese (`words.toml`)."""

import functools
import tomllib
from importlib import resources

from .labels import record_text, size_text

_MOST_COUNTS = 8  # in the text of `count`


@functools.cache
def words_in(lang):
    """Return the words of the language `lang`, {section: {key: text}}. Raises ValueError for an unknown language."""
    languages = tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
    if lang not in languages:
        raise ValueError(f"the language must be one of {', '.join(map(repr, languages))}, got lang={lang!r}")
    return languages[lang]


class Sentences:
    """Writes the texts of steps in one language. `nodes` is {number: Node}, as in `Trace.nodes`."""

    def __init__(self, nodes, lang):
        self._nodes = nodes
        self._words = words_in(lang)
        self._joined = self._words["joined"]

    def title(self, kind, about):
        """Return the title of a trace of `about`, a name or a label."""
        return self._words["title"][kind].format(about=about)

    def of(self, kind, step):
        """Return the text of one step of a trace of the `kind` "backward" or "forward"; a note has its own text."""
        if step.event == "note":
            return step.text
        return getattr(self, f"_{kind}")(step)

    # --- of a backward

    def _backward(self, step):
        event, facts = step.event, step.facts or {}
        words = self._words["backward"]
        if facts.get("watched"):  # of an engine of which only the Functions are watched
            words = {**words, **self._words["watched"]}
        elif facts.get("own"):
            words = {**words, **self._words["own"]}
        fields = {"function": self._label(step.function), "by": self._label(step.by), "name": step.name}
        if step.function is not None and step.output is not None:
            fields["which"] = self._which(step.function, step.output)
        for name in ("gradient", "before", "after"):
            value = getattr(step, name)
            fields[name] = value if isinstance(value, int) else self._gradients(value)
        fields["gradients"] = self._gradients(step.gradients)
        fields |= {"zeros": self._zeros(facts.get("zeros", ())), "left": facts.get("left"), "error": facts.get("error")}
        key = event
        if event == "count":
            fields["counts"] = self._counts(step.counts)
            key = "count" if step.counts else "count_nothing"
        elif event in ("pop", "push") and step.gradients is None:
            key = f"{event}_nothing"
        elif event == "hook":
            key = f"hook_{facts['when']}" + ("" if step.after is None else "_replaced")
        elif event == "ran":
            key = "ran_one" if len(step.gradients) == 1 else "ran_several"
            fields["count"] = len(step.gradients)
        elif event == "accumulate" and step.before is None:
            fields["before"] = "None"
        elif event == "free" and step.after == 1:
            key = "free_one"
        elif event == "ask":
            key = "ask_yes" if step.answer else "ask_no"
        elif event == "add" and step.before is None:
            key = "add_first"
        return words[key].format(**fields, **self._missing(step, fields))

    def _missing(self, step, fields):
        """Return the text of a Function that waits, which names who has not sent a gradient."""
        facts, words = step.facts or {}, self._words["backward"]
        senders = facts.get("missing")
        if senders is None:
            return {"waits": ""}
        key = "missing_several" if senders else "missing_none"
        if senders == [step.by]:
            key = "missing_same"
        elif len(senders) == 1:
            key = "missing_one" if facts["left"] == 1 else "missing_both"
        missing = words[key].format(names=self._names(map(self._label, senders)), **fields)
        counts = {"arrived": facts["of"] - facts["left"], "of": facts["of"]}
        return {"waits": words["waits"].format(missing=missing, **counts, **fields)}

    def _label(self, number):
        return None if number is None else self._nodes[number].label

    def _which(self, number, output):
        label = self._label(number)
        if len(self._nodes[number].sizes) == 1:
            return label
        return self._joined["which_output"].format(output=output, function=label)

    def _gradients(self, records):
        records = records if isinstance(records, list) else [records]
        return self._joined["gradients"].join(
            self._joined["nothing"] if record is None else record_text(record) for record in records
        )

    def _counts(self, counts):
        words = self._words["backward"]
        pairs = list(counts.items())
        told = [words["count_one"].format(function=self._label(n), count=sum(c)) for n, c in pairs[:_MOST_COUNTS]]
        more = len(pairs) - len(told)
        if more:
            told.append(words["count_more_one" if more == 1 else "count_more"].format(count=more))
        return self._names(told)

    def _zeros(self, outputs):
        if not outputs:
            return ""
        key = "zeros_one" if len(outputs) == 1 else "zeros_several"
        return self._words["backward"][key].format(outputs=self._names(map(str, outputs)))

    def _names(self, names):
        return self._joined["names"].join(names)

    # --- of a forward

    def _forward(self, step):
        facts, words = step.facts, self._words["forward"]
        fields = {"function": self._label(step.function), "kind": facts.get("kind"), "error": facts.get("error")}
        key = step.event
        if key == "call":
            fields["inputs"] = self._names(map(self._input, facts["inputs"]))
        elif key == "forward":
            fields["sizes"] = ", ".join(map(size_text, facts["sizes"]))
            fields["gradients"] = self._gradients(step.gradients)
        elif key == "wrap":
            return self._wrap(facts, fields)
        elif key == "link":
            fields["links"] = f"[{', '.join(map(self._edge, facts['links']))}]"
        elif key == "end":
            fields["count"] = len(self._nodes)
            key = "end_one" if len(self._nodes) == 1 else "end"
        return words[key].format(**fields)

    def _wrap(self, facts, fields):
        words, leaves = self._words["forward"], facts["leaves"]
        outputs = facts["outputs"]
        if all(leaves):
            return words["wrap_leaves"]
        key = "wrap_several"
        if len(outputs) == 1:
            key = "wrap_one" if outputs[0] is None else "wrap_named"
        text = words[key].format(outputs=self._names(self._outputs(outputs)), **fields)
        return text + (words["wrap_some_leaves"] if any(leaves) else "")

    def rows(self, step):
        """Return what a step of a forward recorded, as {attribute: its value as text}."""
        facts, words = step.facts, self._words["forward"]
        if step.event == "call":
            return {words["row_input"]: self._names(map(self._input, facts["inputs"]))}
        if step.event == "forward":
            saved = {words["row_saved"]: ", ".join(facts["saved"])} if facts["saved"] else {}
            return {words["row_forward"]: self._gradients(step.gradients), **saved}
        if step.event == "wrap":
            return {words["row_output"]: self._names(self._outputs(facts["outputs"]))}
        if step.event == "link":
            ids = [
                f"{words['id_of'].format(output=output)}: {number}"
                for number, output in enumerate(self._outputs(facts["outputs"]))
            ]
            return {
                "previous_functions": f"[{', '.join(map(self._edge, facts['links']))}]",
                "output_ids": f"{{{', '.join(ids)}}}",
                "needs_input_grad": str(tuple(facts["needs_input_grad"])),
                "requires_grad": str(facts["requires_grad"]),
            }
        return {}

    def _input(self, variable):
        """Return a Variable's name, or the Function that made it."""
        if "name" in variable:
            return variable["name"]
        edge = self._edge(variable)
        if variable["leaf"] or variable["several"]:
            return edge
        return self._words["forward"]["output_of"].format(function=edge)

    def _outputs(self, names):
        words = self._words["forward"]
        one = words["the_output"] if len(names) == 1 else words["output"]
        return [one.format(output=number) if name is None else name for number, name in enumerate(names)]

    def _edge(self, edge):
        label = self._label(edge["function"]) or edge["kind"]
        if not edge["several"]:
            return label
        return self._joined["which_output"].format(output=edge["output"], function=label)
