"""No key without a sentence, no sentence without a key, no placeholder that nobody fills."""

import ast
import importlib
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from viz import session
from viz.components import FILES
from viz.i18n import LANGUAGES, LOCALES, catalogue, t, told, words_under

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
    patterns.append(r"told\..+")  # by `told`, from what a model says
    return {key for key in catalogue("en") if any(re.fullmatch(wanted, key) for wanted in patterns)}


def test_every_key_has_a_sentence_and_every_sentence_a_use() -> None:
    assert used() == set(catalogue("en"))


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
    assert sorted(LANGUAGES) == sorted(path.stem for path in LOCALES.glob("*.json"))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    def placeholders(sentence: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(sentence)} - {None}

    english = catalogue("en")
    assert catalogue(language).keys() == english.keys()
    for key, sentence in catalogue(language).items():
        assert placeholders(sentence) == placeholders(english[key]), key


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
    ("said", "zh"),
    [
        ("There is nothing to translate: type a sentence.", "没有可翻译的内容：请输入一个句子。"),
        (
            "The given translation has 300 pieces; this model reads at most 255.",
            "给定的译文有 300 个子词；这个模型最多读 255 个。",
        ),
        ("What nobody foresaw.", "What nobody foresaw."),
    ],
)  # fmt: skip
def test_what_the_model_says_is_told_in_the_visitors_language(
    said: str, zh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(said) == said
    monkeypatch.setattr(session, "language", lambda: "zh")
    assert told(said) == zh


def test_every_sentence_of_the_model_is_one_that_it_says() -> None:
    """A template under "told" that no source has would never be found."""
    code = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "model").glob("*.py")))
    code = re.sub(r'"\s*\n\s*f?"', "", code)  # sentences broken over lines
    for key, sentence in catalogue("en").items():
        if key.startswith("told."):
            parts = [re.escape(text) for text, *_ in string.Formatter().parse(sentence)]
            assert re.search("[^\n]*".join(parts), code), key
