"""Settings: to JSON and back, and a sentence for every impossible value."""

import dataclasses
import json
from typing import Any

import pytest

from model.config import RnnConfig, TransformerConfig, from_json, to_json

UNUSUAL = TransformerConfig(
    vocab_size=77, d_model=12, n_heads=3, encoder_layers=1, decoder_layers=5, d_ff=7, dropout=0, activation="gelu",
    norm="pre", positions="learned", max_length=9, pad_id=5, bos_id=6, eos_id=7,
)  # fmt: skip


@pytest.mark.parametrize("config", [TransformerConfig(vocab_size=8000), UNUSUAL, RnnConfig(vocab_size=9, score="mean")])
def test_json_round_trip(config: TransformerConfig | RnnConfig) -> None:
    assert from_json(json.loads(json.dumps(to_json(config)))) == config


def test_every_field_travels() -> None:
    """UNUSUAL differs from the defaults everywhere, so a field that got lost would come back as a default."""
    usual = to_json(TransformerConfig(vocab_size=8000))
    assert all(value != usual[name] for name, value in to_json(UNUSUAL).items() if name != "kind")


def test_defaults_are_the_papers_choices() -> None:
    config = TransformerConfig(vocab_size=8000)
    assert (config.activation, config.norm, config.positions) == ("relu", "post", "sinusoidal")
    assert (config.d_ff, config.dropout) == (4 * config.d_model, 0.1)


def test_frozen_and_by_keyword_only() -> None:
    config: Any = TransformerConfig(vocab_size=8000)
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.d_model = 4
    anyhow: Any = TransformerConfig
    with pytest.raises(TypeError):
        anyhow(8000)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"vocab_size": 0}, "vocab_size is 0"),
        ({"vocab_size": "many"}, "vocab_size is 'many'"),
        ({"d_model": 0}, "d_model is 0"),
        ({"d_model": -8}, "d_model is -8"),
        ({"d_model": 8.0}, "d_model is 8.0"),
        ({"d_model": None}, "d_model is None"),
        ({"d_model": [8]}, "d_model"),
        ({"n_heads": True}, "n_heads is True"),
        ({"d_model": 10, "n_heads": 4}, "d_model 10 cannot be divided among 4 heads"),
        ({"d_model": 9, "n_heads": 3}, "even d_model; 9 is odd"),
        ({"encoder_layers": 0}, "encoder_layers is 0"),
        ({"decoder_layers": 0}, "decoder_layers is 0"),
        ({"d_ff": 0}, "d_ff is 0"),
        ({"max_length": 0}, "max_length is 0"),
        ({"dropout": 1}, "dropout is 1"),
        ({"dropout": -0.1}, "dropout is -0.1"),
        ({"dropout": float("nan")}, "dropout is nan"),
        ({"activation": "tanh"}, "activation is 'tanh'; it must be one of relu, gelu"),
        ({"norm": ["pre"]}, "norm is"),
        ({"positions": "rotary"}, "positions is 'rotary'"),
        ({"pad_id": 1}, "three different ids"),
        ({"eos_id": 8000}, "three different ids"),
        ({"bos_id": -1}, "three different ids"),
        ({"n_head": 4, "depth": 2}, "does not know the setting(s) depth, n_head"),
    ],
)
def test_impossible_values_are_named(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        from_json({"kind": "transformer", "vocab_size": 8000} | values)
    assert said in str(caught.value)


def test_missing_vocabulary_size() -> None:
    with pytest.raises(ValueError, match="vocab_size is missing"):
        from_json({"kind": "transformer", "d_model": 8, "n_heads": 2})


def test_odd_width_is_fine_without_sinusoids() -> None:
    assert TransformerConfig(vocab_size=9, d_model=9, n_heads=3, positions="none").d_model == 9
