"""Makes the lesson that plays itself: `python notebooks/lesson.py` writes diagrams/lesson.html and lesson.zh.html.

The script is lesson/script.toml. A chapter has lines; a line is a caption and what the picture does meanwhile:

    en, zh             the caption; {names} are replaced by numbers from the traces (see `facts`)
    notes              instead: [the English title of a slide, a paragraph of the notes for the speaker], whose text is
                       the caption. Of "**Ask:** question (answer)" first the question is shown, then the answer
    steps              instead: [first, last]; the sentences of these steps, one after the other
    program            "forward", "diamond" or "early"; holds for the lines after it, as `step` and `tab` do
    step               a step of that program, from 0
    tab                beside the graph: "words" or "source"
    ask, answer        the page's own question after that step ("Predict"), without and with its answer
    runs, compare      "Free choice": the Functions that the naive engine has run, and whether its result is shown
    lines              [first, last]: the beginnings of two lines of engine.py, which are marked with all between
    wait               seconds in addition to the time to read the caption

The pages are those of `drawing`, with lesson/player.js as the clock.
"""

import functools
import html
import re
import tomllib

import build
import slides

from legacy_autograd import Tensor
from legacy_autograd.autograd import Variable
from legacy_autograd.drawing import diagrams, page, page_shell
from legacy_autograd.drawing.backward import trace_backward
from legacy_autograd.drawing.forward import trace_forward
from legacy_autograd.drawing.frames import STYLE, frames

FOLDER = build.FOLDER / "lesson"
DECK = slides.FOLDER / "backward_in_an_hour.md"
NAMES = {"en": "lesson.html", "zh": "lesson.zh.html"}
_SECONDS, _SECONDS_A_WORD = 3, 0.4  # to look at the picture, to read
_THINK = 8  # seconds between a question of the notes and its answer
_STAYS = {"program", "step", "tab"}
_ASKS = {"en": r"\*\*Ask:\*\* (.*?\?) \((.*?)\)(?: |$)", "zh": r"\*\*问\*\*：(.*?？)（(.*?)）"}
_MINUTES = {"en": r"^\d+ minutes\. ", "zh": r"^\d+ 分钟。"}


@functools.cache
def traces():
    """Return the traces of the lesson's three programs, by name."""
    names = {}
    with trace_forward(params=names, title="z = x * y + (x + y)") as forward:
        names.update(diagrams._diamond_graph())
    x = Variable(Tensor([3.0]))
    a = x * 2
    z = a * a + a
    diamond = trace_backward(names["z"], params=names, title="x * y + (x + y)")
    early = trace_backward(z, params={"x": x, "a": a, "z": z}, title="a = 2x, a * a + a")
    return {"forward": forward, "diamond": diamond, "early": early}


def facts():
    """Return the numbers in the captions, from the traces."""
    made = {}
    for name, trace in traces().items():
        made[f"{name}_steps"] = len(trace)
        if name == "forward":
            continue
        labels = {number: node.label for number, node in trace.nodes.items()}
        made[f"{name}_order"] = " → ".join(labels[step.function] for step in trace if step.event == "pop")
        counts = next(step.counts for step in trace if step.event == "count")
        for number, count in counts.items():
            made[f"{name}_count_{labels[int(number)].split(' #')[0]}"] = sum(count)
        for step in trace:
            if step.event == "accumulate":
                made[f"{name}_grad_{labels[step.function].split(' #')[0]}"] = f"{step.after['values'][0]:g}"
    return made


def notes():
    """Return {an English heading of the deck: {"en": paragraphs of the notes, "zh": …}}."""
    found = {}
    for kind, content in build.cells_of(DECK.read_text(encoding="utf-8")):
        if kind == "text":
            parts = {lang: content[lang].partition(slides.NOTES) for lang in NAMES}
            heading = parts["en"][0].splitlines()[0].lstrip("# ")
            found[heading] = {lang: parts[lang][2].strip().split("\n\n") for lang in NAMES}
    return found


def script():
    """Return the chapters: [{"en": title, "zh": title, "cues": [cue]}].

    A cue is a caption in each language, its `seconds`, and what the picture shows. Raises ValueError for a line that
    leads nowhere.
    """
    chapters, said, known, stays = [], notes(), facts(), {}
    for chapter in tomllib.loads((FOLDER / "script.toml").read_text(encoding="utf-8"))["chapters"]:
        cues = []
        for line in chapter["lines"]:
            if "program" in line and line["program"] != stays.get("program"):
                stays["step"] = 0
            stays |= {name: line[name] for name in _STAYS & set(line)}
            for caption, wait, step in _captions(line, traces()[stays["program"]], said, known):
                if step is not None:
                    stays["step"] = step
                seconds = round(_SECONDS + _SECONDS_A_WORD * len(caption["en"].split())) + wait + line.get("wait", 0)
                cues.append(caption | {"seconds": seconds, "show": _shown(line, stays)})
        chapters.append({lang: chapter[lang] for lang in NAMES} | {"cues": cues})
    return chapters


