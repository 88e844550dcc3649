"""What a pass of the Transformer shall do otherwise than the model has learnt to: a value, which changes no model."""

from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from model.config import Activation, TransformerConfig

Kind = Literal["encoder", "decoder", "cross"]
"""Of attention: the encoder's, the decoder's over what it has read, and the decoder's over the source."""
ATTENTION_KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
Stack = Literal["encoder", "decoder"]
Part = Literal["encoder", "decoder", "cross", "encoder feed-forward", "decoder feed-forward"]
"""Of a layer: one of its kinds of attention or its feed-forward network, each with what is around it."""


class Place(NamedTuple):
    """One sublayer, with its residual connection and LayerNorm."""

    part: Part
    layer: int


class Head(NamedTuple):
    """One head of one layer; both count from 0."""

    kind: Kind
    layer: int
    head: int


@dataclass(frozen=True, kw_only=True)
class Intervention:
    """Everything that is done otherwise, any number of things together; every field is a set, and empty by default.

    Hashable, so that it can be part of a key. `a | b` does both.
    """

    without_positions: frozenset[Stack] = frozenset()
    """Stacks that read their pieces without positions."""
    masked: frozenset[int] = frozenset()
    """Layers of the encoder in which no piece sees a later one, as in the decoder."""
    unmasked: frozenset[int] = frozenset()
    """Layers of the decoder whose self-attention sees what comes later."""
    unscaled: frozenset[Place] = frozenset()
    """Attention whose scores are not divided by sqrt(d_k)."""
    cut: frozenset[Head] = frozenset()
    """Heads that put out 0: what they have found out, their context, does not reach W_O."""
    uniform: frozenset[Head] = frozenset()
    """Heads that give equal weight to every key that they may see."""
    activations: frozenset[tuple[Place, Activation]] = frozenset()
    """Feed-forward networks with another activation than the model's."""
    without_residual: frozenset[Place] = frozenset()
    """Sublayers to whose output what entered is not added."""
    without_norm: frozenset[Place] = frozenset()
    """Sublayers without their LayerNorm."""

    def __post_init__(self) -> None:
        for both in self.cut & self.uniform:
            raise ValueError(f"Head {both.head} of layer {both.layer} ({both.kind}) cannot be cut and uniform at once.")
        if len({place for place, _ in self.activations}) < len(self.activations):
            raise ValueError("A feed-forward network has one activation.")

    def __or__(self, other: "Intervention") -> "Intervention":
        both: dict[str, Any] = {
            field.name: getattr(self, field.name) | getattr(other, field.name) for field in fields(self)
        }
        return Intervention(**both)

    def check(self, config: TransformerConfig) -> None:
        """ValueError with a sentence unless a model of this config has every layer and head that is named."""
        heads = self.cut | self.uniform
        for part, layer in (
            *self.unscaled, *self.without_residual, *self.without_norm, *(place for place, _ in self.activations),
            *((head.kind, head.layer) for head in heads),
            *(("encoder", layer) for layer in self.masked), *(("decoder", layer) for layer in self.unmasked),
        ):  # fmt: skip
            check_layer(config, part, layer)
        for kind, _, head in heads:
            check_head(config, kind, head)


NOTHING = Intervention()


def check_layer(config: TransformerConfig, part: Part, layer: int) -> None:
    """ValueError unless the model has such a layer."""
    encoder = part in ("encoder", "encoder feed-forward")
    _check_number(encoder, "layer", layer, config.encoder_layers if encoder else config.decoder_layers)


def check_head(config: TransformerConfig, kind: Kind, head: int) -> None:
    """ValueError unless its layers have such a head."""
    _check_number(kind == "encoder", "head", head, config.n_heads)


def _check_number(encoder: bool, what: str, number: int, count: int) -> None:
    if not 0 <= number < count:
        name = "encoder" if encoder else "decoder"
        raise ValueError(f"This model's {name} has {what}s 0 to {count - 1}; there is no {what} {number}.")
