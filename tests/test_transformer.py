"""The Transformer against torch.nn's layers and Hugging Face's Marian with the same weights, and its properties."""

import math

import pytest
import torch
from torch import Tensor, nn

from model.attention import MultiHeadAttention, attention, fused_attention
from model.data import pad
from model.transformer import DecoderLayer, Dropout, EncoderLayer, FeedForward, sinusoids
from tests.oracle import BOS, PAD, marian_like, random_ids, random_model

SOURCES = [[5, 9, 9, 4, 17, 2], [8, 3, 2], [11, 2]]
TARGETS = [[1, 7, 6, 12, 3], [1, 20, 20, 4], [1, 5]]
"""Three sentences of three lengths, one with a repeated piece."""


def close(actual: Tensor | None, expected: Tensor | None, atol: float = 1e-5) -> None:
    assert actual is not None
    assert expected is not None
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


# Layers against torch.nn


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """torch's layers can only have biases everywhere or nowhere: those of attention become 0, as in the paper."""
    theirs.in_proj_weight.copy_(torch.cat((ours.w_q.weight, ours.w_k.weight, ours.w_v.weight)))
    theirs.out_proj.weight.copy_(ours.w_o.weight)
    theirs.in_proj_bias.zero_()
    theirs.out_proj.bias.zero_()


def copy_feed_forward(ours: FeedForward, theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer) -> None:
    theirs.linear1.load_state_dict(ours.w_1.state_dict())
    theirs.linear2.load_state_dict(ours.w_2.state_dict())


@torch.no_grad()
def torch_encoder_layer(ours: EncoderLayer, norm: str, activation: str) -> nn.TransformerEncoderLayer:
    theirs = nn.TransformerEncoderLayer(24, 4, 40, activation=activation, norm_first=norm == "pre", batch_first=True)
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_feed_forward(ours.feed_forward, theirs)
    theirs.norm1.load_state_dict(ours.self_residual.norm.state_dict())
    theirs.norm2.load_state_dict(ours.feed_forward_residual.norm.state_dict())
    return theirs.eval()


@torch.no_grad()
def torch_decoder_layer(ours: DecoderLayer, norm: str, activation: str) -> nn.TransformerDecoderLayer:
    theirs = nn.TransformerDecoderLayer(24, 4, 40, activation=activation, norm_first=norm == "pre", batch_first=True)
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_attention(ours.cross_attention, theirs.multihead_attn)
    copy_feed_forward(ours.feed_forward, theirs)
    theirs.norm1.load_state_dict(ours.self_residual.norm.state_dict())
    theirs.norm2.load_state_dict(ours.cross_residual.norm.state_dict())
    theirs.norm3.load_state_dict(ours.feed_forward_residual.norm.state_dict())
    return theirs.eval()


def key_mask(padded: bool) -> Tensor:
    """[2, 6]: the second of two sentences has two padded keys, or none."""
    return torch.tensor([[True] * 6, [True] * 4 + [not padded] * 2])


