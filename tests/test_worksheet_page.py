"""The worksheet without a browser: whose numbers it shows, what a choice changes, and what cannot be shown."""

import dataclasses
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
from model.experiments.head_steps import WhatIf, Worksheet, head_steps, layer_matrices
from model.intervention import Kind
from tests.test_matrix_sheet import unpack
from viz import models
from viz.analysis.maps import sharpest
from viz.analysis.worksheet import ahead, change, histogram, largest, moments, norming, pair, powers
from viz.examples import EXAMPLES

ROOT = Path(__file__).parent.parent
PAGE = "viz/pages/worksheet.py"
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
HOSTILE = ("<b>x</b>", "$x$ `a` **b** :red[x]", "</s> <s>", "你好", "مرحبا", "a\x00b", "#000001", "a_b", "?", "▁▁")
every_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def checkpoint(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    yield tmp_path / "en-fr" / "transformer"
    clear()


def clear() -> None:
    models.forget()


@pytest.fixture
def app(checkpoint: Path) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page(PAGE).run()  # this run has not yet what the other page's box held, unlike a browser's
    return app.run()


def choose(app: AppTest, kind: Kind, layer: int = 1, head: int = 0) -> None:
    app.button_group(key="worksheet.kind").set_value(kind)
    app.button_group(key="worksheet.layer").set_value(layer)
    app.button_group(key="worksheet.head").set_value(head)
    app.run()
    assert not app.exception


def messages(app: AppTest) -> dict[str, bytes]:
    """What each mount of the sheet was sent, by its name."""
    protos = [element.proto for element in app.get("bidi_component")]
    found = [proto.bytes for proto in protos if proto.component_name == "matrix_sheet" and proto.bytes]
    return {unpack(sent)[0]["id"]: sent for sent in found}


def shown(app: AppTest) -> dict[str, list[np.ndarray]]:
    """Every matrix with a name of its own, and each place where it is drawn."""
    found: dict[str, list[np.ndarray]] = {}
    for sent in messages(app).values():
        header, arrays = unpack(sent)
        for each, values in zip(header["matrices"], arrays, strict=True):
            found.setdefault(each["title"], []).append(values)
    return found


def headers(app: AppTest) -> dict[str, dict[str, Any]]:
    return {name: unpack(sent)[0] for name, sent in messages(app).items()}


def sheet(kind: Kind, layer: int, head: int, what_if: WhatIf | None = None, text: str = EXAMPLES[0]) -> Worksheet:
    return models.ask(head_steps, models.translate(text), kind, layer, head, *([what_if] if what_if else []))


def seen(app: AppTest) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.warning, *app.text))


def test_opens_with_the_head_of_the_first_page(app: AppTest) -> None:
    assert not app.exception
    assert app.button_group(key="worksheet.kind").value == "cross"
    assert models.translate(EXAMPLES[0]).text in seen(app)
    assert [step.value.split("\u2002")[0] for step in app.subheader] == [str(number) for number in range(1, 12)]
    assert len(app.latex) == len(app.subheader)


@every_kind
def test_every_matrix_is_the_worksheets(app: AppTest, kind: Kind) -> None:
    choose(app, kind, layer=1, head=1)
    found, expected = shown(app), sheet(kind, 1, 1)
    names = {"X": expected.x_query, "W_Q": expected.w_q, "W_K": expected.w_k, "W_V": expected.w_v}
    names |= {"Q": expected.q, "K": expected.k, "V": expected.v, "C": expected.context, "A": expected.weights}
    names |= {"Q Kᵀ": expected.products, "Q Kᵀ / √16": expected.scaled, "C_1…2": expected.concat}
    w_o = models.ask(layer_matrices, kind, 1).w_o[16:32]
    names |= {"C_2": expected.context, "W_O": w_o, "O_2": expected.context @ w_o}
    names |= {"O": expected.output, "R": expected.residual, "N": expected.norm.normed}
    if kind == "cross":
        names["H"] = expected.x_key
    if kind == "decoder":
        names["S"] = expected.masked
    if expected.feed_forward:
        names |= {"P": expected.feed_forward.residual, "Y": expected.feed_forward.norm.normed}
    for name, values in names.items():
        for array in found[name]:
            np.testing.assert_array_equal(array, values, err_msg=name)
    moments = {"μ(R), σ(R)", "μ(N), σ(N)"} | ({"μ(P), σ(P)", "μ(Y), σ(Y)", "Lengths"} if kind != "decoder" else set())
    assert set(found) - set(names) == {"Chosen query", "Chosen query and key"} | moments
    assert len(app.subheader) == (8 if kind == "decoder" else 11)


