"""The numbers of a translation as files: CSV of one head, JSON of what was said, NPZ of every weight."""

import csv
import io
import json
from collections.abc import Sequence

import numpy as np

from model.records import Floats, Token, Translation


def as_csv(weights: Floats, queries: Sequence[str], keys: Sequence[str]) -> bytes:
    """[Q, K] as a table with a row for each query; UTF-8 with a byte-order mark, which spreadsheets need for accents.

    A label that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["query / key", *map(_harmless, keys)])
    for query, row in zip(queries, weights.tolist(), strict=True):
        writer.writerow([_harmless(query), *(f"{weight:.6f}" for weight in row)])
    return text.getvalue().encode("utf-8-sig", "replace")


def _harmless(label: str) -> str:
    return f"'{label}" if label[:1] in "=+-@\t\r" and len(label) > 1 else label


def as_json(translation: Translation) -> bytes:
    """Texts, pieces with their places in them, probabilities and the candidates of each step; no weights."""
    return json.dumps(
        {
            "model": translation.checkpoint.name,
            "fingerprint": translation.checkpoint.fingerprint,
            "source_text": translation.source_text,
            "text": translation.text,
            "left_out": translation.left_out,
            "source": [_piece(token) for token in translation.source],
            "target": [
                {
                    **_piece(token),
                    "log_prob": float(log_prob),
                    "candidates": [{"label": each.label, "log_prob": each.log_prob} for each in candidates],
                }
                for token, log_prob, candidates in zip(
                    translation.target, translation.log_probs, translation.alternatives, strict=True
                )
            ],
            "log_prob": translation.log_prob,
        },
        ensure_ascii=False,
        indent=1,
    ).encode("utf-8", "replace")


def _piece(token: Token) -> dict[str, object]:
    return {"piece": token.piece, "label": token.label, "start": token.start, "end": token.end, "word": token.word}


def as_npz(translation: Translation) -> bytes:
    """Every weight, float32: encoder [layer, head, source, source], decoder [layer, head, target, read] and cross
    [layer, head, target, source], with the pieces of each side and the log-probabilities."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        encoder=translation.encoder,
        decoder=translation.decoder,
        cross=translation.cross,
        log_probs=translation.log_probs,
        source=np.array([token.piece for token in translation.source]),
        target=np.array([token.piece for token in translation.target]),
        read=np.array([token.piece for token in translation.decoder_input]),
    )
    return file.getvalue()