def causal_mask(length: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()


every_layer = pytest.mark.parametrize(
    ("norm", "activation", "padded"),
    [(norm, act, padded) for norm in ("post", "pre") for act in ("relu", "gelu") for padded in (False, True)],
)


@every_layer
@torch.no_grad()
def test_encoder_layer_is_torchs(norm: str, activation: str, padded: bool) -> None:
    (ours,) = random_model(norm=norm, activation=activation, encoder_layers=1).encoder
    assert isinstance(ours, EncoderLayer)
    x, read = torch.randn(2, 6, 24), key_mask(padded)

    actual = ours(x, read[:, None, None] if padded else None, attention)[0]
    expected = torch_encoder_layer(ours, norm, activation)(x, src_key_padding_mask=~read)

    close(actual[read], expected[read])  # torch may blank padded rows


@every_layer
@torch.no_grad()
def test_decoder_layer_is_torchs(norm: str, activation: str, padded: bool) -> None:
    (ours,) = random_model(norm=norm, activation=activation, decoder_layers=1).decoder
    assert isinstance(ours, DecoderLayer)
    y, memory, read, causal = torch.randn(2, 5, 24), torch.randn(2, 6, 24), key_mask(padded), causal_mask(5)

    cross = ours.cross_attention.key_value(memory)
    actual = ours(y, causal, cross, read[:, None, None] if padded else None, attention)[0]
    theirs = torch_decoder_layer(ours, norm, activation)
    expected = theirs(y, memory, tgt_mask=~causal, memory_key_padding_mask=~read)

    close(actual, expected)


@pytest.mark.parametrize("norm", ["post", "pre"])
@torch.no_grad()
def test_stacks_of_layers_are_torchs(norm: str) -> None:
    """With the LayerNorm that ends a pre-norm stack, and only there."""
    model = random_model(norm=norm, activation="gelu")
    source, target = pad(SOURCES, PAD), pad(TARGETS, PAD)
    ignored, causal = source.eq(PAD), causal_mask(target.size(1))

    memory = model.embedding(source)
    for layer in model.encoder:
        assert isinstance(layer, EncoderLayer)
        memory = torch_encoder_layer(layer, norm, "gelu")(memory, src_key_padding_mask=ignored)
    if norm == "pre":
        assert isinstance(model.encoder_norm, nn.LayerNorm)
        memory = model.encoder_norm(memory)
    states = model.embedding(target)
    for layer in model.decoder:
        assert isinstance(layer, DecoderLayer)
        theirs = torch_decoder_layer(layer, norm, "gelu")
        states = theirs(states, memory, tgt_mask=~causal, memory_key_padding_mask=ignored)
    if norm == "pre":
        states = model.decoder_norm(states)

    close(model.encode(source).states[~ignored], memory[~ignored])
    close(model(source, target).logits, states @ model.embedding.pieces.weight.T)


# The whole model against Marian


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("rows", [1, 3], ids=["one sentence", "padded batch"])
@torch.no_grad()
def test_model_is_marian_logits_and_every_attention(rows: int, activation: str) -> None:
    model = random_model(activation=activation)
    marian = marian_like(model)
    source, target = pad(SOURCES[:rows], PAD), pad(TARGETS[:rows], PAD)

    forced = model(source, target)
    theirs = marian(input_ids=source, attention_mask=source.ne(PAD), decoder_input_ids=target, output_attentions=True)

    close(forced.logits, theirs.logits)
    for ours, expected in (
        (forced.encoder, theirs.encoder_attentions),
        (forced.decoder, theirs.decoder_attentions),
        (forced.cross, theirs.cross_attentions),
    ):
        assert len(ours) == len(expected)
        for layer, expected_layer in zip(ours, expected, strict=True):
            close(layer, expected_layer)


# Masks


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_padding_changes_nothing(norm: str, positions: str) -> None:
    model = random_model(norm=norm, positions=positions)
    batch = model(pad(SOURCES, PAD), pad(TARGETS, PAD))
    for i, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = model(torch.tensor([source]), torch.tensor([target]))
        s, t = len(source), len(target)
        close(batch.logits[i, :t], alone.logits[0])
        for queries, keys, padded_layers, layers in (
            (s, s, batch.encoder, alone.encoder),
            (t, t, batch.decoder, alone.decoder),
            (t, s, batch.cross, alone.cross),
        ):
            for padded_weights, weights in zip(padded_layers, layers, strict=True):
                close(padded_weights[i, :, :queries, :keys], weights[0])
                assert (padded_weights[i, :, :queries, keys:] == 0).all(), "a padded key was looked at"


def test_nobody_looks_ahead() -> None:
    model = random_model()
    source, target = random_ids(2, 6), random_ids(2, 8, seed=1)
    first = model(source, target)
    for changed_at in range(8):
        changed = target.clone()
        changed[:, changed_at] = 3 + (changed[:, changed_at] - 2) % 20
        second = model(source, changed)
        close(second.logits[:, :changed_at], first.logits[:, :changed_at], atol=1e-6)
        assert not torch.allclose(second.logits[:, changed_at:], first.logits[:, changed_at:], atol=1e-3)
    for weights in first.decoder:
        assert (weights[..., ~causal_mask(8)] == 0).all()


def test_every_row_of_weights_sums_to_1() -> None:
    model = random_model()
    forced = model(pad(SOURCES, PAD), pad(TARGETS, PAD))
    shapes = [(3, 4, 6, 6)] * 3 + [(3, 4, 5, 5)] * 2 + [(3, 4, 5, 6)] * 2
    layers = (*forced.encoder, *forced.decoder, *forced.cross)
    assert [tuple(weights.shape) for weights in layers] == shapes
    for weights in layers:
        close(weights.sum(-1), torch.ones(weights.shape[:-1]), atol=1e-6)


def test_fused_kernel_gives_the_same_logits() -> None:
    model = random_model()
    source, target = pad(SOURCES, PAD), pad(TARGETS, PAD)
    fused = model(source, target, fused_attention)
    close(fused.logits, model(source, target, attention).logits)
    assert all(weights is None for weights in (*fused.encoder, *fused.decoder, *fused.cross))


# Step by step


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
def test_cached_steps_are_the_forced_pass(positions: str, norm: str) -> None:
    model = random_model(positions=positions, norm=norm)
    source = pad(SOURCES, PAD)
    target = torch.cat((torch.full((3, 1), BOS), random_ids(3, 19)), dim=1)
    expected = model(source, target).logits.log_softmax(-1)
    state = model.start(model.encode(source))
    for step in range(20):
        log_probs, state = model.decode_step(target[:, step], state)
        close(log_probs, expected[:, step])


def test_cached_steps_after_reordering_a_batch() -> None:
    model = random_model()
    source, target = pad(SOURCES, PAD), random_ids(3, 4)
    state = model.start(model.encode(source))
    for step in range(4):
        _, state = model.decode_step(target[:, step], state)
    rows = torch.tensor([2, 0, 0, 1])  # leaves none out, repeats one
    rest = random_ids(4, 3, seed=5)
    expected = model(source[rows], torch.cat((target[rows], rest), dim=1)).logits.log_softmax(-1)
    reordered = state.reorder(rows)
    for step in range(3):
        log_probs, reordered = model.decode_step(rest[:, step], reordered)
        close(log_probs, expected[:, 4 + step])


def test_a_state_is_not_changed_by_a_step() -> None:
    model = random_model()
    state = model.start(model.encode(random_ids(1, 5)))
    _, state = model.decode_step(torch.tensor([BOS]), state)
    first, _ = model.decode_step(torch.tensor([7]), state)
    model.decode_step(torch.tensor([12]), state)
    again, _ = model.decode_step(torch.tensor([7]), state)
    assert torch.equal(first, again)


# Positions


def test_sinusoids_are_the_papers() -> None:
    table = sinusoids(50, 12)
    for position in range(50):
        for i in range(6):
            angle = position / 10000 ** (2 * i / 12)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
def test_without_positions_order_is_lost_and_only_then(positions: str) -> None:
    model = random_model(positions=positions)
    source = random_ids(2, 7)
    order = torch.tensor([3, 0, 6, 2, 5, 1, 4])
    states, permuted = model.encode(source).states, model.encode(source[:, order]).states
    assert torch.allclose(permuted, states[:, order], atol=1e-5) == (positions == "none")


def test_learned_positions_are_parameters_and_others_are_not() -> None:
    names = {p: set(dict(random_model(positions=p).named_parameters())) for p in ("sinusoidal", "learned", "none")}
    assert names["learned"] - names["none"] == {"embedding.positions"}
    assert names["sinusoidal"] == names["none"]


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_beyond_max_length_is_a_value_error(positions: str) -> None:
    model = random_model(max_length=6, positions=positions)
    full, too_long = random_ids(1, 6), random_ids(1, 7)
    assert model(full, full).logits.shape == (1, 6, 23)
    with pytest.raises(ValueError, match="at most 6 pieces"):
        model.encode(too_long)
    with pytest.raises(ValueError, match="at most 6 pieces"):
        model(full, too_long)
    state = model.start(model.encode(full))
    for _ in range(6):
        _, state = model.decode_step(torch.tensor([7]), state)
    with pytest.raises(ValueError, match="at most 6 pieces"):
        model.decode_step(torch.tensor([7]), state)


# Dropout


def test_dropout_is_off_in_evaluation_and_at_0() -> None:
    x = torch.randn(4, 5)
    assert torch.equal(Dropout(0.5).eval()(x), x)
    assert torch.equal(Dropout(0.0).train()(x), x)


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_dropout_drops_its_share_and_keeps_the_mean(p: float) -> None:
    torch.manual_seed(0)
    n = 999_999  # no multiple of the eight masks in a number
    x = torch.ones(n)
    y = Dropout(p).train()(x)
    kept = y != 0
    share = 1 - kept.double().mean().item()
    chance = 4 * math.sqrt(p * (1 - p) / n)
    assert abs(share - p) < 1 / 512 + chance  # p is rounded to 1/256
    assert y[kept].unique().numel() == 1
    assert y.double().mean().item() == pytest.approx(1, abs=chance / (1 - p))
    for distance in (1, 2, 7, 8):  # masks from one random number are independent of each other
        both = (~kept[distance:] & ~kept[:-distance]).double().mean().item()
        assert both == pytest.approx(share**2, abs=0.003)


def test_dropout_draws_anew_and_its_gradient_is_its_mask() -> None:
    torch.manual_seed(0)
    dropout = Dropout(0.5).train()
    x = torch.ones(3, 5, 7, requires_grad=True)
    y, again = dropout(x), dropout(x)
    assert not torch.equal(y, again)
    y.sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, y.detach())
    assert dropout(x.bfloat16()).dtype == torch.bfloat16