@every_kind
def test_rows_and_columns_carry_their_pieces(app: AppTest, kind: Kind) -> None:
    choose(app, kind)
    translation = models.translate(EXAMPLES[0])
    tokens = {"encoder": translation.source, "decoder": translation.target, "cross": translation.target}[kind]
    keys = translation.decoder_input if kind == "decoder" else translation.source
    axes = {tuple(axis["names"]): axis["labels"] for axis in headers(app)["sheet.picture/worksheet/3/whole"]["axes"]}
    assert axes == {("query",): [t.label for t in tokens], ("key",): [t.label for t in keys]}


def test_another_query_or_key_changes_only_what_is_about_them(app: AppTest) -> None:
    choose(app, "encoder")
    before, expected = messages(app), sheet("encoder", 1, 0)
    app.select_slider[0].set_value(2).run()
    app.select_slider[1].set_value(4).run()
    assert not app.exception
    after = messages(app)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {name for name in after if name.endswith("/chosen")}
    header, (rows,) = unpack(after["sheet.picture/worksheet/2/chosen"])
    assert header["chosen"] == {"query": 2, "key": 4}
    np.testing.assert_array_equal(rows, pair(expected, 2, 4))
    assert f"{expected.products[2, 4]:.3f}" in app.latex[1].value
    assert f"{expected.weights[2, 4]:.3f}" in app.latex[3].value


def test_a_choice_of_pieces_outlives_another_head_but_not_another_sentence(app: AppTest) -> None:
    def chosen() -> dict[str, int]:
        found: dict[str, int] = headers(app)["sheet.picture/worksheet/2/chosen"]["chosen"]
        return found

    def first(each: Worksheet) -> dict[str, int]:
        """The query in the middle, and the key that it gives the largest weight."""
        query = len(each.q) // 2
        return {"query": query, "key": int(each.weights[query].argmax())}

    assert chosen() == first(sheet("cross", *sharpest(models.translate(EXAMPLES[0]).cross)))
    app.select_slider[1].set_value(0).run()
    for head in (0, 1):
        choose(app, "cross", head=head)
        assert chosen() == first(sheet("cross", 1, 0)) | {"key": 0}
    app.text_input(key="app.sentence").set_value("They see the water.").run()
    assert chosen() == first(sheet("cross", 1, 1, text="They see the water."))


def test_the_address_restores_the_head_and_the_pieces(app: AppTest) -> None:
    choose(app, "encoder", layer=0, head=1)
    app.select_slider[0].set_value(2).run()
    app.toggle(key="worksheet.scale").set_value(True).run()
    expected = messages(app)
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    again.switch_page(PAGE)
    for key, values in app.query_params.items():
        again.query_params[key] = values
    again.run()
    assert not again.exception
    assert messages(again) == expected
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    again.switch_page(PAGE)
    again.query_params |= {"query": "99", "head": "9", "kind": "<b>"}
    again.run()
    assert not again.exception
    assert r"query\=99" in again.warning[0].value


def test_all_of_the_feed_forward_matrices_are_drawn_when_asked_for(app: AppTest) -> None:
    choose(app, "encoder", layer=0)
    weights, before = models.ask(layer_matrices, "encoder", 0), messages(app)
    assert weights.w_1 is not None
    assert weights.w_2 is not None
    (lengths,) = shown(app)["Lengths"]
    np.testing.assert_allclose(lengths[0], [math.hypot(*column) for column in weights.w_1.T], rtol=1e-5)
    np.testing.assert_allclose(lengths[1], [math.hypot(*row) for row in weights.w_2], rtol=1e-5)
    assert not {"W_1", "W_2"} & set(shown(app))
    app.toggle(key="worksheet.large").set_value(True).run()
    np.testing.assert_array_equal(shown(app)["W_1"][0], weights.w_1)
    np.testing.assert_array_equal(shown(app)["W_2"][0], weights.w_2)
    after = messages(app)
    assert {name: after[name] for name in before} == before
    choose(app, "decoder")
    assert not {"W_1", "W_2"} & set(shown(app))


def test_the_head_s_columns_are_marked(app: AppTest) -> None:
    choose(app, "cross", head=1)
    sent = [headers(app)[f"sheet.picture/worksheet/{number}/whole"] for number in (1, 6)]
    parts = [each["part"] for header in sent for each in header["matrices"]]
    assert [part for part in parts if part] == [[16, 32, 32]] * 4


WHAT_IFS = {
    "scale": WhatIf(scale=False),
    "mask": WhatIf(mask=False),
    "residual": WhatIf(residual=False),
    "gelu": WhatIf(activation="gelu"),
}


