"""The lessons on sequences, gains and costs without a browser: what is drawn is the models', every control works."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import build, load_checkpoint, save_checkpoint
from model.experiments.alignment import VIEWS, ErrorRates
from model.experiments.attribution import encoder_reach
from model.experiments.cost import weight_bytes
from model.records import Recurrent, Translation
from model.rnn import Rnn
from tests.test_scenes_attention import figure, numbers, run, scene, seen, sheets
from viz import models
from viz.analysis.growth import power_law
from viz.analysis.influence import by_distance
from viz.examples import EXAMPLES
from viz.lessons.scenes import gains

PLAIN, ALIKE, LARGE = "en-fr/rnn-none", "en-fr/rnn-dot", "en-fr/rnn-large"
READING = ("seq2seq", "distance", "parallel", "gains")
HOSTILE = ("<b>x</b> $x$ `a`", "</s> <s>", "?", "the " * 300)
BLEU = {"rnn-none": (30.125, 3.25), "rnn-dot": (40.5, 20.75), "rnn-large": (41.5, 35.5), "transformer": (50.5, 30.5)}


def measured(name: str) -> dict[str, Any]:
    """Metrics that would stand in a checkpoint of its own training."""
    groups = [
        {"words": words, "from": words - 1, "to": words + 1, "sentences": 9, "bleu": bleu}
        for words, bleu in zip((4, 57), BLEU[name], strict=True)
    ]
    return {"parameters": 12345, "epochs": 3.0, "test": {"strung": {"by_length": groups}}}


@pytest.fixture
def checkpoints(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny Transformer; recurrent models that have learnt nothing: without attention, with it, and a larger one."""
    folder = tmp_path / "en-fr"
    vocabulary = (tiny / "tokenizer.json").read_text(encoding="utf-8")
    model = load_checkpoint(tiny).model
    size = {"vocab_size": model.config.vocab_size, "max_length": model.config.max_length}
    rates = {view: np.array([[0.5, 0.4], [0.3, 0.9]]) for view in VIEWS}
    alignment = ErrorRates(
        pairs=7, skipped=0, heads=rates, layers={view: each.mean(1) for view, each in rates.items()},
        all=dict.fromkeys(VIEWS, 0.5),
    ).as_json()  # fmt: skip
    save_checkpoint(folder / "transformer", model, vocabulary, measured("transformer") | {"alignment": alignment}, "")
    for name, score, width in (("rnn-none", "last", 16), ("rnn-dot", "dot", 16), ("rnn-large", "dot", 24)):
        torch.manual_seed(1)
        model = build({"kind": "rnn", "d_model": width, "score": score, **size})
        save_checkpoint(folder / name, model, vocabulary, measured(name), "")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    yield folder
    clear()


def clear() -> None:
    models.forget()


def own() -> tuple[Translation, Recurrent]:
    """By the model without attention."""
    found = models.translate(EXAMPLES[0], model=PLAIN)
    assert found.recurrent is not None
    return found, found.recurrent


def table(app: AppTest, first: str) -> list[list[str]]:
    """The rows of the table whose first column is called so."""
    text = next(each.value for each in app.markdown if each.value.startswith(f"| {first}")).replace("\\", "")
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.splitlines()[2:]]


def lines_of(app: AppTest, at: int) -> dict[str, np.ndarray]:
    return {line["name"]: numbers(line["y"]) for line in figure(app, at)["data"]}


@pytest.mark.parametrize("name", READING)
def test_whatever_is_typed_the_scene_draws(checkpoints: Path, name: str) -> None:
    app = scene(name)
    for text in HOSTILE:
        run(app.text_input(key="app.sentence").set_value(text))
        assert app.get("plotly_chart") or app.info, text


@pytest.mark.parametrize("name", [*READING, "bottleneck", "costs"])
def test_without_recurrent_models_there_is_a_word_about_it(checkpoints: Path, name: str) -> None:
    for model in ("rnn-none", "rnn-dot", "rnn-large"):
        shutil.rmtree(checkpoints / model)
    clear()
    app = scene(name)
    assert len(app.info) == 1
    assert not app.get("plotly_chart")


# ---- encoder, context vector, decoder ------------------------------------------------------------------------------


