"""Sphinx's settings for the site; `build.py` says how it is put together."""

import configparser
import os
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE / "_extensions"), str(_HERE.parent)]

_metadata = configparser.ConfigParser()
_metadata.read(_HERE.parent / "setup.cfg", encoding="utf-8")

os.environ["LEGACY_AUTOGRAD_PLAIN"] = "1"  # the reference shows the book, not its fast twin
import legacy_autograd  # noqa: E402

# build.py runs Sphinx once for each language, and names it as a tag.
language = "zh_CN" if tags.has("zh") else "en"  # noqa: F821

project = "legacy_autograd"
author = _metadata["metadata"]["author"]
copyright = author
release = version = legacy_autograd.__version__
repository = _metadata["metadata"].get("url", "").rstrip("/")  # empty: no link leads to a repository

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "benchmark_chart",
    "docstrings",
    "links_to_2016",
    "search_words",
    "site_pages",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
# A class such as Trace has one name in several modules, and a hint says only that.
suppress_warnings = ["ref.python"]
root_doc = "index"

nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_code_prompt_show = "Show the code and its output" if language == "en" else "显示代码和输出"
nb_code_prompt_hide = "Hide the code and its output" if language == "en" else "隐藏代码和输出"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "attrs_block", "attrs_inline"]
myst_url_schemes = {"http": None, "https": None, "mailto": None, "site": "{{path}}"}  # site: is site_pages.py's
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
add_module_names = False

# furo is 60 kB of styles and scripts. pydata-sphinx-theme, which has more releases, is 2 MB with Bootstrap and Font
# Awesome, and sphinx-book-theme is bound to one version of it.
html_theme = "furo"
pygments_dark_style = "a11y-dark"
html_title = "legacy_autograd"
html_static_path = ["_static"]
standing_files = [f"diagrams/{path.name}" for path in (_HERE.parent / "diagrams").glob("*.html")] + [
    "museum.html",
]
templates_path = ["_templates"]
html_favicon = "_static/icon.svg"
html_css_files = ["site.css"]
html_js_files = [(f"{name}.js", {"defer": "defer"}) for name in ("filter", "later", "notebook", "scroll", "stage")]
html_use_index = False  # the search finds the names
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
