"""The scenes in the order of the texts, in the texts' parts."""

from viz.lessons.scene import Scene
from viz.lessons.scenes import (
    average,
    bottleneck,
    costs,
    decoder,
    depth,
    distance,
    encoder,
    explanation,
    formulas,
    gains,
    halves,
    heads,
    matrices,
    parallel,
    positions,
    scaling,
    scores,
    seq2seq,
    steps,
)

TAUGHT: dict[str, tuple[Scene, ...]] = {
    "sequence": (seq2seq.SCENE, bottleneck.SCENE, distance.SCENE, parallel.SCENE),
    "attention": (average.SCENE, steps.SCENE, scores.SCENE),
    "self": (matrices.SCENE, scaling.SCENE, positions.SCENE, heads.SCENE),
    "transformer": (encoder.SCENE, decoder.SCENE, depth.SCENE),
    "value": (gains.SCENE, costs.SCENE, explanation.SCENE, halves.SCENE),
}
PARTS = TAUGHT | {"sheet": (formulas.sheet([scene for part in TAUGHT.values() for scene in part]),)}
SCENES = tuple(scene for part in PARTS.values() for scene in part)
