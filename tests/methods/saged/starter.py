from gpf_desktop.domain.resources import resources
from gpf_desktop.methods.saged.assembling import BuiltBenchmark, make_benchmark
from gpf_desktop.methods.saged.benchmark import Sentence
from gpf_desktop.methods.saged.branching import Branching
from gpf_desktop.methods.saged.replacements import read_replacements
from gpf_desktop.methods.saged.sentences import Keyword, with_keywords

STARTER = "velmora"


def starter() -> BuiltBenchmark:
    """The benchmark that comes with the program: an article about an invented country, eight countries in its place."""
    folder = resources() / "methods" / "saged"
    replacements = read_replacements(folder / "countries.yaml")
    text = (folder / f"{STARTER}.txt").read_text(encoding="utf-8")
    keywords = [Keyword(text=word) for word in replacements.words_of(replacements.root)]
    sentences = [
        Sentence(
            domain=replacements.domain,
            concept=replacements.root,
            keyword=found.keyword,
            source_tag=STARTER,
            text=found.text,
            root=f"{STARTER}-{number:02}",
        )
        for number, found in enumerate(with_keywords(text, keywords), start=1)
    ]
    return make_benchmark(sentences, replacements, Branching())