def test_c_is_the_last_state_of_each_direction(checkpoints: Path) -> None:
    app = scene("seq2seq")
    found, _ = own()
    drawn = sheets(app)
    (left,), (right,), (both,) = (drawn[f"seq2seq.states/{name}"] for name in ("left", "right", "summaries"))
    ids = torch.tensor([[token.id for token in found.source]])
    with torch.no_grad():
        encoded: Any = models.translator(PLAIN).model.encode(ids)
    np.testing.assert_allclose(np.hstack((left, right)), encoded.states[0], atol=1e-5)
    np.testing.assert_allclose(both[0], encoded.last[0], atol=1e-5)
    np.testing.assert_allclose(both[0], np.concatenate((left[-1], right[0])), atol=1e-5)
    np.testing.assert_allclose(both[1], encoded.states[0].mean(0), atol=1e-5)
    assert found.text in seen(app)


def test_the_lines_are_cosines_with_the_chosen_summary(checkpoints: Path) -> None:
    app = scene("seq2seq")
    _, recurrent = own()
    left, right = lines_of(app, 0).values()
    assert left[-1] == pytest.approx(1, abs=1e-5)
    assert right[0] == pytest.approx(1, abs=1e-5)
    run(app.button_group(key="seq2seq.summary").set_value("mean"))
    states, mean = recurrent.source.astype(float), recurrent.source.mean(0)
    for line, part in zip(lines_of(app, 0).values(), (slice(0, 8), slice(8, 16)), strict=True):
        expected = [state[part] @ mean[part] / np.linalg.norm(state[part]) / np.linalg.norm(mean[part])
                    for state in states]  # fmt: skip
        np.testing.assert_allclose(line, expected, atol=1e-5)


def test_every_step_has_the_same_c_and_its_own_state_and_probabilities(checkpoints: Path) -> None:
    found, recurrent = own()
    for step in range(2):
        app = scene("seq2seq", seq2seq_step=str(step))
        (vectors,) = sheets(app)["seq2seq.vectors"]
        np.testing.assert_allclose(vectors[0], recurrent.contexts[0], atol=1e-6)
        np.testing.assert_allclose(vectors[1], recurrent.states[step], atol=1e-6)
        (bars,) = lines_of(app, 1).values()
        best = [each.log_prob for each in found.alternatives[step]]
        np.testing.assert_allclose(bars[: len(best)], np.exp(best), atol=1e-6)
    assert len(found.target) > 1


# ---- the bottleneck ------------------------------------------------------------------------------------------------


def test_three_models_at_first_then_all(checkpoints: Path) -> None:
    app = scene("bottleneck")
    expected = [BLEU[name] for name in ("rnn-none", "rnn-dot", "transformer")]
    np.testing.assert_allclose(list(lines_of(app, 0).values()), expected)
    assert [row[-2:] for row in table(app, "Model")] == [["30.1", "3.2"], ["40.5", "20.8"], ["50.5", "30.5"]]
    run(app.toggle(key="bottleneck.all").set_value(True))
    np.testing.assert_allclose(list(lines_of(app, 0).values()), [*expected, BLEU["rnn-large"]])


# ---- distance ------------------------------------------------------------------------------------------------------


def test_influence_is_that_of_the_encoders(checkpoints: Path) -> None:
    app = scene("distance", distance_piece="1")
    found = {
        model: models.ask(encoder_reach, models.translate(EXAMPLES[0], model=model).source, model=model)
        for model in (PLAIN, ALIKE, models.TRANSFORMER)
    }
    for piece, curve, matrix in zip(lines_of(app, 0).values(), lines_of(app, 1).values(), found.values(), strict=True):
        np.testing.assert_allclose(piece, matrix[:, 1] / matrix[1, 1], rtol=1e-5)
        np.testing.assert_allclose(curve, by_distance(matrix)[0], rtol=1e-5)
    ends = [f"{by_distance(matrix)[0][-1]:.1%}" for matrix in found.values()]
    assert [row[-1] for row in table(app, "Model")] == ends


# ---- what waits ----------------------------------------------------------------------------------------------------


def test_the_rnn_works_on_one_piece_at_a_time(checkpoints: Path) -> None:
    app = scene("parallel")
    count = len(models.translate(EXAMPLES[0]).source)
    rnn, transformer = (numbers(figure(app, at)["data"][0]["z"]) for at in (0, 1))
    np.testing.assert_array_equal(rnn, np.eye(count))
    np.testing.assert_array_equal(transformer, np.ones((models.sizes().encoder_layers, count)))


