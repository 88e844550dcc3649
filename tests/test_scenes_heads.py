"""The scenes of heads and of halves without a browser: what is drawn, said and compared, and what cannot be."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.experiments.causal_encoder import causal_reading, encoder_states, parameter_counts
from model.experiments.position_encoding import embedded
from tests.drawn import charts, numbers
from viz import models
from viz.analysis.habits import places
from viz.analysis.heads import ahead, in_both, levels, same_word, strongest, words
from viz.i18n import t

ROOT = Path(__file__).parent.parent
SENTENCE = "They see the white cat on the table."
HOSTILE = ("<b>x</b>", "$x$ `a` **b** :red[x]", "</s> <s>", "مرحبا بكم", "?", "a\x00b", "#000001 #000001", "the " * 300)


@pytest.fixture
def fresh(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The lessons on a copy of the tiny checkpoint, not run yet."""
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()  # before that it does not know the page
    yield app.switch_page("viz/pages/lessons.py")
    clear()


def clear() -> None:
    models.forget()


def opened(app: AppTest, scene: str, **chosen: str) -> AppTest:
    """With this scene and what else an address says."""
    for key, value in ({"scene": scene, "sentence": SENTENCE} | chosen).items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert not app.warning
    return app


def seen(app: AppTest) -> str:
    """Everything said in words."""
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.text))


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_the_head_that_is_drawn_is_the_strongest_for_its_place(fresh: AppTest, kind: str) -> None:
    app = opened(fresh, "heads", heads_kind=kind)
    translation = models.translate(SENTENCE)
    tokens, text = translation.source, translation.source_text
    if kind == "decoder":
        tokens, text = translation.decoder_input, translation.text
    weights = getattr(translation, kind)
    for place, shares in places(weights, tokens, text, kind).items():
        app.button_group(key=f"heads.place/{kind}").set_value(place).run()
        assert not app.exception
        layer, head, share = strongest(shares, 1)[0]
        drawn = numbers(charts(app)[0]["data"][0]["z"])
        np.testing.assert_allclose(np.nan_to_num(drawn), weights[layer, head], atol=1e-6)
        assert np.isnan(drawn).any() == (kind == "decoder")
        where = t(f"mark.where.{place}")
        assert f"layer {layer + 1}, head {head + 1}: {share:.0%} of its weight goes to {where}" in seen(app)


def test_a_pronoun_looks_back_first(fresh: AppTest) -> None:
    app = opened(fresh, "heads", sentence="Mary sees the cat and she likes it here.")
    assert "“it” gives" in seen(app)
    assert app.select_slider[0].value == 7
    app.select_slider[0].set_value(0).run()
    assert not app.exception
    assert "No word stands before this one." in seen(app)
    app.text_input(key="app.sentence").set_value("They see the water.").run()
    assert "“water” gives" in seen(app)


def test_the_same_word_is_compared_layer_by_layer(fresh: AppTest) -> None:
    sentences = {
        "same_word_first": "They see the water.",
        "same_word_second": "We eat the water.",
        "same_word_third": "The water?",
    }
    app = opened(fresh, "heads", **sentences)
    found = [models.translate(text) for text in sentences.values()]
    assert app.button_group(key="same_word.word").value == "water"
    states = [
        levels(models.ask(embedded, each.source).pieces, models.ask(encoder_states, each.source)) for each in found
    ]
    drawn = charts(app)[1]["data"]
    assert [len(trace["y"]) for trace in drawn] == [len(states[0])] * 3
    for trace, other, states_of in zip(drawn, found[1:], states[1:], strict=False):
        curve = same_word(states[0], words(found[0])["water"].places, states_of, words(other)["water"].places)
        np.testing.assert_allclose(trace["y"], curve, atol=1e-5)
        assert trace["y"][0] == pytest.approx(1, abs=1e-5)
    assert "no head is known to align" in seen(app)
    assert [element.value for element in app.text][1:] == [f"→ {each.text}" for each in found]


def test_whether_the_french_differs_is_read_off_the_translations(fresh: AppTest) -> None:
    app = opened(fresh, "heads", same_word_first="They see the water.", same_word_second="They see the water.")
    assert "have the same French word" in seen(app)
    assert "have different French words" not in seen(app)


def test_buttons_fill_the_boxes(fresh: AppTest) -> None:
    app = opened(fresh, "heads")
    app.button(key="same_word.fill/watch").click().run()
    assert not app.exception
    typed = [app.text_input(key=f"same_word.{box}").value or "" for box in ("first", "second", "third")]
    assert all("watch" in text for text in typed)
    assert "watch" in in_both(models.translate(typed[0]), models.translate(typed[1]))


def test_sentences_without_a_common_word_or_without_words(fresh: AppTest) -> None:
    app = opened(fresh, "heads", same_word_first="They eat.", same_word_second="We see.")
    assert "no word in common" in seen(app)
    app.text_input(key="same_word.second").set_value(" ").run()
    assert not app.exception
    assert "nothing to translate" in app.warning[0].value
    app.text_input(key="same_word.second").set_value("They see.").run()
    app.text_input(key="same_word.third").set_value("water").run()
    assert not app.exception
    assert "“They” is not in the third sentence" in seen(app)


@pytest.mark.parametrize("sentence", HOSTILE)
def test_whatever_is_typed_both_scenes_work(fresh: AppTest, sentence: str) -> None:
    for key in ("sentence", "same_word_first", "same_word_second"):
        fresh.query_params[key] = sentence
    for scene in ("heads", "halves"):
        fresh.session_state["lesson.open"] = scene
        fresh.session_state["halves.mask"] = True
        fresh.run()
        assert not fresh.exception
        assert not fresh.error
        assert t(f"scene.{scene}.idea") in seen(fresh)
        assert fresh.text_input(key="app.sentence").value == sentence


def test_both_halves_are_drawn_and_the_mask_changes_the_encoder_only(fresh: AppTest) -> None:
    app = opened(fresh, "halves", halves_layer="1", halves_head="1")
    translation = models.translate(SENTENCE)
    encoder, decoder = (numbers(each["data"][0]["z"]) for each in charts(app))
    np.testing.assert_allclose(encoder, translation.encoder[1, 1], atol=1e-6)
    np.testing.assert_allclose(np.nan_to_num(decoder), translation.decoder[1, 1], atol=1e-6)
    assert f"{ahead(translation.encoder).mean:.0%} of their weight" in seen(app)
    app.toggle(key="halves.mask").set_value(True).run()
    assert not app.exception
    masked, same = (numbers(each["data"][0]["z"]) for each in charts(app))
    found = models.ask(causal_reading, translation.source)
    np.testing.assert_allclose(np.nan_to_num(masked), found.weights[1, 1], atol=1e-6)
    assert np.isnan(masked).sum() == len(masked) * (len(masked) - 1) / 2
    np.testing.assert_array_equal(same, decoder)
    assert f"→ {found.text}" in [element.value for element in app.text]
    verdict = "are the same" if found.text == translation.text else "differ"
    assert f"The two translations {verdict}." in seen(app)


def test_parameters_are_those_of_the_model(fresh: AppTest) -> None:
    app = opened(fresh, "halves")
    found = models.ask(parameter_counts)
    (said,) = (element.value for element in app.markdown if element.value.startswith("| Parameters"))
    last = said.replace("\\", "").splitlines()[-1]
    assert [cell.strip() for cell in last.split("|")[2:5]] == [
        f"{count:,}" for count in (found.total, found.encoder_only, found.decoder_only)
    ]
    assert found.total == sum(parameter.numel() for parameter in models.translator().model.parameters())
