"""The instrumented pass: the model's own to the last bit where nothing is done otherwise, and what each intervention
does by other means."""

import copy
import dataclasses
from typing import Any, cast

import pytest
import torch
from torch import Tensor

from model.activations import Activations, activations, encoder_activations
from model.attention import attention
from model.data import pad
from model.intervention import ATTENTION_KINDS, NOTHING, Head, Intervention, Kind, Part, Place
from model.transformer import DecoderLayer, EncoderLayer, Transformer
from model.translate import Translator
from tests.oracle import PAD, random_ids, random_model

SOURCE, TARGET = random_ids(1, 7), torch.cat((torch.tensor([[1]]), random_ids(1, 5, seed=1)), dim=1)
PADDED = pad([[5, 9, 9, 4, 7, 2], [8, 3, 2]], PAD), pad([[1, 4, 8, 6], [1, 7]], PAD)
VARIANTS: dict[str, dict[str, Any]] = {
    "the paper's": {},
    "pre-norm, gelu": {"norm": "pre", "activation": "gelu"},
    "learned": {"positions": "learned"},
    "no positions": {"positions": "none"},
}
every_variant = pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS.keys())
every_kind = pytest.mark.parametrize("kind", ATTENTION_KINDS)
close = torch.testing.assert_close


def passed(model: Transformer, intervention: Intervention = NOTHING) -> Activations:
    with torch.inference_mode():
        return activations(model, SOURCE, TARGET, intervention)


@every_variant
@pytest.mark.parametrize("read", [(SOURCE, TARGET), PADDED], ids=["one", "padded"])
def test_where_nothing_is_done_otherwise_it_is_the_model_to_the_last_bit(
    settings: dict[str, Any], read: tuple[Tensor, Tensor]
) -> None:
    model = random_model(**settings)
    with torch.inference_mode():
        found, forced = activations(model, *read), model(*read, attention)
        encoded = model.encode(read[0], attention)
    assert torch.equal(found.forced.logits, forced.logits)
    for kind in ATTENTION_KINDS:
        for one, other in zip(getattr(found.forced, kind), getattr(forced, kind), strict=True):
            assert torch.equal(one, other)
    assert torch.equal(found.encoder.encoded.states, encoded.states)
    assert (found.encoder.encoded.mask is None) == (encoded.mask is None)


def test_the_bundled_models_too(bundled: Translator) -> None:
    translation = bundled.translate("They see the white cat on the table.")
    model, source, target = (
        bundled.transformer(),
        bundled.ids(translation.source),
        bundled.ids(translation.decoder_input),
    )
    with torch.inference_mode():
        assert torch.equal(activations(model, source, target).forced.logits, model(source, target, attention).logits)


@every_variant
def test_stages_follow_from_each_other_and_have_the_stated_shapes(settings: dict[str, Any]) -> None:
    model = random_model(**settings)
    found, config = passed(model), model.config
    width, heads, d_k = config.d_model, config.n_heads, config.d_model // config.n_heads
    for kind in ATTENTION_KINDS:
        queries, keys = 7 if kind == "encoder" else 6, 6 if kind == "decoder" else 7
        for layer in range(config.encoder_layers if kind == "encoder" else config.decoder_layers):
            at = found.attention(kind, layer)
            assert at.q.shape == at.context.shape == (1, heads, queries, d_k)
            assert at.k.shape == at.v.shape == (1, heads, keys, d_k)
            assert (
                at.products.shape == at.scores.shape == at.masked.shape == at.weights.shape == (1, heads, queries, keys)
            )
            assert at.x_query.shape == at.concat.shape == at.output.shape == at.leaves.shape == (1, queries, width)
            assert at.x_key.shape == (1, keys, width)
            close(at.weights.sum(-1), torch.ones(1, heads, queries))
            close(at.weights @ at.v, at.context)
            close(at.x_query + at.output, at.residual)
            assert torch.equal(at.residual, at.leaves) == (config.norm == "pre")
            assert torch.equal(at.x_query, at.read_query) == (config.norm == "post")
    states = found.encoder.states
    assert len(states) == config.encoder_layers + 1
    assert torch.equal(states[0], found.encoder.embedded.sum)
    for before, after in zip(found.encoder.layers, found.encoder.layers[1:], strict=False):
        assert after.attention.x_query is before.feed_forward.leaves
    assert found.decoder.logits.shape == (1, 6, config.vocab_size)


# Interventions


