"""What leaves in a file is what was seen, exactly."""

import csv
import io
import json

import numpy as np
import pytest

from model.translate import Translator
from viz.document.numbers import as_csv, as_json, as_npz

ODD = ["the", "the", "</s>", 'say "hi", then', "a\nb", "é你🙂", ","]


def test_csv_has_every_label_and_weight_where_it_belongs() -> None:
    weights = np.random.default_rng(0).random((7, 7)).astype(np.float32)
    rows = list(csv.reader(io.StringIO(as_csv(weights, ODD, ODD).decode("utf-8-sig"), newline="")))
    assert rows[0][1:] == ODD
    assert [row[0] for row in rows[1:]] == ODD
    np.testing.assert_allclose(np.array([row[1:] for row in rows[1:]], float), weights, atol=5e-7)


@pytest.mark.parametrize("label", ["=1+1", "+cmd", "@x", "-2"])
def test_csv_holds_no_formula(label: str) -> None:
    text = as_csv(np.ones((1, 1), np.float32), [label], [label]).decode("utf-8-sig")
    assert f"'{label}" in text
    assert as_csv(np.ones((1, 1), np.float32), ["-"], ["+"]).decode("utf-8-sig").splitlines()[1].startswith("-,")


def test_json_says_what_was_said(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    translation = translator.translate(sentences[0][0])
    record = json.loads(as_json(translation))
    assert (record["source_text"], record["text"]) == sentences[0]
    for said, token, log_prob in zip(record["target"], translation.target, translation.log_probs, strict=True):
        assert (said["piece"], said["start"], said["end"]) == (token.piece, token.start, token.end)
        assert said["log_prob"] == pytest.approx(float(log_prob))
    assert record["fingerprint"] == translation.checkpoint.fingerprint
    json.loads(as_json(translator.translate("a\x00b 🙂 </s>")))


def test_npz_has_every_weight_and_needs_no_pickle(translator: Translator) -> None:
    translation = translator.translate("the water sleeps.")
    with np.load(io.BytesIO(as_npz(translation)), allow_pickle=False) as file:
        for kind in ("encoder", "decoder", "cross", "log_probs"):
            np.testing.assert_array_equal(file[kind], getattr(translation, kind))
        assert file["source"].tolist() == [token.piece for token in translation.source]
        assert file["read"].tolist()[0] == "<s>"