def _captions(line, trace, said, known):
    """Return the captions of a line: [({language: text}, seconds in addition, step or None)]."""
    if "steps" in line:
        first, last = line["steps"]
        told = {lang: trace.in_language(lang) for lang in NAMES}
        return [({lang: told[lang][at].text for lang in NAMES}, 0, at) for at in range(first, last + 1)]
    if "notes" not in line:
        return [({lang: line[lang].format(**known) for lang in NAMES}, 0, None)]
    heading, paragraph = line["notes"]
    if heading not in said or not all(0 < paragraph <= len(said[heading][lang]) for lang in NAMES):
        raise ValueError(f"{DECK.name} has no paragraph {paragraph} of notes under {heading!r}")
    parts = {}
    for lang in NAMES:
        text = re.sub(_MINUTES[lang], "", said[heading][lang][paragraph - 1])
        # [before a question, question, answer, before the next question, …, after the last answer]
        pieces = re.split(_ASKS[lang], text.replace("\n", " "))
        parts[lang] = []
        for before, asked, answer in zip(pieces[::3], pieces[1::3], pieces[2::3]):
            parts[lang] += [(before + asked[0].upper() + asked[1:], _THINK), (answer, 0)]
        if pieces[-1]:
            parts[lang].append((pieces[-1], 0))
    if len(parts["en"]) != len(parts["zh"]):
        raise ValueError(f"the notes {paragraph} under {heading!r} have more captions in one language")
    return [
        ({lang: _without_emphasis(parts[lang][i][0]) for lang in NAMES}, wait, None)
        for i, (_, wait) in enumerate(parts["en"])
    ]


def _without_emphasis(text):
    """Return a text without the asterisks around words; those in code are a product."""
    return "".join(part if i % 2 else part.replace("*", "") for i, part in enumerate(re.split("(`[^`]*`)", text)))


def _shown(line, stays):
    """Return what the picture shows during a line."""
    shown = dict(stays)
    for name in ("ask", "answer"):
        if name in line:
            shown |= {"mode": "predict", "step": line[name], "answered": name == "answer"}
    if "runs" in line:
        shown |= {"mode": "choice", "runs": line["runs"], "compare": line.get("compare", False)}
    if "lines" in line:
        shown["lines"] = [line_of_engine(start) for start in line["lines"]]
    return shown


def line_of_engine(start):
    """Return the number of the only line of engine.py that begins with this text. Raises ValueError for none or two."""
    source = traces()["diamond"].source
    found = [at for at, line in enumerate(source["lines"], source["first"]) if line.strip().startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} lines of engine.py begin with {start!r}")
    return found[0]


def lesson(lang):
    """Return the HTML of the lesson in a language."""
    words = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))[lang]
    told = {name: trace.in_language(lang) for name, trace in traces().items()}
    programs = [{"title": trace.title, "text": None, "traces": {None: trace}} for trace in told.values()]
    text = page.programs_page(programs, words["title"], lang, embedded=True)
    chapters, time = [], 0
    for chapter in script():
        cues = []
        for cue in chapter["cues"]:
            shown = cue["show"] | {"program": list(told).index(cue["show"]["program"])}
            cues.append({"at": time, "text": cue[lang], "show": shown})
            time += cue["seconds"]
        chapters.append({"title": chapter[lang], "at": cues[0]["at"], "cues": cues})
    data = page_shell.script_json({"words": words, "seconds": time, "chapters": chapters})
    read = {name: (FOLDER / name).read_text(encoding="utf-8") for name in ("player.css", "player.html", "player.js")}
    plain = f"<style>{STYLE}</style><p>{html.escape(words['about'])}</p>{_without_script(chapters, told)}"
    end = f'{read["player.html"]}<script type="application/json" id="lesson">{data}</script>'
    additions = [
        ("</head>", f"<style>\n{read['player.css']}</style>\n"),
        ("</div></noscript>", plain),
        ('<script type="application/json" id="data">', end),
        ("</body>", f"<script>\n{read['player.js']}</script>\n"),
    ]
    return page_shell.with_additions(text, additions)


def _without_script(chapters, told):
    """Return the captions as text, and a picture of each chapter's last step, for a browser without scripts."""
    parts = []
    for chapter in chapters:
        shown = chapter["cues"][-1]["show"]
        trace = list(told.values())[shown["program"]]
        picture = frames(trace, {shown["step"]}, whole=False)[shown["step"]]
        said = "".join(f"<p>{html.escape(cue['text'])}</p>" for cue in chapter["cues"])
        parts.append(f"<h2>{html.escape(chapter['title'])}</h2>{page.image(picture, trace.title)}{said}")
    return "".join(parts)


if __name__ == "__main__":
    for language, name in NAMES.items():
        place = build.FOLDER.parent / "diagrams" / name
        place.write_text(lesson(language), encoding="utf-8")
        print(place)
