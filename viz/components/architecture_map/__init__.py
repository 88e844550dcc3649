"""The architecture map: encoder and decoder as in figure 1 of Vaswani et al. 2017, every block a button.

Python says what the blocks are, in what order, and what their words and colours are; the browser (map.js) draws boxes
and arrows and reports which block is chosen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from viz.analysis.architecture import ATTENTION, Block, Stack
from viz.components import declare, tell
from viz.theme import CATEGORICAL

COLOURS: dict[str, int] = {
    **dict.fromkeys(ATTENTION, 0),
    **dict.fromkeys(("embedding", "position", "linear"), 3),
    **dict.fromkeys(("addnorm", "norm", "add", "lastnorm"), 4),
    "feed": 2,
}
"""Which colour of viz.theme.CATEGORICAL a role has; others have none."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """One block and its words."""

    block: Block
    label: str
    detail: str = ""
    """Small, below the label: numbers, or pieces of the sentence. Cut where it does not fit."""
    title: str
    """Its name outside the drawing."""
    says: str
    """What it does, in a sentence or two."""


def payload(
    boxes: Sequence[Box], *, stacks: Mapping[Stack, tuple[str, str]], texts: Mapping[str, str], chosen: str
) -> dict[str, object]:
    """What the browser needs, as plain JSON: boxes from the bottom to the top of each stack, words not escaped (the
    browser side writes them as text)."""
    return {
        "texts": dict(texts),
        "stacks": dict(stacks),
        "chosen": chosen,
        "colours": CATEGORICAL,
        "boxes": [
            {
                "name": box.block.name,
                "stack": box.block.stack,
                "label": box.label,
                "detail": box.detail,
                "title": box.title,
                "says": box.says,
                "colour": COLOURS.get(box.block.role),
                "inside": box.block.kind is not None,
                "beside": box.block.role == "position",
                "skips": box.block.skips,
                **_arrows(box.block.role),
            }
            for box in boxes
        ],
    }


def _arrows(role: str) -> dict[Literal["below", "across"], list[str]]:
    """Letters at the arrows that come in from below, and from the other stack."""
    if role == "cross":
        return {"below": ["Q"], "across": ["K", "V"]}
    return {"below": ["Q", "K", "V"] if role in ATTENTION else [], "across": []}


_mount = declare("architecture_map", html="map.html", css=("map.css",), js="map.js")


def architecture_map(
    boxes: Sequence[Box],
    *,
    stacks: Mapping[Stack, tuple[str, str]],
    texts: Mapping[str, str],
    chosen: str,
    key: str,
) -> str:
    """Draw it, and say which block is chosen. `stacks` has the name of each stack, and how often its layer is there.

    The choice is the browser's: `chosen` says where it starts, and later values change nothing.
    """
    names = [box.block.name for box in boxes]
    assert chosen in names, "a block of the map"
    assert len(set(names)) == len(names), "names must differ"
    data = payload(boxes, stacks=stacks, texts=texts, chosen=chosen)
    # Streamlit keeps a state only for names that have a callback.
    state = _mount(data=data, key=key, height="content", on_block_change=lambda: None)
    found = state.get("block")
    shown: str = found if found in names else chosen
    tell("architecture_map", key, data | {"chosen": shown})
    return shown
