"""The scenes about the inside of a layer, without a browser: pictures hold the model's numbers, and the words say what
NumPy finds there."""

import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.experiments.head_steps import WhatIf, Worksheet, head_steps
from model.experiments.position_encoding import table
from model.experiments.word_order import shuffled, word_order
from tests.drawn import charts, numbers
from tests.test_matrix_sheet import unpack
from viz import models
from viz.examples import EXAMPLES

ROOT = Path(__file__).parent.parent
SCENES = ("matrices", "positions", "encoder", "decoder")
HOSTILE = ("<b>x</b> $x$ `a` **b** :red[x]", "</s> <s>", "مرحبا بكم", "#000001 a_b %{x} {y}", "?", "the " * 300)
Open = Callable[..., AppTest]


@pytest.fixture
def opened(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens a scene on the tiny checkpoint by its address."""
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)

    def open_scene(name: str, **chosen: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        if "language" in chosen:
            app.query_params["language"] = chosen["language"]
        app.run()  # before that it does not know the page
        app.switch_page("viz/pages/lessons.py")
        for key, value in {"scene": name, **chosen}.items():
            app.query_params[key] = value
        app.run()
        assert not app.exception
        assert not app.warning
        return app

    clear()
    yield open_scene
    clear()


def clear() -> None:
    models.forget()


def shown(app: AppTest) -> dict[str, list[np.ndarray]]:
    """Every matrix by its title, wherever it is drawn."""
    found: dict[str, list[np.ndarray]] = {}
    for element in app.get("bidi_component"):
        if element.proto.component_name == "matrix_sheet" and element.proto.bytes:
            header, arrays = unpack(element.proto.bytes)
            for each, values in zip(header["matrices"], arrays, strict=True):
                found.setdefault(each["title"], []).append(values)
    return found


def holds(app: AppTest, expected: dict[str, np.ndarray]) -> None:
    found = shown(app)
    for title, values in expected.items():
        assert title in found
        for each in found[title]:
            np.testing.assert_array_equal(each, values, err_msg=title)


def seen(app: AppTest) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info))


def formulas(app: AppTest) -> str:
    return "\n".join(element.value for element in app.latex)


def choose(app: AppTest, **values: Any) -> None:
    for key, value in values.items():
        app.button_group(key=key).set_value(value)
    app.run()
    assert not app.exception


# Matrices


def test_one_head_is_drawn_from_its_rows_to_its_output(opened: Open) -> None:
    app = opened("matrices")
    translation = models.translate(EXAMPLES[0])
    for layer, head in ((1, 0), (0, 1)):
        choose(app, **{"matrices.layer": layer, "matrices.head": head})
        sheet = models.ask(head_steps, translation, "encoder", layer, head)
        expected = {"X": sheet.x_query, "W_Q": sheet.w_q, "W_K": sheet.w_k, "W_V": sheet.w_v, "A": sheet.weights}
        holds(app, expected | {"Q": sheet.q, "K": sheet.k, "V": sheet.v, "C": sheet.context, "Q Kᵀ": sheet.products})
        x, q, k, v = (shown(app)[name][0] for name in "XQKV")
        np.testing.assert_allclose(x @ shown(app)["W_Q"][0], q, atol=1e-5)
        scores = np.exp(q @ k.T / math.sqrt(k.shape[1]))
        np.testing.assert_allclose(scores / scores.sum(-1, keepdims=True), shown(app)["A"][0], atol=1e-5)
        np.testing.assert_allclose(shown(app)["A"][0] @ v, shown(app)["C"][0], atol=1e-5)
        np.testing.assert_array_equal(translation.encoder[layer, head].argmax(-1), sheet.weights.argmax(-1))
    n = len(translation.source)
    for size in (rf"{n}\times32}}{{X}}", r"32\times16}{W^Q", rf"{n}\times16}}{{Q}}", rf"{n}\times{n}}}{{S}}"):
        assert size in formulas(app)


def test_the_query_s_row_is_the_one_that_is_written_out(opened: Open) -> None:
    app = opened("matrices", matrices_layer="0", matrices_head="1")
    app.select_slider[0].set_value(2).run()
    sheet = models.ask(head_steps, models.translate(EXAMPLES[0]), "encoder", 0, 1)
    scores, (power, weights) = shown(app)["Chosen query"]
    np.testing.assert_array_equal(scores, sheet.masked[2:3])
    np.testing.assert_array_equal(weights, sheet.weights[2])
    np.testing.assert_allclose(power, np.exp(sheet.masked[2] - sheet.masked[2].max()), atol=1e-6)
    assert f"{sheet.weights[2].max():.3f}" in formulas(app)


# Positions


def test_shuffled_words_change_nothing_without_positions(opened: Open) -> None:
    app = opened("positions", sentence="They see the white cat on the table.", lesson_positions_shuffle="3")
    translation = models.translate("They see the white cat on the table.")
    order = shuffled(9, 3)
    without, given = (models.ask(word_order, translation.source, order, positions) for positions in (False, True))
    panels = [numbers(each["z"]) for each in charts(app)[0]["data"]]
    np.testing.assert_array_equal(panels[0], without.other - without.states)
    np.testing.assert_array_equal(panels[1], given.other - given.states)
    assert np.abs(panels[0]).max() < 1e-4 < 0.1 < np.abs(panels[1]).max()
    assert f"**{np.abs(panels[1]).max():.2g}**" in seen(app)
    assert "10⁻" in seen(app).split("differs by more than")[1][:20]


@pytest.mark.parametrize(("position", "k"), [(0, 0), (10, 5), (24, 24)])
def test_a_shift_marks_both_rows_and_is_measured(opened: Open, position: int, k: int) -> None:
    app = opened("positions", lesson_positions_from=str(position), lesson_positions_k=str(k))
    _, whole, dials = charts(app)
    width = models.sizes().d_model
    np.testing.assert_array_equal(numbers(whole["data"][0]["z"]), table(49, width))
    frames = whole["layout"]["shapes"]
    assert [(frame["y0"] + frame["y1"]) / 2 for frame in frames] == [position, position + k]
    # A pair (sin a, cos a) is the number e^(ia) with its parts changed over: to go on is to multiply by e^(iwk).
    turns = np.exp(1j * k * 10000.0 ** (-np.arange(0, width, 2) / width))
    first, last = (table(49, width, np.float64)[row] for row in (position, position + k))
    np.testing.assert_allclose((first[1::2] + 1j * first[::2]) * turns, last[1::2] + 1j * last[::2], atol=1e-12)
    hand = dials["data"][1]
    np.testing.assert_allclose((hand["y"][1], hand["x"][1]), last[:2], atol=1e-5)
    assert f"{k} positions on by at most **" in seen(app)


def test_one_word_has_no_other_order_but_positions(opened: Open) -> None:
    app = opened("positions", sentence="Hello")
    assert "nothing to shuffle" in seen(app)
    assert len(charts(app)) == 2


# The encoder layer


def encoder(layer: int, **what_if: Any) -> Worksheet:
    return models.ask(head_steps, models.translate(EXAMPLES[0]), "encoder", layer, 0, WhatIf(**what_if))


@pytest.mark.parametrize("layer", [0, 1])
def test_residual_norm_and_feed_forward_are_the_layers(opened: Open, layer: int) -> None:
    app = opened("encoder", encoder_layer=str(layer))
    sheet = encoder(layer)
    holds(app, {"N": sheet.norm.normed})
    rows = np.stack([each[len(sheet.q) // 2] for each in (sheet.x_query, sheet.output, sheet.residual)])
    assert any(np.array_equal(each, rows) for each in shown(app)["Chosen query"])
    for title, values in (("μ(R), σ(R)", sheet.residual), ("μ(N), σ(N)", sheet.norm.normed)):
        expected = np.stack((values.mean(-1), values.std(-1)), axis=1)
        np.testing.assert_allclose(shown(app)[title][0], expected, atol=1e-4)
    assert r"32\times64}{W_1" in formulas(app)
    assert r"64\times32}{W_2" in formulas(app)


def test_what_relu_switches_off_is_counted(opened: Open) -> None:
    app = opened("encoder", encoder_layer="1")
    after = encoder(1).feed_forward
    assert after is not None
    hidden = after.hidden
    relu, gelu, below, above = charts(app)[0]["data"]
    counts = [sum(count for count in bars["y"]) for bars in (below, above)]
    assert counts == [(hidden < 0).sum(), (hidden >= 0).sum()]
    for x, y, z in zip(relu["x"], relu["y"], gelu["y"], strict=True):
        assert y == pytest.approx(max(0, x), abs=1e-6)
        assert z == pytest.approx(x * (1 + math.erf(x / math.sqrt(2))) / 2, abs=1e-6)
    off = (after.activated == 0).mean()
    assert f"**{off:.0%}**" in seen(app)
    assert f"{hidden.size:,} inner numbers" in seen(app)
    assert f"{(after.activated == 0).all(0).sum()} of the {hidden.shape[1]} inner" in seen(app)


def test_the_other_activation_moves_what_leaves(opened: Open) -> None:
    app = opened("encoder", encoder_layer="0", encoder_activation="gelu")
    plain, other = encoder(0), encoder(0, activation="gelu")
    moved = np.linalg.norm(other.leaves - plain.leaves, axis=-1) / np.linalg.norm(plain.leaves, axis=-1)
    assert f"**{moved.max():.0%}**" in seen(app)
    assert r"\text{GELU}(" in formulas(app)
    inside = next(each for each in shown(app)["Chosen query"] if each.shape == (2, 64))
    assert other.feed_forward is not None
    np.testing.assert_array_equal(inside[1], other.feed_forward.activated[len(other.q) // 2])
    choose(app, **{"encoder.activation": "relu"})
    assert "in place of" not in seen(app)


# The decoder layer


def test_the_mask_hides_the_future(opened: Open) -> None:
    app = opened("decoder", decoder_layer="1", decoder_head="0")
    translation = models.translate(EXAMPLES[0])
    plain, open_ = (
        models.ask(head_steps, translation, "decoder", 1, 0, WhatIf(mask=mask)) for mask in (True, False)
    )  # fmt: skip
    holds(app, {"Q Kᵀ / √16": plain.scaled, "S": plain.masked, "A": plain.weights})
    future = np.triu(np.ones_like(plain.weights, np.bool_), 1)
    assert np.isneginf(shown(app)["S"][0][future]).all()
    assert not shown(app)["A"][0][future].any()
    assert "exactly **0**" in seen(app)
    given = np.where(future, open_.weights, 0).sum(-1)
    assert f"**{given[:-1].mean():.0%}** of their weight" in seen(app)
    assert f"give most, {given.max():.0%}" in seen(app)
    app.toggle(key="decoder.without").set_value(True).run()
    assert not app.exception
    holds(app, {"A": open_.weights})
    assert "S" not in shown(app)
    assert len(shown(app)["Q Kᵀ / √16"]) == 1
    assert shown(app)["A"][0][future].all()
    assert formulas(app).count(r"-\infty") == 1  # in the scene's own equation


def test_cross_attention_asks_with_the_decoder_and_reads_the_encoder(opened: Open) -> None:
    app = opened("decoder", decoder_kind="cross", decoder_layer="0", decoder_head="1")
    translation = models.translate(EXAMPLES[0])
    sheet = models.ask(head_steps, translation, "cross", 0, 1)
    holds(app, {"Y": sheet.x_query, "H": sheet.x_key, "Q": sheet.q, "K": sheet.k, "V": sheet.v, "A": sheet.weights})
    steps, pieces = len(translation.target), len(translation.source)
    assert {name: len(shown(app)[name][0]) for name in "YQACHKV"} == dict.fromkeys("YQAC", steps) | dict.fromkeys(
        "HKV", pieces
    )
    np.testing.assert_allclose(shown(app)["H"][0] @ sheet.w_k, sheet.k, atol=1e-5)
    assert f"each of the {steps} steps" in seen(app)
    assert f"each of the {pieces} source pieces" in seen(app)


# All of them


@pytest.mark.parametrize("name", SCENES)
def test_whatever_is_typed_the_scene_is_drawn(opened: Open, name: str) -> None:
    app = opened(name)
    for sentence in HOSTILE:
        app.text_input(key="app.sentence").set_value(sentence).run()
        assert not app.exception, sentence
        assert not app.error, sentence
        assert app.get("plotly_chart") or shown(app), sentence
    app.text_input(key="app.sentence").set_value("  ").run()
    assert not app.exception
    assert not app.get("plotly_chart")
    assert not shown(app)


@pytest.mark.parametrize("name", SCENES)
def test_in_the_other_language_too(opened: Open, name: str) -> None:
    app = opened(name, language="zh")
    assert any("一" <= letter <= "龥" for letter in app.subheader[0].value)
    assert app.get("plotly_chart") or shown(app)
