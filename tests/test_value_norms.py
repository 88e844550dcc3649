"""Norms of the weighed vectors against the sum that they make."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
import torch

from model.attention import attention
from model.config import TransformerConfig
from model.experiments.head_steps import norms, value_lengths, value_norms
from model.transformer import DecoderLayer, EncoderLayer, Transformer
from model.translate import Translator


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_norms_are_those_of_the_vectors_that_each_head_adds(norm: str) -> None:
    """What attention puts out is the sum over heads and keys of weight x vector; the vectors have these norms."""
    torch.manual_seed(0)
    config = TransformerConfig(vocab_size=11, d_model=8, n_heads=2, encoder_layers=2, decoder_layers=1, d_ff=16)
    model = Transformer(replace(config, norm=norm)).eval().requires_grad_(False)  # type: ignore[arg-type]
    second = cast(EncoderLayer, model.encoder[1])
    heads = second.self_attention
    x = torch.randn(1, 5, 8)
    keys, values = heads.key_value(x)
    context, weights = attention(heads.query(x), keys, values)
    expected = norms(heads, values)
    total = torch.zeros(5, 8)
    for head in range(2):
        part = heads.w_o.weight[:, 4 * head : 4 * head + 4]
        vectors = values[0, head] @ part.t()  # [K, D]
        torch.testing.assert_close(vectors.norm(dim=-1), expected[head])
        total += weights[0, head] @ vectors
    torch.testing.assert_close(total, heads.output(context)[0])

    source, target = torch.tensor([[5, 6, 2]]), torch.tensor([[1, 7]])
    found = value_norms(model, source, target)
    assert {kind: tuple(each.shape) for kind, each in found.items()} == {
        "encoder": (2, 2, 3), "decoder": (1, 2, 2), "cross": (1, 2, 3),
    }  # fmt: skip
    first = model.embed(source)
    layer, step = cast(EncoderLayer, model.encoder[0]), cast(DecoderLayer, model.decoder[0])
    read = layer.self_residual.norm(first) if norm == "pre" else first
    torch.testing.assert_close(
        found["encoder"][0], norms(layer.self_attention, layer.self_attention.key_value(read)[1])
    )
    torch.testing.assert_close(
        found["cross"][0], norms(step.cross_attention, step.cross_attention.key_value(model.encode(source).states)[1])
    )


def test_a_translator_has_them_for_every_kind(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    translation = translator.translate(sentences[0][0])
    found = value_lengths(translator, translation)
    for kind in ("encoder", "decoder", "cross"):
        weights = getattr(translation, kind)
        assert found[kind].shape == (*weights.shape[:2], weights.shape[-1])
        assert np.all(found[kind] > 0)
