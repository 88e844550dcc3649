"""Choices: no two alike, what the address says and what it keeps, Back and Forward, and nothing lost on the way."""

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz.state import LONGEST, Space

ROOT = Path(__file__).parent.parent


def test_two_things_cannot_have_one_key() -> None:
    space = Space("test one", __file__)
    space.choice("part", 0)
    with pytest.raises(ValueError, match="has two keys 'part'"):
        space.key("part")
    with pytest.raises(ValueError, match="has two keys 'part'"):
        space.memory("part", list)


def test_two_files_cannot_have_one_space_but_a_page_is_run_again_and_again() -> None:
    Space("test two", "a.py").key("part")
    Space("test two", "a.py").key("part")
    with pytest.raises(ValueError, match=r"are those of a\.py, and cannot be those of b\.py"):
        Space("test two", "b.py")


def test_two_choices_of_a_page_cannot_have_one_name_in_the_address() -> None:
    scene, other = Space("test scene", "c.py", page="test lessons"), Space("test other", "d.py", page="test lessons")
    assert scene.choice("step", 0).address == "test scene_step"
    scene.choice("size", 0, address="size")
    with pytest.raises(ValueError, match="'size' in the address is a choice of 'test scene' and of 'test other'"):
        other.choice("size", 0, address="size")
    Space("test elsewhere", "e.py").choice("size", 0)  # another page
    with pytest.raises(ValueError, match="'language' in the address is a choice of 'app'"):
        Space("test elsewhere", "e.py").choice("language", "")
    with pytest.raises(ValueError, match="'size' in the address"):
        Space("test everywhere", "f.py", page="").choice("any", 0, address="size")


def test_members_of_a_family_are_apart() -> None:
    choice = Space("test family", __file__).choice("row", 1)
    assert choice.at("a", 2).key == "test family.row/a/2"
    assert choice.at("a", 2).address == "row-a-2"
    assert choice.at("a").key != choice.at("b").key


def _app() -> None:
    import streamlit as st

    from viz import state
    from viz.state import Space
    from viz.widgets.inputs import choose, choose_piece, select, slide, switch, type_in

    state.begin({"en": "English", "zh": "Chinese"})
    one = Space("test app", "test app")
    page = st.query_params.get("page", "one") if "moved to" not in st.session_state else st.session_state["moved to"]
    state.arrive(page, page)
    state.begin_page()
    values = {
        "which": choose(one.choice("which", "a"), "Which", ("a", "b", "c")),
        "on": switch(one.choice("on", False), "On"),
        "many": slide(one.choice("many", 3), "Many", 0, 9),
        "text": type_in(one.choice("text", "hello"), "Text"),
        "list": select(one.choice("list", 2), "List", (1, 2, 3), named=lambda each: f"number {each}"),
        "piece": choose_piece(one.choice("piece", 1), "Piece", tuple(st.session_state.get("pieces", "xyz"))),
    }
    st.session_state["values"], st.session_state["bad"] = values, state.bad_links()
    state.write_address()


DEFAULTS = {"which": "a", "on": False, "many": 3, "text": "hello", "list": 2, "piece": 1}


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(_app)


def test_everybody_begins_alike_and_with_a_bare_address(app: AppTest) -> None:
    app.run()
    assert app.session_state["values"] == DEFAULTS
    assert dict(app.query_params) == {}


def test_the_address_has_every_choice_and_restores_it_elsewhere(app: AppTest) -> None:
    app.run()
    app.button_group(key="test app.which").set_value("b").run()
    app.toggle(key="test app.on").set_value(True).run()
    app.slider(key="test app.many").set_value(7).run()
    app.text_input(key="test app.text").set_value("$x$ <b>&").run()
    app.selectbox(key="test app.list/box/en").set_value(3).run()
    app.select_slider[0].set_value(2).run()
    values = {"which": "b", "on": True, "many": 7, "text": "$x$ <b>&", "list": 3, "piece": 2}
    assert app.session_state["values"] == values
    address = {name: "".join(given) for name, given in app.query_params.items()}
    assert address == {name: str(value) for name, value in values.items()}
    other = AppTest.from_function(_app)
    for name, given in address.items():
        other.query_params[name] = given
    other.run()
    assert other.session_state["values"] == values
    assert other.session_state["bad"] == []


@pytest.mark.parametrize(
    ("name", "given"),
    [("which", "z"), ("on", "yes"), ("many", "12"), ("many", "1e3"), ("list", "number 3"), ("piece", "-1"),
     ("many", "1" * 5000), ("text", "x" * (LONGEST + 1))],
)  # fmt: skip
def test_what_the_address_asks_for_in_vain_is_told_once(app: AppTest, name: str, given: str) -> None:
    app.query_params[name] = given
    app.run()
    assert app.session_state["values"] == DEFAULTS
    assert app.session_state["bad"] == [f"{name}={given}"]
    assert app.run().session_state["bad"] == []


def test_a_text_too_long_for_the_address_is_kept_all_the_same(app: AppTest) -> None:
    app.run()
    app.text_input(key="test app.text").set_value("x" * (LONGEST + 1)).run()
    assert dict(app.query_params) == {}
    assert app.run().session_state["values"]["text"] == "x" * (LONGEST + 1)


def test_back_and_forward_restore_what_the_address_says(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    app.run()
    app.slider(key="test app.many").set_value(7).run()
    app.toggle(key="test app.on").set_value(True).run()
    app.query_params.clear()
    app.query_params["many"] = "7"
    monkeypatch.setattr("viz.state.moved", lambda: True)  # only a browser says so
    app.run()
    assert app.session_state["values"] == DEFAULTS | {"many": 7}
    app.query_params.clear()
    assert app.run().session_state["values"] == DEFAULTS
    app.query_params["on"] = "True"
    assert app.run().session_state["values"] == DEFAULTS | {"on": True}


def test_an_address_that_lags_behind_undoes_nothing(app: AppTest) -> None:
    app.run()
    app.slider(key="test app.many").set_value(7).run()
    app.query_params.clear()
    app.query_params["many"] = "5"  # what a browser says that has not yet heard of the 7
    assert app.run().session_state["values"] == DEFAULTS | {"many": 7}


def test_other_pieces_begin_with_the_first_choice_again(app: AppTest) -> None:
    app.run()
    app.select_slider[0].set_value(2).run()
    app.session_state["pieces"] = "uvw"
    assert app.run().session_state["values"]["piece"] == 1
    app.session_state["pieces"] = "u"
    assert app.run().session_state["values"]["piece"] == 0  # the only one there is


BARE = {"key"}
"""Arguments by which Streamlit, our components and our widgets take a key."""


def bare_keys(tree: ast.AST) -> list[int]:
    """Lines of calls that are given a text for a key instead of something that a `Space` has made."""
    return [
        keyword.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg in BARE
        and (
            isinstance(keyword.value, ast.JoinedStr)
            or (isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str))
        )
        and not (isinstance(node.func, ast.Name) and node.func.id == "t")  # a word of a sentence
    ]


def test_bare_keys_are_found() -> None:
    assert bare_keys(ast.parse("st.button('x', key='a')\nst.button('x', key=f'a{b}')")) == [1, 2]
    assert bare_keys(ast.parse("st.button('x', key=KEY.at(1))\nt('a', key='b')\nsorted(x, key=len)")) == []


def test_no_key_is_typed_where_it_is_used() -> None:
    found = {
        str(path.relative_to(ROOT)): lines
        for path in [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]
        if (lines := bare_keys(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