@pytest.mark.parametrize(("name", "what_if"), WHAT_IFS.items())
def test_a_what_if_says_what_it_changes(app: AppTest, name: str, what_if: WhatIf) -> None:
    kind: Kind = "decoder" if name == "mask" else "cross"
    choose(app, kind)
    assert "Largest change" not in seen(app)
    app.toggle(key=f"worksheet.{name}").set_value(True).run()
    assert not app.exception
    plain, changed = sheet(kind, 1, 0), sheet(kind, 1, 0, what_if)
    np.testing.assert_array_equal(shown(app)["R"][0], changed.residual)
    found = change(plain, changed)
    assert found.moved > 0.001
    assert f"**{found.moved:.0%}**" in seen(app)
    if name in ("scale", "mask"):
        assert f"{abs(found.weight):.3f}" in seen(app)
        header, (rows,) = unpack(messages(app)["worksheet.change"])
        query = header["chosen"]["query"]
        np.testing.assert_array_equal(rows, np.stack((plain.weights[query], changed.weights[query])))
    else:
        assert "No weight changes" in seen(app)
    app.toggle(key=f"worksheet.{name}").set_value(False).run()
    assert "Largest change" not in seen(app)


def test_what_cannot_be_left_out_is_not_offered(app: AppTest) -> None:
    for kind, off in (("encoder", "mask"), ("decoder", "gelu"), ("cross", "mask")):
        choose(app, kind)  # type: ignore[arg-type]
        assert [toggle.disabled for toggle in app.toggle] == [
            name == f"worksheet.{off}" for name in (toggle.key for toggle in app.toggle)
        ]
    choose(app, "decoder")
    app.toggle(key="worksheet.mask").set_value(True).run()
    choose(app, "encoder")  # where the switch stays on but says nothing
    assert "Largest change" not in seen(app)


@pytest.mark.parametrize("sentence", HOSTILE)
def test_whatever_is_typed_is_shown_as_typed(app: AppTest, sentence: str) -> None:
    app.text_input(key="app.sentence").set_value(sentence).run()
    for kind in KINDS:
        choose(app, kind)
    labels = [token.label for token in models.translate(sentence).source]
    assert headers(app)["sheet.picture/worksheet/3/whole"]["axes"][1]["labels"] == labels


def test_a_long_text_says_what_was_left_out_and_stays_within_bounds(app: AppTest) -> None:
    app.text_input(key="app.sentence").set_value("the cat sees a dog. " * 60).run()
    assert str(models.translate("the cat sees a dog. " * 60).left_out) in app.warning[0].value
    for kind in KINDS:
        choose(app, kind)
        assert sum(map(len, messages(app).values())) < 600_000


@pytest.mark.parametrize("nothing", ["", "  "])
def test_an_empty_sentence_gets_a_hint(app: AppTest, nothing: str) -> None:
    app.text_input(key="app.sentence").set_value(nothing).run()
    assert not app.exception
    assert len(app.info) == 1
    assert not messages(app)


