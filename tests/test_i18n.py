"""No key without a sentence, no sentence without a key or in a wrong file, no placeholder that nobody fills; and each
visitor reads one language."""

import ast
import importlib
import json
import re
import string
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from streamlit.runtime.scriptrunner import add_script_run_ctx
from streamlit.testing.v1 import AppTest

from model.errors import UserError, note
from model.records import Note
from viz import state
from viz.components import FILES
from viz.i18n import LANGUAGES, LOCALES, catalogue, files, message, t, words_under
from viz.lessons.registry import SCENES

T = TypeVar("T")
ROOT = Path(__file__).parent.parent
SOURCES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


def calls(name: str) -> Iterator[ast.Call]:
    """Every call of a function of this name in the interface."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def pattern(key: ast.expr) -> str:
    """A regular expression of the keys that an argument can be: a constant, or an f-string with a gap."""
    parts = key.values if isinstance(key, ast.JoinedStr) else [key]
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z0-9]+" for part in parts)


def used() -> set[str]:
    # A key in a variable is written out elsewhere: it is checked there, if at all.
    patterns = [pattern(call.args[0]) for call in calls("t") if isinstance(call.args[0], ast.Constant | ast.JoinedStr)]
    patterns += [pattern(call.args[0]) + r"\..+" for call in calls("words_under")]
    for wanted in patterns:
        assert any(re.fullmatch(wanted, key) for key in catalogue("en")), f"no sentence for {wanted}"
    patterns.append(r"errors\..+")  # by `message`, from what a model says; tests/test_errors.py has their uses
    return {key for key in catalogue("en") if any(re.fullmatch(wanted, key) for wanted in patterns)}


def test_every_key_has_a_sentence_and_every_sentence_a_use() -> None:
    assert used() == set(catalogue("en"))


def test_keys_are_written_out_where_they_are_chosen() -> None:
    """A key that a variable holds stands somewhere as a constant, and what an f-string builds begins with a file."""
    names = {prefix.split(".")[0] for prefix in files("en")} | {key.split(".")[0] for key in catalogue("en")}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and re.fullmatch(r"\w+(\.\w+)+", text := str(node.value)):
                file = text.endswith((".py", ".js", ".css", ".html", ".json"))
                assert file or text.split(".")[0] not in names or text in catalogue("en"), f"{path}: {text}"
    for call in [*calls("t"), *calls("words_under")]:
        if isinstance(key := call.args[0], ast.JoinedStr):
            assert isinstance(key.values[0], ast.Constant), ast.unparse(call)
            assert any(str(key.values[0].value).startswith(f"{name}.") for name in names), ast.unparse(call)


def test_every_placeholder_is_filled() -> None:
    for call in calls("t"):
        given = {keyword.arg for keyword in call.keywords}
        for key, sentence in catalogue("en").items():
            if re.fullmatch(pattern(call.args[0]), key):
                asked = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
                assert asked == given, key


@pytest.mark.parametrize(
    ("prefix", "folder"),
    [
        ("grid", "attention_grid"),
        ("strip", "token_strip"),
        ("pair", "alignment_pair"),
        ("player", "player"),
        ("map", "architecture_map"),
    ],
)
def test_components_use_every_word_that_they_get(prefix: str, folder: str) -> None:
    importlib.import_module(f"viz.components.{folder}")
    script = FILES[folder].js
    words = set(words_under(prefix))
    assert words == set(re.findall(r"texts\??\.(\w+)", script))


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        t("no.such.key")


def test_languages_and_catalogues_are_the_same() -> None:
    assert sorted(LANGUAGES) == sorted(path.name for path in LOCALES.iterdir())


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_key_stands_once_and_in_its_file(language: str) -> None:
    found: list[str] = []
    for prefix, path in files(language).items():
        pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
        assert pairs, f"{path} is empty"
        found += [prefix + key for key, _ in pairs]
        for other in filter(None, files(language)):
            assert other == prefix or not any((prefix + key).startswith(other) for key, _ in pairs), path
    found += [key for key in catalogue(language) if key.startswith("errors.") and language == "en"]
    assert sorted(found) == sorted(catalogue(language)), "a key stands twice"
    assert set(files(language).values()) == set((LOCALES / language).rglob("*.*")), "a file that nobody reads"


def test_languages_have_the_same_files_in_the_same_order() -> None:
    """A translator reads two files side by side."""
    for language in LANGUAGES:
        assert set(files(language)) - {"errors."} == set(files("en")), "the English of errors is in model/errors.py"
        for prefix, path in files(language).items():
            own = [prefix + key for key in json.loads(path.read_text(encoding="utf-8"))]
            assert own == [key for key in catalogue("en") if key in set(own)], path


def test_every_scene_has_a_file() -> None:
    assert {f"scene.{scene.name}." for scene in SCENES} == {each for each in files("en") if each.startswith("scene.")}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    def placeholders(sentence: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(sentence)} - {None}

    english = catalogue("en")
    assert catalogue(language).keys() == english.keys()
    for key, sentence in catalogue(language).items():
        assert placeholders(sentence) == placeholders(english[key]), key


class Visit(dict[str, Any]):
    """The state of a session that speaks a language, which counts how often it is asked."""

    def __init__(self, language: str) -> None:
        super().__init__({state.LANGUAGE.key: language})
        self.asked = 0

    def __getitem__(self, key: str) -> Any:
        self.asked += 1
        return super().__getitem__(key)


def run(visit: Visit, work: Callable[[], T]) -> T:
    """What `work` returns as a run of this visit, in a thread of its own as Streamlit's runs are."""

    def attached() -> T:
        pages = SimpleNamespace(main_script_hash="")
        context = SimpleNamespace(session_state=visit, pages_manager=pages, gather_usage_stats=False)
        add_script_run_ctx(None, context)  # type: ignore[arg-type]
        return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(attached).result()