def heads_of(model: Transformer, kind: Kind, layer: int) -> Any:
    if kind == "encoder":
        return cast(EncoderLayer, model.encoder[layer]).self_attention
    block = cast(DecoderLayer, model.decoder[layer])
    return block.cross_attention if kind == "cross" else block.self_attention


@every_kind
@every_variant
def test_cutting_a_head_is_zeroing_its_slice_of_w_o(kind: Kind, settings: dict[str, Any]) -> None:
    model = random_model(**settings)
    d_k = model.config.d_model // model.config.n_heads
    cut = Intervention(cut=frozenset({Head(kind, 0, 2), Head(kind, 1, 0), Head(kind, 1, 3)}))
    zeroed = copy.deepcopy(model)
    for _, layer, head in cut.cut:
        heads_of(zeroed, kind, layer).w_o.weight[:, head * d_k : (head + 1) * d_k] = 0
    with torch.inference_mode():
        expected = zeroed(SOURCE, TARGET, attention)
    found = passed(model, cut).forced
    close(found.logits, expected.logits, atol=1e-6, rtol=1e-5)
    for each in ATTENTION_KINDS:
        for one, other in zip(getattr(found, each), getattr(expected, each), strict=True):
            close(one, other, atol=1e-6, rtol=1e-5)
    assert (found.logits - passed(model).forced.logits).abs().max() > 1e-3


def test_cutting_none_changes_nothing_and_cutting_twice_is_cutting_once() -> None:
    model, one = random_model(), Intervention(cut=frozenset({Head("cross", 0, 1)}))
    assert torch.equal(passed(model, Intervention(cut=frozenset())).forced.logits, passed(model).forced.logits)
    assert torch.equal(passed(model, one | one).forced.logits, passed(model, one).forced.logits)


@every_kind
def test_a_uniform_head_is_the_mean_of_the_values_that_it_may_see(kind: Kind) -> None:
    model = random_model()
    plain = passed(model).attention(kind, 1)
    found = passed(model, Intervention(uniform=frozenset({Head(kind, 1, 2)}))).attention(kind, 1)
    assert torch.equal(found.q, plain.q)  # up to there all is as it was
    values = plain.v[0, 2]
    for row in range(found.weights.size(2)):
        seen = row + 1 if kind == "decoder" else len(values)
        close(found.context[0, 2, row], values[:seen].mean(0), atol=1e-6, rtol=1e-5)
        assert torch.equal(found.weights[0, 2, row, seen:], torch.zeros(len(values) - seen))
    others = [0, 1, 3]
    assert torch.equal(found.weights[:, others], plain.weights[:, others])


def test_a_uniform_head_gives_padding_nothing() -> None:
    with torch.inference_mode():
        found = encoder_activations(random_model(), PADDED[0], Intervention(uniform=frozenset({Head("encoder", 0, 0)})))
    weights = found.layers[0].attention.weights[1, 0]
    close(weights[:, :3], torch.full((6, 3), 1 / 3))
    assert not weights[:, 3:].any()


@every_variant
def test_without_positions_is_a_model_that_has_none(settings: dict[str, Any]) -> None:
    model = random_model(**settings)
    found = passed(model, Intervention(without_positions=frozenset({"encoder", "decoder"})))
    bare = Transformer(dataclasses.replace(model.config, positions="none")).eval()
    bare.load_state_dict({name: value for name, value in model.state_dict().items() if "positions" not in name})
    with torch.inference_mode():
        assert torch.equal(found.forced.logits, bare(SOURCE, TARGET, attention).logits)


def test_masks_put_on_and_taken_off() -> None:
    model = random_model()
    found = passed(model, Intervention(masked=frozenset({1}), unmasked=frozenset({0})))
    for layer in range(3):
        assert (not found.attention("encoder", layer).weights.triu(1).any()) == (layer == 1)
    for layer in range(2):
        assert (not found.attention("decoder", layer).weights.triu(1).any()) == (layer == 1)
    with torch.inference_mode():
        padded = encoder_activations(model, PADDED[0], Intervention(masked=frozenset({0}))).layers[0].attention.weights
    assert not padded.triu(1).any()
    assert not padded[1, :, :, 3:].any()


