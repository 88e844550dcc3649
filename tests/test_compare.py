"""RNN vs Transformer without a browser: what each tab shows, and for what cannot be shown."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import SUMMED, build, load_checkpoint, save_checkpoint
from model.checksums import write_checksums
from model.experiments import finish
from model.experiments.alignment import VIEWS, gold_rates
from viz import models
from viz.analysis.alignment import Pick, alignment, best_head
from viz.examples import EXAMPLES

ROOT = Path(__file__).parent.parent
PAGE = "viz/pages/compare.py"
TABS = ["Side by side", "Gold alignments", "Long sentences", "Distance", "Waiting", "The models"]
HOSTILE = ("<b>x</b>", "$x$ `a` **b** :red[x]", "</s> <s>", "\u4f60\u597d", "a\x00b", "#000001", "?", "the " * 300)
PAIRS = "the cat|.\tle chat|.\t1-1 2-2 3-3\na dog\tun chien\t1-1 2p2\n"


@pytest.fixture
def checkpoints(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny Transformer, two recurrent models that have learnt nothing, and two aligned pairs."""
    folder = tmp_path / "en-fr"
    shutil.copytree(tiny, folder / "transformer")
    vocabulary = (tiny / "tokenizer.json").read_text(encoding="utf-8")
    reads = load_checkpoint(tiny).model.config
    size = {"vocab_size": reads.vocab_size, "max_length": reads.max_length}
    for name, score in (("rnn-dot", "dot"), ("rnn-none", "last")):
        torch.manual_seed(1)
        model = build({"kind": "rnn", "d_model": 16, "score": score, **size})
        save_checkpoint(folder / name, model, vocabulary, {}, "")
    (folder / "gold").mkdir()
    (folder / "gold" / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    yield folder
    clear()


def clear() -> None:
    models.forget()


@pytest.fixture
def app(checkpoints: Path) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page(PAGE).run()  # this run has not yet what the other page's box held, unlike a browser's
    open_tab(app, TABS[0])
    return app


def open_tab(app: AppTest, name: str) -> None:
    app.session_state["compare.tab/tabs"] = name
    app.run()


def header(app: AppTest) -> dict[str, object]:
    """What the pair of maps was given, numbers apart."""
    message = next(e.proto.bytes for e in app.get("bidi_component") if "alignment_pair" in e.proto.component_name)
    found: dict[str, object] = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
    return found


def texts(app: AppTest) -> list[str]:
    """The translations in large type, left and right."""
    return [
        json.loads(element.proto.json)["text"]
        for element in app.get("bidi_component")
        if "token_strip" in element.proto.component_name
    ]


def seen(app: AppTest) -> str:
    """Everything said in words."""
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.warning, *app.text))


def test_opens_with_both_models_on_the_transformers_french(app: AppTest) -> None:
    assert not app.exception
    french = models.translate(EXAMPLES[0]).text
    assert texts(app) == [french, french]
    assert header(app)["keys"] == [*EXAMPLES[0].removesuffix(".").split(), ".", "</s>"]
    assert "target words" in seen(app)


def test_each_its_own_says_that_rows_do_not_belong_together(app: AppTest) -> None:
    app.button_group(key="compare_sides.target").set_value("own").run()
    assert not app.exception
    own = [models.translate(EXAMPLES[0], model=model).text for model in ("en-fr/rnn-dot", "en-fr/transformer")]
    assert texts(app) == own
    assert own[0] != own[1]
    assert "different French" in seen(app)


def test_my_own_french_is_forced_through_both_and_shown_as_typed(app: AppTest) -> None:
    app.button_group(key="compare_sides.target").set_value("mine").run()
    assert texts(app) == [models.translate(EXAMPLES[0]).text] * 2  # to begin with
    app.text_input(key="compare_sides.own").set_value("<b>le</b> $chat$").run()
    assert not app.exception
    assert texts(app) == ["<b>le</b> $chat$"] * 2


@pytest.mark.parametrize("sentence", HOSTILE)
def test_whatever_is_typed_every_tab_works(app: AppTest, sentence: str) -> None:
    app.text_input(key="app.sentence").set_value(sentence).run()
    for name in TABS:
        open_tab(app, name)
        assert not app.exception, name
        assert not app.error, name


def test_another_models_french_is_read_piece_for_piece(checkpoints: Path) -> None:
    """Here "le" spelt by its letters, which is one piece when it is cut anew."""
    tokenizer = models.translator().tokenizer
    spelt = tuple(tokenizer.vocabulary.get_vocab()[piece] for piece in ("\u2581", "l", "e", "</s>"))
    found = models.translate(EXAMPLES[0], target=spelt)
    whole = models.translate(EXAMPLES[0], model="en-fr/rnn-dot", target="le")
    for typed in (None, "le"):  # what stands in the box until somebody types is the model's own
        forced = models.hold_to(found, "en-fr/rnn-dot", typed)
        assert forced.target_ids == spelt != whole.target_ids
        assert forced.checkpoint.name == "en-fr/rnn-dot"
        assert forced.log_prob != whole.log_prob
    assert models.hold_to(found, models.TRANSFORMER).log_prob == found.log_prob
    assert models.hold_to(found, "en-fr/rnn-dot", "le chat").text == "le chat"

    file = checkpoints / "rnn-none" / "tokenizer.json"  # a vocabulary in which "l" and "e" have each other's ids
    content = json.loads(file.read_text(encoding="utf-8"))
    ids = content["model"]["vocab"]
    ids["l"], ids["e"] = ids["e"], ids["l"]
    file.write_text(json.dumps(content), encoding="utf-8")
    write_checksums(file.parent, SUMMED)
    other = models.hold_to(found, "en-fr/rnn-none")
    assert (other.text, other.target) == ("le", whole.target)