def test_visitors_of_two_languages_at_once_read_their_own() -> None:
    """Also where no run of the whole app came before, as in a fragment that runs alone."""
    both = threading.Barrier(2, timeout=10)

    def read() -> set[str]:
        return {t("translate.title") for _ in range(100) if both.wait() is not None}

    with ThreadPoolExecutor(2) as visitors:
        found = visitors.map(lambda language: run(Visit(language), read), ("en", "zh"))
    assert list(found) == [{catalogue(each)["translate.title"]} for each in ("en", "zh")]


def test_the_language_is_looked_up_once_a_run() -> None:
    visit = Visit("zh")

    def read() -> int:
        for _ in range(50):
            assert t("translate.title") == catalogue("zh")["translate.title"]
        return visit.asked

    first = run(visit, read)
    assert 0 < first < 5
    assert run(visit, read) == 2 * first


def test_a_language_that_is_chosen_is_spoken_in_the_next_run() -> None:
    app = AppTest.from_string(
        "import streamlit as st\nfrom viz import state\nfrom viz.i18n import LANGUAGES, t\n"
        "state.begin(LANGUAGES)\nst.text(t('translate.title'))\n"
        "st.button('zh', on_click=state.LANGUAGE.set, args=('zh',))\n"
    ).run()
    assert app.text[0].value == catalogue("en")["translate.title"]
    app.button[0].click().run()
    assert app.text[0].value == catalogue("zh")["translate.title"]


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Strings that read like words for people: two words or more, and no documentation, style sheet or formula."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)  # docstrings
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in said
            and re.search(r"[^\W\d_]{2,}[,.:]? [^\W\d_]{2,}\b(?!\.(?:py|js|css|html|json))", node.value)
            and not re.search(r"[\\{}<>/]", node.value)
        ):
            yield node.lineno, node.value


def test_no_page_holds_a_sentence_of_its_own() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in SOURCES
        if path.name == "app.py" or "pages" in path.parts
        for line, text in sentences(path)
    ]
    assert found == []


def test_a_sentence_in_a_page_would_be_found(tmp_path: Path) -> None:
    page = tmp_path / "page.py"
    page.write_text(
        '"""No sentence."""\nst.caption("This is one.")\nst.latex(r"\\text{ for } x")\nst.html("<b>b c</b>")\n'
    )
    assert list(sentences(page)) == [(2, "This is one.")]


@pytest.mark.parametrize(
    ("said", "en", "zh"),
    [
        (
            UserError("nothing"),
            "There is nothing to translate: type a sentence.",
            "没有可翻译的内容：请输入一个句子。",
        ),
        (
            UserError("target_long", count=300, limit=255),
            "The given translation has 300 pieces; this model reads at most 255.",
            "给定的译文有 300 个子词；这个模型最多读 255 个。",
        ),
        (
            UserError("no_model", name="config.json", folder="a", reason=UserError("width_odd", width=9)),
            "config.json in a does not describe a model: Sinusoidal positions need an even d_model; 9 is odd.",
            "a 里的 config.json 没有描述一个可用的模型：正弦位置编码要求 d_model 为偶数；9 是奇数。",
        ),
        (
            note("full", device="cuda"),
            "The cuda device has no room for the model; the CPU does the work.",
            "cuda 设备装不下这个模型；改由 CPU 计算。",
        ),
        (ValueError("What nobody foresaw."), "What nobody foresaw.", "What nobody foresaw."),
    ],
)
def test_what_the_model_says_is_said_in_the_visitors_language(
    said: ValueError | Note, en: str, zh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert message(said) == (said.english if isinstance(said, Note) else str(said)) == en
    monkeypatch.setattr(state, "language", lambda: "zh")
    assert message(said) == zh


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_emphasis_ends_where_it_should(language: str) -> None:
    """Markdown does not see the end of bold words between a mark and a letter."""

    def lost(sentence: str) -> bool:
        parts = sentence.split("**")  # every second one is bold
        return any(
            not bold[-1:].isalnum() and bold[-1:] not in "}" and after[:1].isalnum()
            for bold, after in zip(parts[1::2], parts[2::2], strict=False)
        )

    assert lost("**an end.**Then more")
    assert not lost("a mark;**bold** words")
    assert [key for key, sentence in catalogue(language).items() if lost(sentence)] == []