def test_a_translation_that_ends_at_once_has_one_query(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = models.translate(EXAMPLES[0])
    short = dataclasses.replace(whole, text="", target=whole.target[-1:], decoder_input=whole.decoder_input[:1])
    monkeypatch.setattr(models, "translate", lambda *_, **__: short)
    app.run()
    for kind, sliders in (("cross", 1), ("decoder", 0), ("encoder", 2)):
        choose(app, kind)  # type: ignore[arg-type]
        assert len(app.select_slider) == sliders
        assert len(app.subheader) == (8 if kind == "decoder" else 11)


@every_kind
def test_pre_norm_is_shown_in_its_own_order(app: AppTest, checkpoint: Path, tiny: Path, kind: Kind) -> None:
    torch.manual_seed(0)
    config = load_checkpoint(tiny).model.config
    size = {"vocab_size": config.vocab_size, "d_model": 16, "n_heads": 2, "d_ff": 24, "encoder_layers": 2}
    model = build({"kind": "transformer", **size, "decoder_layers": 2, "norm": "pre", "activation": "gelu"})
    vocabulary = (tiny / "tokenizer.json").read_text(encoding="utf-8")
    shutil.rmtree(checkpoint)
    save_checkpoint(checkpoint, model, vocabulary, {}, "")
    clear()
    app.run()
    choose(app, kind)
    titles = [step.value.replace("\\", "").split("\u2002")[1] for step in app.subheader]
    assert titles[:2] == ["LayerNorm", "Queries, keys and values"]
    assert titles[-1] == "Residual connection"
    found, expected = shown(app), sheet(kind, 1, 0)
    np.testing.assert_array_equal(found["N"][0], expected.norm.normed)
    assert kind == "decoder" or np.array_equal(found["Y"][0], expected.leaves)
    if kind != "decoder":
        app.toggle(key="worksheet.relu").set_value(True).run()
        assert not app.exception
        assert "ReLU" in app.latex[-2].value


def test_a_damaged_checkpoint_gets_a_sentence(app: AppTest, checkpoint: Path) -> None:
    (checkpoint / "config.json").write_text("{")
    clear()
    app.run()
    assert not app.exception
    assert r"config\.json" in app.error[0].value


# What is computed for the page


def test_a_pairs_products_add_up_to_its_score_and_powers_to_weights(app: AppTest) -> None:
    for kind in KINDS:
        each = sheet(kind, 0, 1)
        for query in range(len(each.q)):
            for key in range(len(each.k)):
                assert pair(each, query, key)[2].sum() == pytest.approx(each.products[query, key], abs=1e-4)
            power = powers(each, query)
            np.testing.assert_allclose(power / power.sum(), each.weights[query], atol=1e-6)


def test_norming_ends_where_the_worksheet_does(app: AppTest) -> None:
    each = sheet("encoder", 0, 0)
    row, plain, gamma, beta, normed = norming(each.norm, each.residual, 3)
    assert plain.mean() == pytest.approx(0, abs=1e-5)
    assert plain.std() == pytest.approx(1, abs=1e-3)
    np.testing.assert_allclose(gamma * plain + beta, normed, atol=1e-5)
    np.testing.assert_array_equal(row, each.residual[3])


def test_moments_are_of_the_rows_that_come_and_leave(app: AppTest) -> None:
    each = sheet("encoder", 0, 0)
    for found, rows in zip(moments(each.norm), (each.residual, each.norm.normed), strict=True):
        np.testing.assert_allclose(found[:, 0], rows.mean(-1), atol=1e-5)
        np.testing.assert_allclose(found[:, 1], rows.std(-1), atol=1e-3)


@pytest.mark.parametrize("shift", [-9, -1, 0, 1, 9])
def test_a_histogram_has_every_number_once_and_an_edge_at_0(shift: float) -> None:
    hidden = np.random.default_rng(0).normal(shift, 1, (7, 30)).astype(np.float32)
    hidden[:, 3] = -1
    hidden[2, 4] = 0
    found = histogram(hidden)
    assert found.counts.sum() == found.size == 210
    assert np.abs(found.edges).min() < 1e-6
    zero = int(np.abs(found.edges).argmin())
    assert found.counts[:zero].sum() == (hidden < 0).sum()
    assert found.off == pytest.approx((np.maximum(hidden, 0) == 0).mean())
    assert found.always == (hidden.max(0) <= 0).sum() >= 1
    assert 48 <= len(found.counts) <= 50


def test_a_histogram_of_zeros_can_be_drawn() -> None:
    found = histogram(np.zeros((2, 3), np.float32))
    assert found.counts.sum() == 6
    assert found.off == 1


def test_what_is_ahead_is_above_the_diagonal() -> None:
    unmasked = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [0.5, 0.2, 0.3]], np.float32)
    masked = np.array([[1, 0, 0], [0.1, 0.9, 0], [0.5, 0.2, 0.3]], np.float32)
    found = ahead(masked, unmasked)
    assert (found.masked, found.step) == (0, 0)
    assert found.most == pytest.approx(0.8)
    assert found.mean == pytest.approx((0.8 + 0.1) / 2)
    assert ahead(np.ones((1, 1), np.float32), np.ones((1, 1), np.float32)).mean == 0


def test_the_largest_number_leaves_out_infinity_and_is_never_0() -> None:
    assert largest(np.array([[-np.inf, -3, 2]], np.float32), np.ones((1, 1), np.float32)) == 3
    assert largest(np.zeros((2, 2), np.float32)) == 1


def test_a_change_is_found_where_it_is_largest(app: AppTest) -> None:
    plain = sheet("encoder", 0, 0)
    assert plain.feed_forward is not None
    weights, leaves = plain.weights.copy(), plain.leaves.copy()
    weights[2, 1] -= 0.5
    leaves[3] *= 3
    norm = dataclasses.replace(plain.feed_forward.norm, normed=leaves)
    after = dataclasses.replace(plain, weights=weights, feed_forward=dataclasses.replace(plain.feed_forward, norm=norm))
    found = change(plain, after)
    assert (found.query, found.key, found.row) == (2, 1, 3)
    assert found.weight == pytest.approx(-0.5)
    assert found.moved == pytest.approx(2, rel=1e-5)
