"""The page of positions without a browser: what each tab shows, and for what cannot be shown."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.experiments.position_encoding import table
from model.experiments.word_order import read_order, shuffled, word_order
from tests.drawn import charts, numbers
from viz import models
from viz.examples import EXAMPLES
from viz.i18n import t

ROOT = Path(__file__).parent.parent
PAGE = "viz/pages/positions.py"
TABS = ("table", "shift", "sentence", "order", "ways")
HOSTILE = (
    "<b>x</b>",
    "$x$ `a` **b** :red[x]",
    "</s> <s>",
    "مرحبا بكم",
    "🙂 👩‍👩‍👧",
    "你好，世界",
    "a\x00b",
    "#000001",
    "?",
    "the " * 300,
)


@pytest.fixture
def fresh(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The page, not opened yet, on the tiny checkpoint, of which each test has a copy it may damage."""
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(PAGE)
    clear()


@pytest.fixture
def app(fresh: AppTest) -> AppTest:
    fresh.run()
    assert not fresh.exception
    return fresh


def clear() -> None:
    models.forget()


def open_tab(app: AppTest, name: str) -> None:
    assert name in TABS
    app.session_state["positions.tab/tabs"] = t(f"positions.tab.{name}")
    app.run()
    assert not app.exception


def seen(app: AppTest) -> str:
    """Everything said in words."""
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.warning, *app.text))


def type_sentence(app: AppTest, text: str) -> None:
    app.text_input(key="app.sentence").set_value(text).run()
    assert not app.exception


def box(app: AppTest, count: int) -> tuple[int, ...]:
    """The order that stands in the box."""
    return read_order(app.text_input(key="positions_order.order").value or "", count)


def difference(app: AppTest) -> float:
    return float(
        app.metric[0].value.replace("\u00a0×\u00a010⁻", "e-").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
    )


def test_the_table_is_drawn_with_its_waves_and_dot_products(app: AppTest) -> None:
    config = models.sizes()
    whole, waves, dots = charts(app)
    np.testing.assert_array_equal(numbers(whole["data"][0]["z"]), table(config.max_length, config.d_model))
    assert len(waves["data"]) == 4
    assert numbers(dots["data"][0]["z"]).shape == (config.max_length, config.max_length)
    app.multiselect(key="positions_table.dimensions/box/en").set_value([3]).run()
    assert len(charts(app)[1]["data"]) == 1
    app.multiselect(key="positions_table.dimensions/box/en").set_value([]).run()
    assert not app.exception
    assert len(charts(app)) == 2
    assert "Choose a dimension" in seen(app)


@pytest.mark.parametrize(("k", "position"), [(0, 0), (5, 10), (64, 64)])
def test_a_shift_is_measured_and_drawn(app: AppTest, k: int, position: int) -> None:
    open_tab(app, "shift")
    app.slider(key="positions_shift.shift").set_value(k).run()
    app.slider(key="positions_shift.from").set_value(position).run()
    assert not app.exception
    blocks, whole, dials, moved = charts(app)
    matrix = numbers(whole["data"][0]["z"])
    np.testing.assert_array_equal(numbers(blocks["data"][0]["z"]), matrix[:8, :8])
    vectors = table(130, models.sizes().d_model)
    np.testing.assert_allclose(matrix @ vectors[position], vectors[position + k], atol=1e-5)
    np.testing.assert_allclose(moved["data"][1]["y"], moved["data"][2]["y"], atol=1e-5)
    assert len(dials["data"]) == 8
    assert f"k = {k}" in seen(app)


def test_a_sentence_is_the_sum_of_its_parts(app: AppTest) -> None:
    open_tab(app, "sentence")
    type_sentence(app, "They see the water.")
    heat, bars = charts(app)
    pieces, positions, total = (numbers(each["z"]) for each in heat["data"])
    np.testing.assert_allclose(pieces + positions, total, atol=1e-6)
    np.testing.assert_array_equal(positions, table(len(positions), models.sizes().d_model))
    assert len(bars["data"]) == 3
    np.testing.assert_allclose(bars["data"][2]["y"], np.linalg.norm(total, axis=-1), rtol=1e-5)


