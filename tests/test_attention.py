"""Attention against the paper's equation in plain loops, and multi-head attention against torch.nn's."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from model.attention import MultiHeadAttention, attention, fused_attention, merge_heads, split_heads

Array = NDArray[np.float64]


def naive_attention(query: Array, key: Array, value: Array, mask: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Equation 1 for one head, a number at a time; query [Q, d_k], key and value [K, d_k], mask [Q, K]."""
    weights = np.zeros((len(query), len(key)))
    context = np.zeros((len(query), value.shape[1]))
    for q in range(len(query)):
        total = 0.0
        for k in range(len(key)):
            if mask[q, k]:
                product = sum(query[q, i] * key[k, i] for i in range(query.shape[1]))
                weights[q, k] = math.exp(product / math.sqrt(query.shape[1]))
                total += weights[q, k]
        for k in range(len(key)):
            weights[q, k] /= total
            for i in range(value.shape[1]):
                context[q, i] += weights[q, k] * value[k, i]
    return context, weights


def example(queries: int = 5, keys: int = 7) -> tuple[Tensor, Tensor, Tensor]:
    """Two sentences, three heads of width 4, scores well away from 0."""
    generator = torch.Generator().manual_seed(1)
    query, key, value = (torch.randn(2, 3, n, 4, generator=generator) * 2 for n in (queries, keys, keys))
    return query, key, value


def padding_mask() -> Tensor:
    """[2, 1, 1, 7]: the second sentence has three padded keys."""
    mask = torch.ones(2, 1, 1, 7, dtype=torch.bool)
    mask[1, ..., 4:] = False
    return mask


MASKS = {
    "none": None,
    "padding": padding_mask(),
    "causal": torch.ones(5, 7, dtype=torch.bool).tril(),
    "both": padding_mask() & torch.ones(5, 7, dtype=torch.bool).tril(),
}
every_mask = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())


@every_mask
def test_attention_is_equation_1(mask: Tensor | None) -> None:
    query, key, value = example()
    context, weights = attention(query, key, value, mask)
    allowed = torch.ones(2, 3, 5, 7, dtype=torch.bool) if mask is None else mask.expand(2, 3, 5, 7)
    for sentence in range(2):
        for head in range(3):
            at = sentence, head
            q, k, v = (tensor[at].double().numpy() for tensor in (query, key, value))
            expected_context, expected_weights = naive_attention(q, k, v, allowed[at].numpy())
            np.testing.assert_allclose(weights[at].numpy(), expected_weights, rtol=0, atol=1e-6)
            np.testing.assert_allclose(context[at].numpy(), expected_context, rtol=0, atol=1e-5)


@every_mask
def test_rows_sum_to_1_and_masked_cells_are_exactly_0(mask: Tensor | None) -> None:
    _, weights = attention(*example(), mask)
    assert weights.shape == (2, 3, 5, 7)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 5), rtol=0, atol=1e-6)
    allowed = torch.ones_like(weights, dtype=torch.bool) if mask is None else mask.expand_as(weights)
    assert (weights[~allowed] == 0).all()
    assert (weights[allowed] > 0).all()


def test_rows_sum_to_1_with_scores_in_the_thousands() -> None:
    query, key, value = example()
    context, weights = attention(query * 1000, key, value, padding_mask())
    assert context.isfinite().all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 5), rtol=0, atol=1e-6)


@every_mask
def test_fused_kernel_gives_the_same_context(mask: Tensor | None) -> None:
    context, weights = fused_attention(*example(), mask)
    assert weights is None
    torch.testing.assert_close(context, attention(*example(), mask)[0], rtol=0, atol=1e-5)


def test_a_masked_key_changes_nothing() -> None:
    query, key, value = example()
    context, weights = attention(query, key, value, padding_mask())
    changed_key, changed_value = key.clone(), value.clone()
    changed_key[1, :, 4:] = 100.0
    changed_value[1, :, 4:] = -100.0
    changed_context, changed_weights = attention(query, changed_key, changed_value, padding_mask())
    assert torch.equal(weights, changed_weights)
    assert torch.equal(context, changed_context)


def test_heads_are_neighbouring_slices_of_the_width() -> None:
    x = torch.arange(2 * 5 * 12.0).view(2, 5, 12)
    heads = split_heads(x, 3)
    for head in range(3):
        assert torch.equal(heads[:, head], x[:, :, 4 * head : 4 * head + 4])
    assert torch.equal(merge_heads(heads), x)


@pytest.mark.parametrize("padded", [False, True])
def test_multi_head_attention_is_torchs(padded: bool) -> None:
    torch.manual_seed(3)
    ours = MultiHeadAttention(12, 3)
    theirs = nn.MultiheadAttention(12, 3, bias=False, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat((ours.w_q.weight, ours.w_k.weight, ours.w_v.weight)))
        theirs.out_proj.weight.copy_(ours.w_o.weight)
    x, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
    mask = padding_mask() if padded else None

    context, weights = attention(ours.query(x), *ours.key_value(memory), mask)
    output = ours.output(context)
    ignored = None if mask is None else ~mask[:, 0, 0]
    expected, expected_weights = theirs(x, memory, memory, key_padding_mask=ignored, average_attn_weights=False)

    torch.testing.assert_close(output, expected, rtol=0, atol=1e-6)
    torch.testing.assert_close(weights, expected_weights, rtol=0, atol=1e-6)
