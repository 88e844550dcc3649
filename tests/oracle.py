"""Models to test with, and an outside witness of the whole model: Hugging Face's Marian with our weights.

transformers is needed by tests and by the benchmark only; no module outside tests/ imports it.
"""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from model.attention import MultiHeadAttention
from model.config import TransformerConfig
from model.transformer import DecoderLayer, EncoderLayer, FeedForward, Transformer

if TYPE_CHECKING:
    from transformers import MarianMTModel

PAD, BOS, EOS = 0, 1, 2


def random_model(seed: int = 0, **settings: Any) -> Transformer:
    """A small model in evaluation mode in which nothing is 0 or 1 by default: biases and norms are random too,
    so that a forgotten or a swapped one shows. Depths differ, so that encoder and decoder cannot be confused."""
    small = {"vocab_size": 23, "d_model": 24, "n_heads": 4, "encoder_layers": 3, "decoder_layers": 2, "d_ff": 40}
    torch.manual_seed(seed)
    model = Transformer(TransformerConfig(**small | {"max_length": 20} | settings))
    randomize_vectors(model)
    return model.eval().requires_grad_(False)


def randomize_vectors(module: nn.Module) -> None:
    """Biases and LayerNorm gains become anything."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:
                parameter.normal_()


def random_ids(rows: int, length: int, seed: int = 0, vocab_size: int = 23) -> Tensor:
    """Ordinary pieces [rows, length]: none of them a special."""
    return torch.randint(3, vocab_size, (rows, length), generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def marian_like(model: Transformer) -> "MarianMTModel":
    """The paper's Transformer as another implementation has it, with the weights of `model`, in evaluation mode.

    Marian lays positions out as [sin | cos], so ours are copied into its table; its attention has biases where
    the paper's has none, so they become 0. It attends by its "eager" function, the one that shows weights.
    """
    from transformers import MarianConfig, MarianMTModel
    from transformers.utils import logging

    config = model.config
    assert (config.norm, config.positions) == ("post", "sinusoidal"), "Marian is the paper's model"
    logging.set_verbosity_error()
    marian = MarianMTModel(
        MarianConfig(
            vocab_size=config.vocab_size,
            max_position_embeddings=config.max_length,
            d_model=config.d_model,
            encoder_layers=config.encoder_layers,
            decoder_layers=config.decoder_layers,
            encoder_attention_heads=config.n_heads,
            decoder_attention_heads=config.n_heads,
            encoder_ffn_dim=config.d_ff,
            decoder_ffn_dim=config.d_ff,
            activation_function=config.activation,
            dropout=config.dropout,
            scale_embedding=True,
            share_encoder_decoder_embeddings=True,
            tie_word_embeddings=True,
            pad_token_id=config.pad_id,
            bos_token_id=config.bos_id,
            eos_token_id=config.eos_id,
            decoder_start_token_id=config.bos_id,
            forced_eos_token_id=None,
        )
    )
    marian.set_attn_implementation("eager")
    assert marian.lm_head.weight is marian.model.shared.weight is marian.model.encoder.embed_tokens.weight
    marian.model.shared.weight.copy_(model.embedding.pieces.weight)
    marian.final_logits_bias.zero_()
    for side in (marian.model.encoder, marian.model.decoder):
        assert model.embedding.positions is not None
        side.embed_positions.weight.copy_(model.embedding.positions)
    for ours, theirs in zip(model.encoder, marian.model.encoder.layers, strict=True):
        assert isinstance(ours, EncoderLayer)
        _copy_attention(ours.self_attention, theirs.self_attn)
        _copy(ours.self_residual.norm, theirs.self_attn_layer_norm)
        _copy_feed_forward(ours.feed_forward, theirs)
        _copy(ours.feed_forward_residual.norm, theirs.final_layer_norm)
    for ours, theirs in zip(model.decoder, marian.model.decoder.layers, strict=True):
        assert isinstance(ours, DecoderLayer)
        _copy_attention(ours.self_attention, theirs.self_attn)
        _copy(ours.self_residual.norm, theirs.self_attn_layer_norm)
        _copy_attention(ours.cross_attention, theirs.encoder_attn)
        _copy(ours.cross_residual.norm, theirs.encoder_attn_layer_norm)
        _copy_feed_forward(ours.feed_forward, theirs)
        _copy(ours.feed_forward_residual.norm, theirs.final_layer_norm)
    return marian.eval().requires_grad_(False)


def _copy(ours: nn.Module, theirs: nn.Module) -> None:
    theirs.load_state_dict(ours.state_dict())


def _copy_feed_forward(ours: FeedForward, theirs: Any) -> None:
    _copy(ours.w_1, theirs.fc1)
    _copy(ours.w_2, theirs.fc2)


def _copy_attention(ours: MultiHeadAttention, theirs: Any) -> None:
    pairs = (
        (ours.w_q, theirs.q_proj),
        (ours.w_k, theirs.k_proj),
        (ours.w_v, theirs.v_proj),
        (ours.w_o, theirs.out_proj),
    )
    for our_projection, their_projection in pairs:
        their_projection.weight.copy_(our_projection.weight)
        their_projection.bias.zero_()
