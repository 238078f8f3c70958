"""Sphinx extension: the words of the search, for Chinese as well as English.

English words are found by their stems. Chinese has no spaces: each character and each pair of neighbours is a word, in
the pages and in the query. A page is found if it has all pairs of the query, so no dictionary is needed, which may not
know a term. A pair that no page has is left out: 梯度累加 then finds the pages with 梯度 and 累加.
"""

import re

from sphinx.search import SearchEnglish, languages

_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")


class SearchPairs(SearchEnglish):
    """The words of a text, with Chinese characters in pairs."""

    lang = "zh"
    js_splitter_code = r"""
var splitQuery = (query) => {
  const runs = query.replace(/[\u3400-\u9fff]+/g, " $& ").split(/[^\p{Letter}\p{Number}_]+/u).filter(Boolean);
  const isKnown = (pair) => [Search._index.terms, Search._index.titleterms].some((terms) => Object.hasOwn(terms, pair));
  const pairs = (run) => {
    const all = Array.from({ length: run.length - 1 }, (_, place) => run.slice(place, place + 2));
    return all.some(isKnown) ? all.filter(isKnown) : all;
  };
  return runs.flatMap((run) => (/^[\u3400-\u9fff]{2}/.test(run) ? pairs(run) : [run]));
};
"""

    def split(self, input):
        words = []
        for run in _RUN.findall(input):
            words.append(run)
            if "\u3400" <= run[0] <= "\u9fff" and len(run) > 1:
                words[-1:] = [*run, *(run[place : place + 2] for place in range(len(run) - 1))]
        return words


def setup(app):
    languages["zh"] = SearchPairs
    return {"parallel_read_safe": True}
