"""The scenes in the order of the texts, in the texts' parts."""

from viz.pages.lessons.scene import Scene
from viz.pages.lessons.scenes import bottleneck, formulas

PARTS: dict[str, tuple[Scene, ...]] = {
    "sequence": (bottleneck.SCENE,),
    "sheet": (formulas.SCENE,),
}
SCENES = tuple(scene for part in PARTS.values() for scene in part)
