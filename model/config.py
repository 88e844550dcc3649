"""What a model is made of: frozen settings that travel to and from config.json; no torch."""

import dataclasses
import typing
from dataclasses import dataclass
from typing import Any, Literal

from model.errors import UserError

Activation = Literal["relu", "gelu"]
Norm = Literal["post", "pre"]
Positions = Literal["sinusoidal", "learned", "none"]
Cell = Literal["gru", "lstm"]
Score = Literal["dot", "general", "additive", "scaled", "last", "mean"]


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """The encoder-decoder Transformer of Vaswani et al. 2017; the defaults are the bundled size.

    Raises UserError when a value is impossible, so that a damaged config.json says
    what is wrong with it.
    """

    vocab_size: int
    """Pieces in the vocabulary that source and target share."""
    d_model: int = 256
    """Width of every state between layers."""
    n_heads: int = 8
    """Attention heads in every layer; d_model / n_heads is the width d_k of a query or key."""
    encoder_layers: int = 4
    decoder_layers: int = 4
    d_ff: int = 1024
    """Width inside the position-wise feed-forward network."""
    dropout: float = 0.1
    """On embeddings and on each sublayer's output, as in the paper; nowhere else."""
    activation: Activation = "relu"
    norm: Norm = "post"
    """"post" is LayerNorm(x + Sublayer(x)), the paper's; "pre" is x + Sublayer(LayerNorm(x))."""
    positions: Positions = "sinusoidal"
    max_length: int = 128
    """Most pieces in a source or target, the end-of-sentence piece included."""
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        _check(self, "vocab_size", "d_model", "n_heads", "encoder_layers", "decoder_layers", "d_ff", "max_length")
        if self.d_model % self.n_heads:
            raise UserError("heads_divide", width=self.d_model, heads=self.n_heads)
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise UserError("width_odd", width=self.d_model)


@dataclass(frozen=True, kw_only=True)
class RnnConfig:
    """A recurrent encoder-decoder, with attention (Bahdanau et al. 2015) or without (Cho et al. 2014).

    Raises UserError when a value is impossible.
    """

    vocab_size: int
    """Pieces in the vocabulary that source and target share."""
    d_model: int = 256
    """Width of the embeddings, of an encoder state (both directions together) and of a decoder state."""
    cell: Cell = "gru"
    score: Score = "additive"
    """How a decoder state s and an encoder state h are compared. "last" and "mean" compare nothing: the context is then
    the encoder's last state (of each direction), or the mean of its states, the same at every step."""
    dropout: float = 0.1
    """On embeddings and before the output."""
    max_length: int = 128
    """Most pieces in a source or target, the end-of-sentence piece included."""
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        _check(self, "vocab_size", "d_model", "max_length")
        if self.d_model % 2:
            raise UserError("directions_divide", width=self.d_model)


Config = TransformerConfig | RnnConfig
MOST, LONGEST = 2**24, 2**12
"""The largest size, and the longest text, that a config.json may ask for: a line of it could ask for any."""
KINDS: dict[str, type[Config]] = {"transformer": TransformerConfig, "rnn": RnnConfig}
"""What "kind" in a config.json can be."""


def to_json(config: Config) -> dict[str, Any]:
    kind = next(kind for kind, each in KINDS.items() if isinstance(config, each))
    return {"kind": kind, **dataclasses.asdict(config)}


def from_json(values: dict[str, Any]) -> Config:
    """The settings that `to_json` wrote; what is missing, vocab_size and kind apart, has its default."""
    settings = dict(values)
    kind = settings.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS:
        raise UserError("kind_unknown", kind=kind)
    known = {field.name for field in dataclasses.fields(KINDS[kind])}
    if unknown := sorted(set(settings) - known):
        raise UserError("settings_unknown", names=", ".join(unknown))
    if "vocab_size" not in settings:
        raise UserError("setting_missing", name="vocab_size")
    return KINDS[kind](**settings)


def _check(config: Config, *counts: str) -> None:
    """UserError unless each field has a value of its kind, each of `counts` is at least 1, and what every model has
    fits together."""
    hints = typing.get_type_hints(type(config))
    for field in dataclasses.fields(config):
        value, hint = getattr(config, field.name), hints[field.name]
        if choices := typing.get_args(hint):
            if value not in choices:
                raise UserError("setting_not_one_of", name=field.name, value=value, choices=", ".join(choices))
        elif isinstance(value, bool) or not isinstance(value, (int, float) if hint is float else int):
            raise UserError("setting_not_number", name=field.name, value=value)
    for name in counts:
        value, (least, most) = getattr(config, name), (2, LONGEST) if name == "max_length" else (1, MOST)
        if value < least:  # of a text a piece and its end
            raise UserError("setting_below", name=name, value=value, least=least)
        if value > most:
            raise UserError("setting_above", name=name, value=value, most=most)
    if not 0 <= config.dropout < 1:
        raise UserError("setting_no_share", name="dropout", value=config.dropout)
    specials = {config.pad_id, config.bos_id, config.eos_id}
    if len(specials) != 3 or not all(0 <= i < config.vocab_size for i in specials):
        raise UserError("special_ids")