def test_time_is_measured_when_asked_for(checkpoints: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.widgets.timing.LENGTHS", (2, 3))
    app = scene("parallel")
    assert len(app.get("plotly_chart")) == 2
    run(app.button(key="parallel.measure").click())
    app.session_state["long work.job/timings"].wait(30)
    run(app)
    rnn, transformer = figure(app, 2)["data"]
    assert numbers(rnn["x"]).tolist() == numbers(transformer["x"]).tolist() == [2, 3]
    assert [note.split()[0] for note in rnn["customdata"]] == ["2", "3"]
    assert {note.split()[0] for note in transformer["customdata"]} == {str(models.sizes().encoder_layers)}


# ---- gains and costs -----------------------------------------------------------------------------------------------


def test_the_table_counts_and_says_where_the_rnn_is_ahead(checkpoints: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        gains, "encoding_seconds", lambda asked, source: 0.001 if isinstance(asked.model, Rnn) else 0.002
    )
    app = scene("gains")
    found, config = models.translate(EXAMPLES[0]), models.sizes()
    count, maps = len(found.source), config.n_heads * (config.encoder_layers + 2 * config.decoder_layers)
    rows = {row[0]: row[1:] for row in table(app, "Your sentence")}
    assert rows["Steps of encoding that wait for each other"] == [str(count), str(config.encoder_layers)]
    assert rows["Longest way between two pieces, in steps"] == [str(count - 1), "1"]
    assert rows["Attention maps to look at"] == ["1", str(maps)]
    assert rows["Milliseconds to encode"] == ["1.0", "2.0"]
    assert rows["BLEU, texts of about 57 words"] == ["35.5", "30.5"]
    ahead = next(each.value for each in app.markdown if "the RNN is ahead" in each.value)
    assert "Milliseconds" in ahead
    assert "57 words" in ahead
    for behind in ("wait", "way", "maps", "4 words"):
        assert behind not in ahead


def test_one_row_of_the_head_that_aligns_best(checkpoints: Path) -> None:
    app = scene("gains", gains_piece="1")
    (weights,) = lines_of(app, 0).values()
    np.testing.assert_allclose(weights, models.translate(EXAMPLES[0]).cross[1, 0, 1], atol=1e-6)
    assert "layer 2, head 1" in seen(app)


def test_costs_are_counted_at_once_and_measured_when_asked_for(
    checkpoints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viz.lessons.scenes.costs.LENGTHS", (2, 4, 8, 16))
    app = scene("costs")
    weights, states = lines_of(app, 0).values()
    np.testing.assert_allclose(weights * 1e6, [weight_bytes(models.sizes(), n) for n in (2, 4, 8, 16)])
    assert power_law([2, 4, 8, 16], states.tolist())[0] == pytest.approx(1)
    run(app.button(key="costs.measure").click())
    app.session_state["long work.job/costs"].wait(60)
    run(app)
    found = app.session_state["costs.found"]
    assert [each.length for each in found] == [2, 4, 8, 16]
    run(app.button_group(key="costs.first").set_value(2))
    for (name, seconds), part in zip(
        lines_of(app, 1).items(), ("attention", "rest", "layer", "recurrent"), strict=True
    ):
        values = [getattr(each, part) for each in found]
        np.testing.assert_allclose(seconds, np.array(values) * 1000)
        slope = np.polyfit(np.log([2, 4, 8, 16]), np.log(values), 1)[0]
        assert name.endswith(f"n^{slope:.2f}")
    assert f"{found[-1].share:.0%} at 16" in seen(app)


@pytest.mark.parametrize(("name", "charts"), [("distance", 2), ("gains", 1)])
def test_a_long_sentence_is_measured_when_asked_for(
    checkpoints: Path, monkeypatch: pytest.MonkeyPatch, name: str, charts: int
) -> None:
    monkeypatch.setattr("viz.widgets.distance.QUICK", 3)
    app = scene(name)
    assert len(app.info) == 1
    assert "at the largest distance" not in seen(app)
    run(app.button(key=f"{name}.measure").click())
    app.session_state["long work.job/distance"].wait(30)
    run(app)
    assert not app.info
    assert len(app.get("plotly_chart")) == charts
    assert "at the largest distance" in seen(app)