def test_order_counts_with_positions_and_not_without(app: AppTest) -> None:
    open_tab(app, "order")
    type_sentence(app, "They see the white cat on the table.")
    order = shuffled(9, 1)
    assert box(app, 9) == order
    translation = models.translate("They see the white cat on the table.")
    on = models.ask(word_order, translation.source, order, True)
    assert difference(app) == pytest.approx(on.difference, rel=0.1)
    own, other, change = (numbers(each["z"]) for each in charts(app)[0]["data"])
    np.testing.assert_array_equal(own, on.states)
    np.testing.assert_array_equal(other, on.other)
    np.testing.assert_array_equal(change, on.other - on.states)
    assert "tells the two apart" in seen(app)
    app.toggle(key="positions_order.on").set_value(False).run()
    assert difference(app) < 1e-4
    assert "cannot tell them apart. The two translations are the same." in seen(app)
    off = models.ask(word_order, translation.source, order, False)
    assert [element.value for element in app.text][1::2] == list(off.translations)


def test_shuffle_is_seeded_and_the_buttons_fill_the_box(app: AppTest) -> None:
    open_tab(app, "order")
    type_sentence(app, "They see the water.")
    for expected in (shuffled(5, 2), shuffled(5, 3)):
        app.button(key="positions_order.fill/shuffle").click().run()
        assert box(app, 5) == expected
    app.button(key="positions_order.fill/backwards").click().run()
    assert app.text_input(key="positions_order.order").value == "5 4 3 2 1"
    assert app.text[2].value == ". water the see They"
    app.button(key="positions_order.fill/typed").click().run()
    assert app.text_input(key="positions_order.order").value == "1 2 3 4 5"
    assert difference(app) == 0
    assert "both orders are the same sentence" in seen(app)
    app.button(key="positions_order.fill/shuffle").click().run()
    assert box(app, 5) == shuffled(5, 4)
    open_tab(app, "table")
    open_tab(app, "order")
    assert box(app, 5) == shuffled(5, 4)


def test_an_order_can_be_typed_and_a_bad_one_gets_a_sentence(app: AppTest) -> None:
    open_tab(app, "order")
    type_sentence(app, "They see the water.")
    app.text_input(key="positions_order.order").set_value("4 2 3 1 5").run()
    assert app.text[2].value == "water see the They."
    for wrong in ("", "1 2 3", "1 2 3 4 4", "<b>$x$", "9" * 5000):
        app.text_input(key="positions_order.order").set_value(wrong).run()
        assert not app.exception
        assert "every number from 1 to 5 once" in app.warning[0].value
        assert not app.get("plotly_chart")
    app.button(key="positions_order.fill/shuffle").click().run()
    assert app.get("plotly_chart")


def test_another_sentence_begins_with_another_order(app: AppTest) -> None:
    open_tab(app, "order")
    app.text_input(key="positions_order.order").set_value("nonsense").run()
    app.selectbox(key="sentence.example").select(EXAMPLES[4]).run()
    assert not app.exception
    assert not app.warning
    assert box(app, 10) == shuffled(10, 1)


@pytest.mark.parametrize("word", ["Hello", "?", "مرحبا"])
def test_one_word_cannot_be_shuffled(app: AppTest, word: str) -> None:
    open_tab(app, "order")
    type_sentence(app, word)
    assert "nothing to shuffle" in app.info[0].value
    assert not app.get("plotly_chart")


@pytest.mark.parametrize("sentence", HOSTILE)
def test_whatever_is_typed_every_tab_works(app: AppTest, sentence: str) -> None:
    open_tab(app, "order")
    type_sentence(app, sentence)
    for name in TABS:
        open_tab(app, name)
        assert not app.error, name


