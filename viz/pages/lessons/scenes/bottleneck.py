"""The bottleneck: quality against source length, with one vector for the sentence and with attention."""

from model.trace import Translation
from viz.pages.compare import long_sentences
from viz.pages.lessons.scene import More, Scene


def draw(translation: Translation) -> None:
    long_sentences.by_length()


SCENE = Scene(
    name="bottleneck",
    draw=draw,
    formulas=("summary",),
    more=(More(page="viz/pages/compare/page.py", title="compare.title", chosen={"part": "long"}),),
    reads=False,
)