def test_two_evaluations_are_identical_and_two_trainings_are_not() -> None:
    model = random_model(dropout=0.3)
    source, target = pad(SOURCES, PAD), pad(TARGETS, PAD)
    assert torch.equal(model(source, target).logits, model(source, target).logits)
    model.train()
    assert not torch.equal(model(source, target).logits, model(source, target).logits)


@pytest.mark.parametrize("norm", ["post", "pre"])
@torch.no_grad()
def test_storing_by_columns_changes_no_result(norm: str) -> None:
    model = random_model(norm=norm)
    source, target = pad(SOURCES, PAD), pad(TARGETS, PAD)
    plain_forced = model(source, target)
    plain_step, _ = model.decode_step(target[:, 0], model.start(model.encode(source)))
    model.store_by_columns()
    close(model(source, target).logits, plain_forced.logits)
    close(model.decode_step(target[:, 0], model.start(model.encode(source)))[0], plain_step)


@torch.no_grad()
def test_two_branches_of_one_state_do_not_meet() -> None:
    """A state may be gone on from twice, in turn and again, also when the cache has to grow."""
    model = random_model(max_length=80)
    source = torch.tensor([SOURCES[0]])
    state, read = model.start(model.encode(source)), []
    for step in range(70):
        read.append(BOS if step == 0 else 3 + step % 7)
        before = state
        _, state = model.decode_step(torch.tensor([read[-1]]), before)
        _, other = model.decode_step(torch.tensor([9]), before)
        for branch, last in ((state, [4]), (other, [5]), (state, [6])):
            log_probs, _ = model.decode_step(torch.tensor(last), branch)
            ids = [*read[:-1], 9, *last] if branch is other else [*read, *last]
            expected = model(source, torch.tensor([ids])).logits[0, -1].log_softmax(-1)
            close(log_probs[0], expected)
