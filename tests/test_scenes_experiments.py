"""The scenes with experiments of their own, without a browser: pictures and words hold what was measured."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.experiments import depth, score_scaling
from model.experiments.attribution import step_gradient, word_drops
from tests.test_scenes_attention import HOSTILE, LARGE, checkpoints, figure, numbers, run, scene, seen  # noqa: F401
from viz import models
from viz.analysis.alignment import Pick, picked
from viz.analysis.correlation import PAIRS, WITNESSES, Witnesses, by_chance, witnesses
from viz.examples import EXAMPLES

pytestmark = pytest.mark.usefixtures("checkpoints")


def lines_of(app: AppTest, at: int) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(numbers(trace["x"]), numbers(trace["y"])) for trace in figure(app, at)["data"]]


# Scaling


@pytest.mark.parametrize("what", ["gradient", "largest", "entropy"])
def test_scaling_draws_what_was_measured(what: str) -> None:
    app = scene("scaling", scaling_seed="3", scaling_what=what, scaling_width="256")
    found = score_scaling.measure_scaling(3)
    variances, outcomes, row = (lines_of(app, at) for at in range(3))
    for (x, y), name in zip(variances, ("variance", "width", "divided_variance"), strict=True):
        assert x.tolist() == list(score_scaling.WIDTHS)
        assert y.tolist() == [getattr(each, name) for each in found]
    for (_, y), name in zip(outcomes, ("plain", "divided"), strict=True):
        assert y.tolist() == [getattr(getattr(each, name), what) for each in found]
    one = found[score_scaling.WIDTHS.index(256)]
    for (_, y), weights in zip(row, one.rows, strict=True):
        assert y.tolist() == list(weights)
    assert f"{one.numbers[0].largest:.1%} not divided, {one.numbers[1].largest:.1%} divided" in seen(app)
    assert f"{score_scaling.QUERIES * score_scaling.KEYS:,} pairs" in seen(app)


def test_scaling_needs_no_sentence_and_changes_with_its_controls() -> None:
    app = scene("scaling")
    assert not app.text_input
    before = lines_of(app, 2)
    app.button_group(key="scaling.width").set_value(1024)
    assert lines_of(run(app), 2)[0][1].tolist() != before[0][1].tolist()
    assert "dₖ = 1,024" in seen(app)
    app.slider(key="scaling.seed").set_value(9)
    assert lines_of(run(app), 0)[0][1].tolist() == [each.variance for each in score_scaling.measure_scaling(9)]


# Depth


@pytest.mark.parametrize("what", ["arriving", "weights"])
def test_depth_draws_what_was_measured(what: str) -> None:
    app = scene("depth", depth_layers="5", depth_what=what)
    found = depth.measure_depth(5)
    for (x, y), each in zip(lines_of(app, 0), found, strict=True):
        assert y.tolist() == list(getattr(each, what))
        assert x.tolist() == list(range(6 - len(y), 6))
    for (x, y), each in zip(lines_of(app, 1), found, strict=True):
        assert (x.tolist(), y.tolist()) == (list(range(6)), list(each.alike))
    lines = [line for line in seen(app).replace("\\", "").splitlines() if line.startswith("| ")]
    names = ("both", "residual only", "LayerNorm only", "neither")
    for line, name, each in zip([line for line in lines if "cosine" not in line and "---" not in line], names, found,
                                strict=True):  # fmt: skip
        assert line.startswith(f"| {name} |")
        assert line.endswith(f"| {each.alike[2]:.3f} | {each.alike[-1]:.3f} |")


def test_depth_follows_its_slider() -> None:
    app = scene("depth")
    assert len(lines_of(app, 1)[0][0]) == 13
    app.slider(key="depth.layers").set_value(2)
    assert len(lines_of(run(app), 1)[0][0]) == 3
    assert "5 stacks of 2 encoder layers" in seen(app)


# Explanation


def expected(model: str, pick: Pick, text: str = EXAMPLES[0]) -> Witnesses:
    translation = models.translate(text)
    if model != models.TRANSFORMER:
        translation = models.translate(text, model=model, target=translation.text)
    translator = models.translator(model)
    gradients = np.stack([step_gradient(translator, translation, step) for step in range(len(translation.target))])
    return witnesses(translation, picked(translation.cross, pick), word_drops(translator, translation), gradients)


@pytest.mark.parametrize(("model", "layer"), [(models.TRANSFORMER, 0), (models.TRANSFORMER, 2), (LARGE, 0)])
def test_explanation_holds_the_three_against_each_other(model: str, layer: int) -> None:
    app = scene("explanation", explanation_model=model, explanation_layer=str(layer), explanation_step="1")
    found = expected(model, Pick(view="predicted", layer=layer - 1 if layer else None))
    for trace, name in zip(figure(app, 0)["data"], WITNESSES, strict=True):
        np.testing.assert_allclose(numbers(trace["y"]), found.values[name][1], rtol=1e-3, atol=1e-5)
        assert [int(note) for note in trace["text"]] == found.places(name, 1)
    words = seen(app).replace("\\", "")
    for pair in PAIRS:
        shown = [
            f"{round(rho, 2) + 0.0:.2f}".replace("-", "\u2212") for rho in (found.agreement[pair][1], found.mean(pair))
        ]
        assert f"| {pair[0]} and {pair[1]} | {shown[0]} | {shown[1]} |" in words
    count = len(found.words.groups)
    assert f"{count} words in random order come out within ±{by_chance(count):.2f}" in words
    assert "Jain and Wallace (2019" in words
    assert "Wiegreffe and Pinter (2019" in words


def test_explanation_offers_layers_of_the_transformer_only() -> None:
    app = scene("explanation")
    assert app.button_group(key="explanation.model").options == ["Transformer", "RNN, additive (24)"]
    assert app.button_group(key="explanation.layer").options[:2] == ["all layers", "layer 1"]
    app.button_group(key="explanation.model").set_value(LARGE)
    assert "explanation.layer" not in [group.key for group in run(app).button_group]


def test_explanation_without_a_recurrent_model_keeps_the_transformer(checkpoints: Path) -> None:  # noqa: F811
    for folder in checkpoints.glob("rnn-*"):
        (folder / "config.json").unlink()
    models.recurrent.clear()
    assert scene("explanation").button_group(key="explanation.model").options == ["Transformer"]


@pytest.mark.parametrize("model", [models.TRANSFORMER, LARGE])
@pytest.mark.parametrize("sentence", HOSTILE)
def test_explanation_takes_whatever_is_typed(sentence: str, model: str) -> None:
    app = scene("explanation", sentence=sentence, explanation_model=model)
    enough = len(models.translate(sentence).source) > 1 and bool(app.get("plotly_chart"))
    assert enough or "at least 3 words" in seen(app)


@pytest.mark.parametrize("name", ["scaling", "depth", "explanation"])
def test_every_one_speaks_chinese_too(name: str) -> None:
    app = scene(name)
    app.session_state["app.language"] = "zh"
    assert "试一试" in seen(run(app))
