"""Decoding without a browser: every way to find a translation, pieces that a person chose, and what cannot be shown."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.test_app import HOSTILE
from tests.test_link import address
from tests.test_player import unpack
from viz import models
from viz.analysis import playback
from viz.analysis.playback import ChosenPiece
from viz.document.blocks import Canvas, Heading, Table, Text
from viz.examples import EXAMPLES

ROOT = Path(__file__).parent.parent
PAGE = "viz/pages/decoding.py"
METHODS = ("greedy", "beam", "sample", "typed")


@pytest.fixture
def app(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page(PAGE).run()
    yield app
    clear()


def clear() -> None:
    models.forget()


def header(app: AppTest) -> dict[str, Any]:
    """What the player was given, weights apart."""
    message = next(e.proto.bytes for e in app.get("bidi_component") if "player" in e.proto.component_name)
    return unpack(message)[0]


def ids(app: AppTest) -> list[int]:
    """The pieces that are played."""
    return [next(id for _, id, _, taken in options if taken) for options in header(app)["options"]]


def use(app: AppTest, method: str) -> None:
    app.button_group(key="decoding.method").set_value(method).run()
    assert not app.exception


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


def force(app: AppTest, step: int, rank: int = 1) -> int:
    """Say what the browser would say about the piece of this rank; what it would then forget again."""
    sent = header(app)
    options = [id for _, id, _, taken in sent["options"][step] if not taken and id is not None]
    app.session_state[sent["id"]] = {"force": {"step": step, "id": options[rank - 1], "stamp": sent["stamp"]}}
    app.run()
    assert not app.exception
    app.session_state[sent["id"]] = {}
    app.run()
    return int(options[rank - 1])


def seen(app: AppTest) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.warning, *app.text))


def test_opens_with_an_example_decoded_greedily(app: AppTest) -> None:
    assert not app.exception
    expected = models.translate(EXAMPLES[0])
    sent = header(app)
    assert sent["predicted"] == [token.label for token in expected.target]
    assert ids(app) == [token.id for token in expected.target]
    assert (sent["tree"], sent["forced"], sent["start"]) == (None, [], None)
    assert f"{expected.log_prob:.2f}".removeprefix("-") in seen(app)


def test_a_beam_has_a_tree_and_all_its_results(app: AppTest) -> None:
    use(app, "beam")
    app.slider(key="decoding.beam").set_value(3).run()
    assert not app.exception
    decoding = models.explore(EXAMPLES[0], method="beam", beam=3)
    tree = header(app)["tree"]
    assert (tree["beam"], tree["best"]) == (3, list(decoding.found[0].nodes))
    assert [branch[1] for branch in tree["branches"]] == list(decoding.labels)
    rows = next(element.value for element in app.markdown if "Log" in element.value).splitlines()[2:]
    assert len(rows) == len(decoding.found) >= 3
    assert header(app)["predicted"] == [token.label for token in decoding.best.target]


def test_draws_differ_and_are_listed(app: AppTest) -> None:
    use(app, "sample")
    app.slider(key="decoding.temperature").set_value(2.0).run()
    first = ids(app)
    for count in range(2, 5):
        press(app, "Draw again")
        rows = next(element.value for element in app.markdown if "Log" in element.value).splitlines()[2:]
        assert len(rows) == count
    assert ids(app) != first
    app.number_input(key="decoding.top_k").set_value(1).run()
    assert ids(app) == [token.id for token in models.translate(EXAMPLES[0]).target]
    rows = next(element.value for element in app.markdown if "Log" in element.value).splitlines()[2:]
    assert len(rows) == 1  # other options, other draws


def test_a_whole_translation_is_played_as_typed(app: AppTest) -> None:
    use(app, "typed")
    assert app.text_input(key="decoding.typed").value == models.translate(EXAMPLES[0]).text
    app.text_input(key="decoding.typed").set_value("le <b>chat</b> $x$").run()
    assert not app.exception
    expected = models.translate(EXAMPLES[0], target="le <b>chat</b> $x$")
    assert header(app)["predicted"] == [token.label for token in expected.target]
    assert "Finished" not in "".join(element.value for element in app.subheader)
    app.text_input(key="decoding.typed").set_value("").run()
    assert not app.exception
    assert "empty" in app.warning[0].value


@pytest.mark.parametrize("method", METHODS)
def test_a_piece_that_is_chosen_is_kept_and_the_rest_found_anew(app: AppTest, method: str) -> None:
    use(app, method)
    before = ids(app)
    id = force(app, 1)
    after, sent = ids(app), header(app)
    assert after[:2] == [before[0], id]
    assert (sent["forced"], sent["start"]) == ([1], 1)
    assert all(step >= 2 for step in sent["changed"])
    if method in ("greedy", "typed"):
        decoding = models.explore(EXAMPLES[0], prefix=(before[0], id))
        assert after == [token.id for token in decoding.best.target]
    assert "at step 2" in seen(app)
    press(app, "Undo")
    assert ids(app) == before
    assert "at step" not in seen(app)


def test_choices_make_a_chain_that_can_be_undone(app: AppTest) -> None:
    begun = ids(app)
    one = force(app, 0)
    after_one = ids(app)
    two = force(app, 2)
    assert header(app)["forced"] == [0, 2]
    assert (ids(app)[0], ids(app)[2]) == (one, two)
    assert "at step 1" in seen(app)
    assert "at step 3" in seen(app)
    press(app, "Undo")
    assert ids(app) == after_one
    other = force(app, 0, rank=2)  # an earlier step: what was chosen later is forgotten
    assert header(app)["forced"] == [0]
    assert ids(app)[0] == other
    force(app, 1)
    press(app, "Start over")
    assert ids(app) == begun
    assert header(app)["forced"] == []


def test_choices_belong_to_a_sentence(app: AppTest) -> None:
    force(app, 0)
    app.text_input(key="app.sentence").set_value("the dog sleeps.").run()
    assert header(app)["forced"] == []
    app.text_input(key="app.sentence").set_value(EXAMPLES[0]).run()
    assert header(app)["forced"] == []


def test_a_typed_translation_belongs_to_a_sentence(app: AppTest) -> None:
    use(app, "typed")
    app.text_input(key="decoding.typed").set_value("le chien").run()
    app.text_input(key="app.sentence").set_value("the dog sleeps.").run()
    assert app.text_input(key="decoding.typed").value == models.translate("the dog sleeps.").text


@pytest.mark.parametrize("first", ["greedy", "typed"])
def test_a_translation_typed_after_a_chosen_piece_is_played_whole(app: AppTest, first: str) -> None:
    use(app, first)
    force(app, 1)
    use(app, "typed")
    assert header(app)["forced"] == [1]
    assert "not the translation in the box" in seen(app)
    app.text_input(key="decoding.typed").set_value("zut le chien").run()
    assert not app.exception
    expected = models.translate(EXAMPLES[0], target="zut le chien")
    assert ids(app) == [token.id for token in expected.target]
    assert header(app)["forced"] == []
    assert "choices" not in app.query_params
    assert "at step" not in seen(app)
    id = force(app, 2)  # of the typed one
    assert ids(app)[:3] == [*(token.id for token in expected.target[:2]), id]
    press(app, "Undo")
    assert ids(app) == [token.id for token in expected.target]
    force(app, 0)
    app.text_input(key="decoding.typed").set_value("zut").run()
    assert ids(app) == [token.id for token in models.translate(EXAMPLES[0], target="zut").target]


@pytest.mark.parametrize("method", ["greedy", "typed"])
def test_pieces_and_log_probability_are_those_of_translate(app: AppTest, method: str) -> None:
    use(app, method)
    for text in ("My name is Zbigniew.", "is a."):
        app.text_input(key="app.sentence").set_value(text).run()
        expected = models.translate(text)
        assert ids(app) == list(expected.target_ids)
        assert f"{expected.log_prob:.2f}".replace("-", "\u2212") in app.caption[-1].value
    anew = models.translate(text, target=expected.text)
    assert expected.target_ids != anew.target_ids, "the tiny model finds pieces into which its text would not be cut"


def test_what_was_typed_and_chosen_outlives_other_pages(app: AppTest) -> None:
    use(app, "typed")
    app.text_input(key="decoding.typed").set_value("le chien").run()
    use(app, "beam")
    app.slider(key="decoding.beam").set_value(7).run()
    use(app, "typed")
    id = force(app, 0)
    app.switch_page("viz/pages/translate.py").run()
    app.switch_page(PAGE).run()
    app.run()
    assert app.button_group(key="decoding.method").value == "typed"
    assert app.text_input(key="decoding.typed").value == "le chien"
    assert header(app)["forced"] == [0]
    assert ids(app)[0] == id
    use(app, "beam")
    assert app.slider(key="decoding.beam").value == 7


def test_an_ending_can_be_chosen(app: AppTest) -> None:
    end = models.translator().tokenizer.eos_id
    for step, options in enumerate(header(app)["options"][:-1]):
        places = [id for _, id, _, taken in options if not taken and id is not None]
        if end in places:
            force(app, step, places.index(end) + 1)
            assert ids(app)[step:] == [end]
            return
    pytest.fail("the tiny model offers no early end; choose another sentence for this test")


def test_a_stale_wish_changes_nothing(app: AppTest) -> None:
    before, sent = ids(app), header(app)
    app.session_state[sent["id"]] = {"force": {"step": 0, "id": 300, "stamp": sent["stamp"] - 1}}
    app.run()
    assert not app.exception
    assert ids(app) == before


def test_the_saved_page_has_what_is_shown(app: AppTest) -> None:
    use(app, "beam")
    force(app, 1)
    blocks = app.session_state["document.record"].blocks()
    texts = [each.text for each in blocks if isinstance(each, Text | Heading)]
    assert any("at step 2" in text for text in texts)
    assert "Finished translations" in texts
    assert any("Best first." in text for text in texts)
    assert any("Log-probability of the translation" in text for text in texts)
    (table,) = (each for each in blocks if isinstance(each, Table))
    assert len(table.rows) >= 4
    (canvas,) = (each for each in blocks if isinstance(each, Canvas))
    assert canvas.header["look"] == header(app)["look"]


@pytest.mark.parametrize("sentence", [*HOSTILE, "the " * 300])
def test_whatever_is_typed_every_method_works(app: AppTest, sentence: str) -> None:
    app.text_input(key="app.sentence").set_value(sentence).run()
    for method in METHODS:
        use(app, method)
        assert not app.error
        assert header(app)["source"][-1] == "</s>"
    force(app, 0)


def test_a_long_text_says_how_much_was_left_out(app: AppTest) -> None:
    app.text_input(key="app.sentence").set_value("the cat sees a dog. " * 100).run()
    assert not app.exception
    assert "left out" in app.warning[0].value
    use(app, "beam")
    assert len(header(app)["source"]) <= 64


def test_an_empty_sentence_gets_a_hint(app: AppTest) -> None:
    app.text_input(key="app.sentence").set_value("  ").run()
    assert not app.exception
    assert len(app.info) == 1
    assert not app.get("bidi_component")


def test_a_damaged_checkpoint_gets_a_sentence(app: AppTest, tmp_path: Path) -> None:
    (tmp_path / "en-fr" / "transformer" / "config.json").write_text("{", encoding="utf-8")
    clear()
    app.run()
    assert not app.exception
    assert r"config\.json" in app.error[0].value


# What the page keeps, without the page


def test_pieces_that_stayed_the_same_are_not_marked(app: AppTest) -> None:
    before = models.translate(EXAMPLES[0])
    assert playback.changed(before, before, 0) == ()
    other = models.explore(EXAMPLES[0], prefix=(before.target[1].id,)).best
    marked = playback.changed(before, other, 1)
    assert set(marked) <= set(range(1, len(other.target)))
    same = [other.target[step].id for step in range(1, len(other.target)) if step not in marked]
    rest = iter(token.id for token in before.target[1:])
    assert all(id in rest for id in same), "what is not marked was there before, in this order"


def test_a_drawn_line_break_stays_in_its_row() -> None:
    assert playback.on_one_line("a b\n\r\x85\u2028\x00é") == "a b\u240a\u240d\u2423\u2423\u2400é"


def test_a_choice_at_an_earlier_step_forgets_the_later_ones() -> None:
    translation = models.translator().translate("I see.")
    first = translation.alternatives[1][1]
    early, late = ChosenPiece(prefix=(5,), label="a"), ChosenPiece(prefix=(5, 6, 7), label="b")
    found = playback.chosen((early, late), translation, 1, first.id)
    assert found == (early, ChosenPiece(prefix=(translation.target[0].id, first.id), label=first.label))


def test_specials_cannot_be_chosen_and_what_was_taken_is_always_there() -> None:
    translation = models.translate(EXAMPLES[0], target="zut")
    never = models.never_predicted()
    for options, token in zip(playback.options(translation, never), translation.target, strict=True):
        assert [option.id for option in options if option.taken] == [token.id]
        assert all(option.id not in never for option in options)
    assert json.dumps(playback.options(translation, never))


def follow(**link: str) -> AppTest:
    """The page as somebody sees it who follows a link."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page(PAGE)
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def test_the_address_restores_chosen_pieces(app: AppTest) -> None:
    force(app, 1)
    force(app, 3)
    there = app.query_params["choices"]
    again = follow(choices=there)
    assert not again.warning
    assert ids(again) == ids(app)
    assert header(again)["forced"] == header(app)["forced"] == [1, 3]
    again.text_input(key="app.sentence").set_value("a dog").run()
    assert "choices" not in again.query_params