def test_both_maps_are_read_alike_and_begin_with_what_is_predicted(app: AppTest) -> None:
    def rows() -> list[str]:
        return [each["note"] for each in maps(app)]

    app.button_group(key="compare_sides.weights").set_value("head").run()
    assert all("step that predicts" in note for note in rows())
    app.button_group(key="reading.rows").set_value("read").run()
    assert all("just read the word" in note for note in rows())
    app.button_group(key="compare_sides.head").set_value(1).run()  # no head remembers another reading
    assert all("just read the word" in note for note in rows())
    open_tab(app, "Gold alignments")
    assert app.button_group(key="reading.rows").value == "read"
    assert not app.exception


def maps(app: AppTest) -> list[dict[str, str]]:
    """What was said of both maps."""
    found: list[dict[str, str]] = header(app)["maps"]  # type: ignore[assignment]
    return found


def test_the_best_head_and_its_rates_are_those_of_the_reading(app: AppTest, checkpoints: Path) -> None:
    measured = finish(gold_rates(models.translator(), models.gold()))
    file = checkpoints / "transformer" / "metrics.json"
    metrics = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(metrics | {"alignment": measured.as_json()}), encoding="utf-8")
    clear()
    app.run()
    app.button_group(key="compare_sides.weights").set_value("best").run()
    for view in VIEWS:
        app.button_group(key="reading.rows").set_value(view).run()
        assert not app.exception
        layer, head = best_head(measured, view)
        note = maps(app)[1]["note"]
        assert f"layer {layer + 1}, head {head + 1}" in note
        for each in VIEWS:
            assert f"{measured.heads[each][layer, head]:.0%}" in note


def test_a_given_french_says_how_it_was_cut(app: AppTest) -> None:
    found = models.translate(EXAMPLES[0])
    assert seen(app).count(f"as it was found: {len(found.target)} pieces") == 2
    app.button_group(key="compare_sides.target").set_value("mine").run()
    assert seen(app).count(f"as it was found: {len(found.target)} pieces") == 2  # still the Transformer's own
    app.text_input(key="compare_sides.own").set_value("le chat").run()
    cut = models.translate(EXAMPLES[0], target="le chat")
    assert seen(app).count(f"cut into pieces anew: {len(cut.target)} pieces") == 2
    app.button_group(key="compare_sides.target").set_value("own").run()
    assert " pieces with </s>" not in seen(app)


def test_my_own_french_is_there_again_when_i_come_back(app: AppTest) -> None:
    app.button_group(key="compare_sides.target").set_value("mine").run()
    app.text_input(key="compare_sides.own").set_value("le chat").run()
    open_tab(app, "The models")
    app.query_params.clear()
    app.switch_page("viz/pages/translate.py").run()
    app.query_params.clear()
    app.switch_page(PAGE).run()
    open_tab(app, TABS[0])
    assert app.button_group(key="compare_sides.target").value == "mine"
    assert app.text_input(key="compare_sides.own").value == "le chat"
    assert texts(app) == ["le chat"] * 2


def test_what_nobody_typed_follows_the_sentence(app: AppTest) -> None:
    app.button_group(key="compare_sides.target").set_value("mine").run()
    app.text_input(key="app.sentence").set_value("a dog runs").run()
    assert texts(app) == [models.translate("a dog runs").text] * 2


def test_the_address_keeps_every_choice(app: AppTest) -> None:
    app.text_input(key="app.sentence").set_value("the white cat sees").run()
    app.button_group(key="compare.rnn").set_value("en-fr/rnn-none").run()
    app.button_group(key="compare_sides.target").set_value("mine").run()
    app.text_input(key="compare_sides.own").set_value("le chat").run()
    app.button_group(key="reading.rows").set_value("read").run()
    app.button_group(key="compare_sides.weights").set_value("layer").run()
    app.button_group(key="compare_sides.layer").set_value(0).run()
    app.button_group(key="compare_sides.weights").set_value("head").run()
    app.button_group(key="compare_sides.head").set_value(1).run()
    for name, value in (("words", False), ("end", False), ("exact", True)):
        app.toggle(key=f"compare_sides.{name}").set_value(value).run()
    app.button_group(key="compare_sides.image").set_value("svg").run()
    address = {name: "".join(given) for name, given in app.query_params.items()}
    assert address == {
        "sentence": "the white cat sees", "rnn": "en-fr/rnn-none", "target": "mine", "own": "le chat",
        "reading": "read", "layer": "0", "head": "1", "words": "False", "end": "False",
        "exact": "True", "image": "svg",
    }  # fmt: skip
    other = by_link(address)
    assert {name: "".join(given) for name, given in other.query_params.items()} == address
    assert header(other) == header(app)
    assert len(other.get("plotly_chart")) == len(app.get("plotly_chart")) == 2

    app.button_group(key="compare_sides.weights").set_value("all").run()
    address = {name: "".join(given) for name, given in app.query_params.items()}
    assert address["weights"] == "all"
    assert header(by_link(address)) == header(app)

    open_tab(app, "Distance")
    slider = next(each for each in app.select_slider if each.label == "Target piece")
    slider.set_value(1).run()
    address = {name: "".join(given) for name, given in app.query_params.items()}
    assert (address["tab"], address["step"]) == ("distance", "1")
    assert "piece 2 of the French" in seen(by_link(address))


