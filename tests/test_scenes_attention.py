"""The lessons on attention without a browser: what each scene draws is the model's, and every control does its work."""

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import build, load_checkpoint, save_checkpoint
from model.experiments.rnn_step import decoder_step
from model.records import Translation
from model.rnn import Rnn
from tests.drawn import numbers
from tests.test_matrix_sheet import unpack
from viz import models
from viz.analysis.scores import sharpness
from viz.analysis.vectors import averaged, distance, plane
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.lessons.rnn import SCORES

ROOT = Path(__file__).parent.parent
LARGE = "en-fr/rnn-large"
SCENES = ("average", "steps", "scores")
HOSTILE = ("<b>x</b>", "$x$ `a` **b** :red[x]", "</s> <s>", "مرحبا", "你好", "a\x00b", "#000001", "?", "the " * 300)
MEASURED = {"settings": {"epochs": 3.0}, "test": {"greedy": {"bleu": 12.345}}}


@pytest.fixture
def checkpoints(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny Transformer, a small recurrent model of each score function, a larger one, and one without attention,
    which have learnt nothing."""
    folder = tmp_path / "en-fr"
    shutil.copytree(tiny, folder / "transformer")
    vocabulary = (tiny / "tokenizer.json").read_text(encoding="utf-8")
    reads = load_checkpoint(tiny).model.config
    size = {"vocab_size": reads.vocab_size, "max_length": reads.max_length}
    small = [(f"rnn-{score}", score, 16) for score in SCORES]
    for name, score, width in (*small, ("rnn-large", "additive", 24), ("rnn-none", "last", 16)):
        torch.manual_seed(1)
        model = build({"kind": "rnn", "d_model": width, "score": score, **size})
        save_checkpoint(folder / name, model, vocabulary, MEASURED, "")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    yield folder
    clear()


def clear() -> None:
    models.forget()


def scene(name: str, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page("viz/pages/lessons.py")
    for key, value in {"scene": name, "language": "en", **query}.items():
        app.query_params[key] = value
    return run(app)


def run(what: Any) -> AppTest:
    """The app, or something of it that was changed."""
    app: AppTest = what.run()
    assert not app.exception
    return app


def figure(app: AppTest, at: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[at].proto.spec)
    return found


def seen(app: AppTest) -> str:
    """Everything said in words."""
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.warning, *app.text))


def own(text: str = EXAMPLES[0]) -> Translation:
    return models.translate(text, model=LARGE)


def sheets(app: AppTest) -> dict[str, list[np.ndarray]]:
    """The matrices of each mount, by its name."""
    protos = [element.proto for element in app.get("bidi_component")]
    sent = [unpack(proto.bytes) for proto in protos if proto.component_name == "matrix_sheet" and proto.bytes]
    return {header["id"]: arrays for header, arrays in sent}


# ---- the weighted average ------------------------------------------------------------------------------------------


def bars_of(app: AppTest) -> tuple[np.ndarray, np.ndarray]:
    """The weights given, and the model's own, as they are drawn."""
    given, model = figure(app, 1)["data"]
    return numbers(given["y"]), numbers(model["y"])


def mark(app: AppTest, name: str) -> np.ndarray:
    found = next(each for each in figure(app, 0)["data"] if each["name"] == name)
    return np.array([numbers(found["x"])[0], numbers(found["y"])[0]])


def test_it_starts_with_mean_pooling(checkpoints: Path) -> None:
    app = scene("average")
    found = own()
    assert found.recurrent is not None
    step = int(found.log_probs.argmin())
    count, states = len(found.source), found.recurrent.source
    given, model = bars_of(app)
    np.testing.assert_allclose(given, 1 / count, atol=1e-6)
    np.testing.assert_allclose(model, found.cross[0, 0, step], atol=1e-6)
    view = plane(states)
    np.testing.assert_allclose(mark(app, t("scene.average.mark.given")), 0, atol=1e-4)
    np.testing.assert_allclose(
        mark(app, t("scene.average.mark.own")), view.of(found.recurrent.contexts[step]), atol=1e-4
    )
    dots = next(each for each in figure(app, 0)["data"] if each["name"] == t("scene.average.states"))
    np.testing.assert_allclose(np.stack((numbers(dots["x"]), numbers(dots["y"])), 1), view.of(states), atol=1e-5)
    assert f"{view.share:.0%} of their variance" in seen(app)
    assert f"{distance(states.mean(0), found.recurrent.contexts[step]):.2f} away" in seen(app)


def next_pieces(app: AppTest) -> list[list[str]]:
    """The rows of the table of next pieces."""
    table = next(each.value for each in app.markdown if each.value.startswith("| Rank"))
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def first(weights: tuple[float, ...] | None, step: int) -> str:
    """The most probable next piece as the table has it."""
    best = models.ask(decoder_step, own(), step, weights, model=LARGE).alternatives[0]
    return f"{best.label} {math.exp(best.log_prob):.1%}"


def plain(cell: str) -> str:
    return cell.replace("\\", "")


def test_a_slider_moves_the_context_and_the_next_piece_is_the_models(checkpoints: Path) -> None:
    app = scene("average", average_step="2")
    app.slider(key="average.weight/1").set_value(100)
    app.slider(key="average.weight/0").set_value(0)
    run(app)
    found = own()
    assert found.recurrent is not None
    weights, context = averaged([0, 100, *[50] * (len(found.source) - 2)], found.recurrent.source)
    np.testing.assert_allclose(bars_of(app)[0], weights, atol=1e-6)
    np.testing.assert_allclose(
        mark(app, t("scene.average.mark.given")), plane(found.recurrent.source).of(context), atol=1e-4
    )
    row = next_pieces(app)[0]
    assert [plain(cell) for cell in row[1:]] == [first(tuple(weights.tolist()), 2), first(None, 2)]


def test_buttons_move_all_sliders(checkpoints: Path) -> None:
    app = scene("average", average_step="1")
    count = len(own().source)
    run(app.button(key="average.own").click())
    np.testing.assert_allclose(bars_of(app)[0], own().cross[0, 0, 1], atol=0.005)
    run(app.button(key="average.only/3").click())
    np.testing.assert_array_equal(bars_of(app)[0], np.eye(count)[3])
    found = own().recurrent
    assert found is not None
    np.testing.assert_allclose(
        mark(app, t("scene.average.mark.given")), plane(found.source).of(found.source[3]), atol=1e-4
    )
    app.slider(key="average.weight/3").set_value(0)
    run(app)
    np.testing.assert_allclose(bars_of(app)[0], 1 / count, atol=1e-6)  # nothing at all counts as all equal
    run(app.button(key="average.mean").click())
    assert {app.slider(key=f"average.weight/{place}").value for place in range(16)} == {50}
    np.testing.assert_allclose(bars_of(app)[0], 1 / count, atol=1e-6)


def test_another_sentence_begins_with_mean_pooling_again(checkpoints: Path) -> None:
    app = scene("average")
    run(app.button(key="average.only/0").click())
    run(app.text_input(key="app.sentence").set_value("We see the apple."))
    given, _ = bars_of(app)
    np.testing.assert_allclose(given, 1 / len(given), atol=1e-6)


def test_a_long_sentence_shows_its_sliders_part_by_part(checkpoints: Path) -> None:
    text = "the cat sees a dog. " * 4
    app = scene("average", sentence=text, **{"average_weight-20": "0"})
    count = len(own(text).source)
    assert count > 16
    assert sum(str(each.key).startswith("average.weight/") for each in app.slider) == 16
    given, _ = bars_of(app)
    assert given[20] == 0
    np.testing.assert_allclose(np.delete(given, 20), 1 / (count - 1), atol=1e-6)
    run(app.button_group(key="average.group").set_value(1))
    assert app.slider(key="average.weight/20").value == 0
    assert app.query_params["average_weight-20"] in ("0", ["0"])


# ---- one step ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 3])
def test_every_stage_shows_the_models_numbers(checkpoints: Path, number: int) -> None:
    app = scene("steps", steps_step=str(number))
    found = own()
    steps = found.recurrent
    assert steps is not None
    assert steps.scores is not None
    drawn = sheets(app)
    scores, weights = steps.scores[number], found.cross[0, 0, number]
    before, row = drawn["steps.stage/score"]
    np.testing.assert_allclose(row[0], scores, atol=1e-6)
    if number:
        np.testing.assert_allclose(before[0], steps.states[number - 1], atol=1e-6)
    power, soft = drawn["steps.stage/softmax"][0]
    np.testing.assert_allclose(power / power.sum(), weights, atol=1e-6)
    np.testing.assert_allclose(soft, weights, atol=1e-6)
    parts, context = drawn["steps.stage/context"]
    np.testing.assert_allclose(parts, weights[:, None] * steps.source, atol=1e-6)
    np.testing.assert_allclose(parts.sum(0), context[0], atol=1e-5)
    np.testing.assert_allclose(context[0], steps.contexts[number], atol=1e-6)
    state, joined, read = drawn["steps.stage/join"][0]
    np.testing.assert_allclose(state, steps.states[number], atol=1e-6)
    np.testing.assert_allclose(joined, context[0], atol=1e-6)
    model = models.translator(LARGE).model
    assert isinstance(model, Rnn)
    width = len(read)
    embedded = model.pieces.weight[found.decoder_input[number].id].numpy() * math.sqrt(width)
    np.testing.assert_allclose(read, embedded, atol=1e-5)
    (bar,) = figure(app, 0)["data"]
    np.testing.assert_allclose(
        numbers(bar["y"]), [math.exp(each.log_prob) for each in found.alternatives[number]], atol=1e-5
    )


# ---- four score functions ------------------------------------------------------------------------------------------


def test_four_maps_hold_every_model_to_the_transformers_french(checkpoints: Path) -> None:
    app = scene("scores")
    french = models.translate(EXAMPLES[0]).text
    drawn = figure(app, 0)["data"]
    table = next(each.value for each in app.markdown if each.value.startswith("| Model")).splitlines()[2:]
    assert len(drawn) == len(table) == 4
    for score, trace, row in zip(SCORES, drawn, table, strict=True):
        forced = models.translate(EXAMPLES[0], model=f"en-fr/rnn-{score}", target=french)
        assert forced.recurrent is not None
        assert forced.recurrent.scores is not None
        np.testing.assert_array_equal(numbers(trace["z"]), forced.cross[0, 0])
        found = sharpness(forced.recurrent.scores, forced.cross[0, 0])
        cells = [plain(cell.strip()) for cell in row.strip("|").split("|")]
        assert t(f"model.score.{score}") in cells[0]
        assert cells[1:] == ["12.3", "–", f"{found.spread:.2f}", f"{found.entropy:.2f}", f"{found.slope:.3f}"]
    assert "for 3 epochs only" in seen(app)


def test_models_that_were_trained_otherwise_are_not_said_to_be_alike(checkpoints: Path) -> None:
    metrics = checkpoints / "rnn-dot" / "metrics.json"
    metrics.write_text(json.dumps(MEASURED | {"settings": {"epochs": 9.0}}), encoding="utf-8")
    clear()
    assert "epochs only" not in seen(scene("scores"))


# ---- all of them ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", HOSTILE)
def test_whatever_is_typed_every_scene_is_drawn(checkpoints: Path, sentence: str) -> None:
    for name in SCENES:
        app = scene(name, sentence=sentence)
        assert not app.error, name
        assert app.get("plotly_chart") or app.warning, name


@pytest.mark.parametrize("name", SCENES)
def test_without_recurrent_models_it_is_said(checkpoints: Path, name: str) -> None:
    for folder in checkpoints.glob("rnn-*"):
        if folder.name != "rnn-none":
            shutil.rmtree(folder)
    clear()
    app = scene(name)
    assert "no recurrent model with attention" in app.info[0].value
    assert not app.get("plotly_chart")


@pytest.mark.parametrize("name", SCENES)
def test_a_damaged_model_gets_a_sentence(checkpoints: Path, name: str) -> None:
    (checkpoints / "rnn-dot" / "config.json").write_text("{", encoding="utf-8")
    clear()
    assert r"config\.json" in scene(name).error[0].value
