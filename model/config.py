"""What a model is made of: frozen settings that travel to and from config.json; no torch."""

import dataclasses
import typing
from dataclasses import dataclass
from typing import Any, Literal, Self

Activation = Literal["relu", "gelu"]
Norm = Literal["post", "pre"]
Positions = Literal["sinusoidal", "learned", "none"]


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """The encoder-decoder Transformer of Vaswani et al. 2017; the defaults are the bundled size.

    Raises ValueError with a sentence when a value is impossible, so that a damaged config.json says
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
        hints = typing.get_type_hints(type(self))
        for field in dataclasses.fields(self):
            value, hint = getattr(self, field.name), hints[field.name]
            if choices := typing.get_args(hint):
                if value not in choices:
                    raise ValueError(f"{field.name} is {value!r}; it must be one of {', '.join(choices)}.")
            elif isinstance(value, bool) or not isinstance(value, (int, float) if hint is float else int):
                raise ValueError(f"{field.name} is {value!r}; it must be a number.")
        for name in ("vocab_size", "d_model", "n_heads", "encoder_layers", "decoder_layers", "d_ff", "max_length"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model {self.d_model} cannot be divided among {self.n_heads} heads.")
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise ValueError(f"Sinusoidal positions need an even d_model; {self.d_model} is odd.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout}; it must lie between 0 and 1.")
        specials = {self.pad_id, self.bos_id, self.eos_id}
        if len(specials) != 3 or not all(0 <= i < self.vocab_size for i in specials):
            raise ValueError("pad_id, bos_id and eos_id must be three different ids of the vocabulary.")

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        known = {field.name for field in dataclasses.fields(cls)}
        if unknown := sorted(set(values) - known):
            raise ValueError(f"This version of Regard does not know the setting(s) {', '.join(unknown)}.")
        if "vocab_size" not in values:
            raise ValueError("The setting vocab_size is missing.")
        return cls(**values)