def by_link(address: dict[str, str]) -> AppTest:
    """The page of somebody else who opens this address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(PAGE)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.warning
    return app


def test_an_empty_sentence_gets_a_hint(app: AppTest) -> None:
    app.text_input(key="app.sentence").set_value("  ").run()
    assert not app.exception
    assert len(app.info) == 1


def test_a_model_without_attention_says_so(app: AppTest) -> None:
    app.button_group(key="compare.rnn").set_value("en-fr/rnn-none").run()
    assert not app.exception
    assert "no attention" in json.dumps(header(app))
    assert "target words" not in seen(app)


def test_the_chosen_weights_are_drawn(app: AppTest) -> None:
    app.button_group(key="compare_sides.weights").set_value("head").run()
    app.button_group(key="compare_sides.layer").set_value(0).run()
    app.button_group(key="compare_sides.head").set_value(1).run()
    app.button_group(key="reading.rows").set_value("read").run()
    app.toggle(key="compare_sides.exact").set_value(True).run()
    assert not app.exception
    forced = models.translate(EXAMPLES[0], target=models.translate(EXAMPLES[0]).text)
    expected = alignment(forced, Pick(view="read", layer=0, head=1), words=True, specials=True).weights
    np.testing.assert_allclose(chart(app, 1), expected)
    assert len(app.get("plotly_chart")) == 3
    np.testing.assert_allclose(chart(app, 2), chart(app, 1) - chart(app, 0), atol=1e-6)


def chart(app: AppTest, number: int) -> np.ndarray:
    import base64

    z = json.loads(app.get("plotly_chart")[number].proto.spec)["data"][0]["z"]
    shape = tuple(int(n) for n in z["shape"].split(","))
    return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]).reshape(shape)


def test_a_gold_pair_is_an_example_with_its_cells(app: AppTest) -> None:
    app.selectbox(key="sentence.example").select("the cat.").run()
    assert not app.exception
    assert texts(app) == ["le chat."] * 2
    assert "aligned by hand" in seen(app)
    app.text_input(key="app.sentence").set_value("a dog").run()  # whoever goes on typing gets another French
    assert texts(app) == [models.translate("a dog").text] * 2
    assert "aligned by hand" not in seen(app)
    assert json.dumps(header(app)).count("true") >= 3


def test_the_leaderboard_has_the_rates_of_every_model_with_attention(app: AppTest) -> None:
    open_tab(app, "Gold alignments")
    assert not app.exception
    for model in ("en-fr/transformer", "en-fr/rnn-dot"):
        rates = finish(gold_rates(models.translator(model), models.gold()))
        assert f"{100 * rates.lowest:.1f}" in seen(app).replace("\\", "")
    assert "no attention" not in seen(app)


def test_nothing_is_measured_before_it_is_asked_for(app: AppTest) -> None:
    open_tab(app, "Waiting")
    assert not app.get("plotly_chart")
    assert "Nothing has been measured" in seen(app)


def test_what_was_measured_stays(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.widgets.timing.LENGTHS", (2, 3))
    open_tab(app, "Waiting")
    next(button for button in app.button if button.label == "Measure now").click().run()
    assert not app.exception
    app.session_state["long work.job/timings"].wait(30)
    app.run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 2
    open_tab(app, "Distance")
    open_tab(app, "Waiting")
    assert len(app.get("plotly_chart")) == 2


def test_no_recurrent_model_gets_a_sentence(app: AppTest, checkpoints: Path) -> None:
    for name in ("rnn-dot", "rnn-none"):
        shutil.rmtree(checkpoints / name)
    clear()
    app.run()
    assert not app.exception
    assert "no recurrent model" in app.error[0].value


@pytest.mark.parametrize("damage", ["rnn-dot/config.json", "gold/pairs.tsv"])
def test_damaged_files_get_a_sentence(app: AppTest, checkpoints: Path, damage: str) -> None:
    (checkpoints / damage).write_text("{", encoding="utf-8")
    clear()
    app.run()
    assert not app.exception
    assert Path(damage).name.replace(".", r"\.") in app.error[0].value
