"""How long the vectors are that attention weighs: a large weight on a short vector moves little.

L layers, H heads, K keys, D width of the model.
"""

from typing import cast

import torch
from torch import Tensor

from model.attention import MultiHeadAttention, attention
from model.state import KeysValues
from model.transformer import DecoderLayer, EncoderLayer, Residual, Transformer


def norms(heads: MultiHeadAttention, x: Tensor) -> Tensor:
    """||x_j W_V W_O|| for each head's own slices of W_V and W_O, Kobayashi et al. 2020: x [1, K, D] -> [H, K]."""
    _, values = heads.key_value(x)  # [1, H, K, d_k]
    w_o = heads.w_o.weight.unflatten(1, (heads.n_heads, -1)).permute(1, 2, 0)  # [H, d_k, D]
    return cast(Tensor, (values[0] @ w_o).norm(dim=-1))


def read_by(residual: Residual, x: Tensor) -> Tensor:
    """What the sublayer inside a residual connection reads."""
    return cast(Tensor, residual.norm(x)) if residual.pre else x


@torch.inference_mode()
def value_norms(model: Transformer, source: Tensor, target: Tensor) -> dict[str, Tensor]:
    """For "encoder", "decoder" and "cross" the norms [L, H, K] in the pass that reads source ids [1, S] and target ids
    [1, T]."""
    encoder, decoder, cross = [], [], []
    x = model.embed(source)
    for each in model.encoder:
        layer = cast(EncoderLayer, each)
        encoder.append(norms(layer.self_attention, read_by(layer.self_residual, x)))
        x, _ = layer(x, None, attention)
    states = model.encoder_norm(x)
    y = model.embed(target)
    causal = torch.ones(target.size(1), target.size(1), dtype=torch.bool, device=target.device).tril()
    for each in model.decoder:
        step = cast(DecoderLayer, each)
        decoder.append(norms(step.self_attention, read_by(step.self_residual, y)))
        cross.append(norms(step.cross_attention, states))
        keys_values: KeysValues = step.cross_attention.key_value(states)
        y, _, _ = step(y, causal, keys_values, None, attention)
    return {"encoder": torch.stack(encoder), "decoder": torch.stack(decoder), "cross": torch.stack(cross)}