PARTS: tuple[Part, ...] = ("encoder", "encoder feed-forward", "decoder", "cross", "decoder feed-forward")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_sublayer_without_residual_norm_or_scale_changes_there_and_nowhere_before(part: Part, norm: str) -> None:
    model = random_model(norm=norm)
    place = frozenset({Place(part, 1)})
    plain = passed(model)
    for intervention in (Intervention(without_residual=place), Intervention(without_norm=place)):
        found = passed(model, intervention)
        assert not torch.equal(found.forced.logits, plain.forced.logits)
        for layer in (0, 1):
            for kind in ATTENTION_KINDS:
                one, other = found.attention(kind, layer), plain.attention(kind, layer)
                before = layer == 0 and (kind == "encoder") == part.startswith("encoder")
                before = before or (kind == "encoder" and not part.startswith("encoder"))
                assert torch.equal(one.x_query, other.x_query) or not before
                if (kind, layer) != (part, 1):
                    continue
                if intervention.without_residual:
                    assert torch.equal(one.residual, one.output)
                    assert torch.equal(one.output, other.output)
                else:
                    assert torch.equal(one.leaves, one.residual)
                    assert torch.equal(one.read_query, one.x_query)
    if part in ATTENTION_KINDS:
        unscaled = passed(model, Intervention(unscaled=place)).attention(part, 1)
        assert torch.equal(unscaled.scores, unscaled.products)
        assert torch.equal(unscaled.products, plain.attention(part, 1).products)
    else:
        changed = passed(model, Intervention(activations=frozenset({(Place(part, 1), "gelu")})))
        at = (changed.encoder if part.startswith("encoder") else changed.decoder).layers
        assert [layer.feed_forward.activation for layer in at] == ["relu" if i != 1 else "gelu" for i in range(len(at))]


# The value


def test_an_intervention_is_a_value() -> None:
    one = Intervention(cut=frozenset({Head("cross", 1, 4)}))
    other = Intervention(uniform=frozenset({Head("cross", 1, 5)}), masked=frozenset({0}))
    assert {one: 1}[Intervention(cut=frozenset({Head("cross", 1, 4)}))] == 1
    assert one | other == other | one == Intervention(cut=one.cut, uniform=other.uniform, masked=other.masked)
    assert one | NOTHING == one
    assert len({one, other, NOTHING, one | other}) == 4


def test_what_contradicts_itself_gets_a_sentence() -> None:
    head = frozenset({Head("encoder", 0, 1)})
    with pytest.raises(ValueError, match="cannot be cut and uniform at once"):
        Intervention(cut=head, uniform=head)
    with pytest.raises(ValueError, match="has one activation"):
        Intervention(
            activations=frozenset(
                {(Place("encoder feed-forward", 0), "relu"), (Place("encoder feed-forward", 0), "gelu")}
            )
        )


@pytest.mark.parametrize(
    ("intervention", "said"),
    [
        (Intervention(cut=frozenset({Head("encoder", 3, 0)})), "encoder has layers 0 to 2; there is no layer 3"),
        (Intervention(uniform=frozenset({Head("cross", 0, 4)})), "decoder has heads 0 to 3; there is no head 4"),
        (Intervention(masked=frozenset({-1})), "encoder has layers 0 to 2; there is no layer -1"),
        (Intervention(unmasked=frozenset({2})), "decoder has layers 0 to 1; there is no layer 2"),
        (Intervention(without_norm=frozenset({Place("decoder feed-forward", 2)})), "there is no layer 2"),
    ],
)
def test_what_the_model_lacks_gets_a_sentence(intervention: Intervention, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        passed(random_model(), intervention)


def test_the_model_stays_as_it_is() -> None:
    model = random_model()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    attributes = {name: set(vars(module)) for name, module in model.named_modules()}
    everything = Intervention(
        without_positions=frozenset({"encoder", "decoder"}), masked=frozenset({0}), unmasked=frozenset({0}),
        cut=frozenset({Head("cross", 0, 0)}), uniform=frozenset({Head("cross", 0, 1)}),
        unscaled=frozenset({Place("cross", 0)}), without_residual=frozenset({Place("cross", 0)}),
        without_norm=frozenset({Place("cross", 0)}),
        activations=frozenset({(Place("decoder feed-forward", 0), "gelu")}),
    )  # fmt: skip
    plain = passed(model).forced.logits
    passed(model, everything)
    assert torch.equal(passed(model).forced.logits, plain)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert {name: set(vars(module)) for name, module in model.named_modules()} == attributes


def test_gradients_flow_where_they_are_asked_for() -> None:
    model = random_model()
    embedded = model.embed(SOURCE).detach().requires_grad_()
    (found,) = torch.autograd.grad(encoder_activations(model, SOURCE, embedded=embedded).encoded.states.sum(), embedded)
    (expected,) = torch.autograd.grad(model.encode(SOURCE, attention, embedded).states.sum(), embedded)
    close(found, expected)