def test_the_address_restores_a_typed_translation(app: AppTest) -> None:
    again = follow(method="typed", typed="zut <b>")
    assert again.text_input(key="decoding.typed").value == "zut <b>"
    again.text_input(key="app.sentence").set_value("a dog").run()
    assert again.text_input(key="decoding.typed").value == models.translate("a dog").text


def look(app: AppTest, step: int, layer: int, head: int, speed: float) -> None:
    """Say what the browser says that a person looks at."""
    sent = header(app)
    app.session_state[sent["id"]] = {"look": [sent["stamp"], step, layer, head, speed]}
    app.run()
    assert not app.exception
    assert header(app) == sent, "nothing is sent again"


def test_the_address_restores_what_the_player_shows(app: AppTest) -> None:
    assert not set(app.query_params) & {"step", "layer", "head", "speed"}
    assert header(app)["look"] == {"step": len(ids(app)) - 1, "layer": 1, "head": -1, "speed": 1}
    look(app, 1, 0, 1, 0.5)
    there = address(app)
    assert there == {"step": "2", "layer": "1", "head": "2", "speed": "0.5"}
    again = follow(**there)
    assert not again.warning
    assert header(again)["look"] == {"step": 1, "layer": 0, "head": 1, "speed": 0.5}
    force(again, 2)  # of another translation the step is new, and the rest stays
    assert header(again)["look"] == {"step": 2, "layer": 0, "head": 1, "speed": 0.5}
    assert "step" not in again.query_params
    look(app, len(ids(app)) - 1, 1, -1, 1)
    assert not set(app.query_params) & set(there)