def test_text_is_shown_as_typed(app: AppTest) -> None:
    open_tab(app, "order")
    type_sentence(app, "<b>the</b> $x$ :red[x]")
    assert app.text[0].value == "<b>the</b> $x$ :red[x]"
    assert r"\<" in seen(app)
    assert r"\$" in seen(app)


@pytest.mark.parametrize("name", ["sentence", "order"])
def test_an_empty_sentence_gets_a_hint(app: AppTest, name: str) -> None:
    open_tab(app, name)
    type_sentence(app, "  ")
    assert len(app.info) == 1
    assert not app.get("plotly_chart")


def test_a_long_text_says_how_much_was_left_out(app: AppTest) -> None:
    open_tab(app, "order")
    type_sentence(app, "the cat sees a dog. " * 50)
    assert "were left out" in app.warning[0].value
    assert app.get("plotly_chart")


def test_other_ways_say_what_they_are(app: AppTest) -> None:
    open_tab(app, "ways")
    assert len(charts(app)) == 3
    assert "no trained model with learnt positions" in app.info[0].value
    assert not numbers(charts(app)[2]["data"][0]["z"]).any()


def test_a_link_restores_what_was_chosen(fresh: AppTest) -> None:
    wanted = {
        "tab": "order",
        "sentence": "the cat sees",
        "order": "3 1 2",
        "on": "False",
    }
    for key, value in wanted.items():
        fresh.query_params[key] = value
    fresh.run()
    assert not fresh.exception
    assert not fresh.warning
    assert fresh.text_input(key="app.sentence").value == "the cat sees"
    assert fresh.text_input(key="positions_order.order").value == "3 1 2"
    assert fresh.text[2].value == "sees the cat"
    assert fresh.toggle(key="positions_order.on").value is False


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("table", "dimensions", "[0, 99999]"),
        ("table", "dimensions", "0"),
        ("shift", "shift", "-1"),
        ("shift", "from", "1e3"),
        ("order", "order", "1 2"),
        ("order", "on", "perhaps"),
        ("nowhere", "tab", "nowhere"),
    ],
)
def test_a_bad_link_gets_a_sentence(fresh: AppTest, part: str, key: str, value: str) -> None:
    fresh.query_params["tab"] = part
    fresh.query_params[key] = value
    fresh.run()
    assert not fresh.exception
    assert "address" in fresh.warning[0].value


def test_a_damaged_checkpoint_gets_a_sentence(fresh: AppTest, tmp_path: Path) -> None:
    (tmp_path / "en-fr" / "transformer" / "config.json").write_text("{", encoding="utf-8")
    clear()
    fresh.run()
    assert not fresh.exception
    assert r"config\.json" in fresh.error[0].value


def test_the_address_keeps_every_choice(app: AppTest) -> None:
    def address() -> dict[str, str]:
        return {name: "".join(given) for name, given in app.query_params.items()}

    assert address() == {}
    app.multiselect(key="positions_table.dimensions/box/en").set_value([3, 0]).run()
    assert address() == {"dimensions": "[3, 0]"}
    open_tab(app, "shift")
    app.slider(key="positions_shift.shift").set_value(7).run()
    app.slider(key="positions_shift.from").set_value(0).run()
    assert address() == {"tab": "shift", "shift": "7", "from": "0"}
    open_tab(app, "order")
    type_sentence(app, "the cat sees")
    app.text_input(key="positions_order.order").set_value("2 1 3").run()
    app.toggle(key="positions_order.on").set_value(False).run()
    assert address() == {"tab": "order", "sentence": "the cat sees", "order": "2 1 3", "on": "False"}
    open_tab(app, "table")
    assert address() == {"sentence": "the cat sees", "dimensions": "[3, 0]"}
    assert len(charts(app)[1]["data"]) == 2