def test_what_the_player_shows_outlives_other_pages(app: AppTest) -> None:
    look(app, 1, 0, 1, 2)
    before = header(app)["id"]
    app.switch_page("viz/pages/translate.py").run()
    app.switch_page(PAGE).run()
    assert header(app)["look"] == {"step": 1, "layer": 0, "head": 1, "speed": 2}
    assert header(app)["id"] != before, "another mount, for a browser remembers what it showed in the one before"


@pytest.mark.parametrize("bad", [{"step": "99"}, {"step": "0"}, {"layer": "3"}, {"head": "<b>"}, {"speed": "3"}])
def test_a_look_that_cannot_be_is_refused(app: AppTest, bad: dict[str, str]) -> None:
    again = follow(**bad)
    assert len(again.warning) == 1
    assert header(again)["look"] == header(app)["look"]


@pytest.mark.parametrize("bad", ["5", "5_2", "5.6_2.1", "5.6_0.2", "99999_1", "5._1", "٥_1", "<b>"])
def test_choices_that_nobody_made_are_refused(app: AppTest, bad: str) -> None:
    again = follow(choices=bad)
    assert len(again.warning) == 1
    assert header(again)["forced"] == []


def test_choices_are_read_as_they_are_written() -> None:
    choices = (ChosenPiece(prefix=(5,), label="<5>"), ChosenPiece(prefix=(5, 6, 7), label="<7>"))
    for each in ((), choices[:1], choices):
        assert playback.read_choices(playback.write_choices(each), lambda id: f"<{id}>", 8) == each
