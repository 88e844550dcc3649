"""The architecture as blocks, after figure 1 of Vaswani et al. 2017, and each block's numbers for one sentence.

S source pieces, T target pieces, d_model width of the model, d_k width of a head, d_ff numbers inside the feed-forward
network, V pieces of the vocabulary. Arrays and strings in, arrays and strings out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from model.config import TransformerConfig
from model.experiments.head_steps import Readout, Worksheet
from model.experiments.position_encoding import Embedded
from model.intervention import Kind
from model.records import Floats, Translation

Stack = Literal["encoder", "decoder"]
Role = Literal[
    "source", "shifted", "embedding", "position", "self", "masked", "cross", "feed", "addnorm", "norm", "add",
    "lastnorm", "linear", "softmax", "next",
]  # fmt: skip
Axis = Literal["source", "read", "step", "query", "key", "model", "head", "heads", "inner", "candidate"]
"""What rows or columns are: source pieces; target pieces as they are read; steps, each of which predicts a target
piece; what looks and what is looked at; dimensions of the model, of a head, of all heads side by side, inside the
feed-forward network; pieces that could come next."""

ATTENTION: dict[str, Kind] = {"self": "encoder", "masked": "decoder", "cross": "cross"}
"""Roles of attention, and which attention that is."""
SYMBOLS = {
    "source": "S",
    "read": "T",
    "step": "T",
    "model": "d_model",
    "head": "d_k",
    "heads": "d_model",
    "inner": "d_ff",
    "candidate": "V",
}
"""How many there are of what an axis counts; of queries and keys it depends."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One box of the drawing."""

    name: str
    """Letters only: the address has it."""
    role: Role
    stack: Stack
    kind: Kind | None = None
    """In a layer: whose worksheet has its numbers."""
    of: Role | None = None
    """Around a sublayer: the sublayer's role."""
    skips: str = ""
    """The block, below this one, under which its residual connection begins."""


# ---- the blocks ----------------------------------------------------------------------------------------------------


def plan(config: TransformerConfig) -> tuple[Block, ...]:
    """All blocks, from the bottom to the top, the encoder's first; a layer of a stack stands for all of them."""
    return (*_stack("encoder", config), *_stack("decoder", config))


def _stack(stack: Stack, config: TransformerConfig) -> Iterator[Block]:
    pre = config.norm == "pre"
    if stack == "encoder":
        yield Block(name="source", role="source", stack=stack)
    else:
        yield Block(name="target", role="shifted", stack=stack)
    yield Block(name=f"{stack}embedding", role="embedding", stack=stack)
    if config.positions != "none":
        yield Block(name=f"{stack}position", role="position", stack=stack)
    if stack == "encoder":
        yield from _sublayer(stack, "self", "encoder", pre)
        yield from _sublayer(stack, "feed", "encoder", pre)
    else:
        yield from _sublayer(stack, "masked", "decoder", pre)
        yield from _sublayer(stack, "cross", "cross", pre)
        yield from _sublayer(stack, "feed", "cross", pre)
    if pre:
        yield Block(name=f"{stack}lastnorm", role="lastnorm", stack=stack)
    if stack == "decoder":
        yield Block(name="linear", role="linear", stack=stack)
        yield Block(name="softmax", role="softmax", stack=stack)
        yield Block(name="next", role="next", stack=stack)


def _sublayer(stack: Stack, role: Role, kind: Kind, pre: bool) -> Iterator[Block]:
    """A sublayer, and what is around it: in post-norm both sum and LayerNorm come after it (section 3.1)."""
    name = f"{stack}{role}"
    if pre:
        yield Block(name=f"{name}norm", role="norm", stack=stack, kind=kind, of=role)
    yield Block(name=name, role=role, stack=stack, kind=kind)
    if pre:
        yield Block(name=f"{name}add", role="add", stack=stack, kind=kind, of=role, skips=f"{name}norm")
    else:
        yield Block(name=f"{name}addnorm", role="addnorm", stack=stack, kind=kind, of=role, skips=name)


# ---- their numbers -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Tensor:
    """One array of a block, and how it is drawn."""

    name: str
    """As the worksheet calls it; what follows an underscore is set lower."""
    values: Floats
    """[rows, columns]."""
    axes: tuple[Axis, Axis]
    symbols: tuple[str, str]
    sign: str = ""
    """What stands before it in the equation."""
    scale: str = ""
    """Tensors of a block with the same word here have one scale of colours."""
    signed: bool = True
    """Whether a number can be below 0."""
    whole: int | None = None
    """How many columns there are, if these are only some of them."""
    breaks: bool = False
    """Starts a line."""

    @property
    def shape(self) -> str:
        """ "[T, d_model] = [9, 256]"."""
        rows, columns = self.values.shape
        return f"[{', '.join(self.symbols)}] = [{rows}, {self.whole or columns}]"


@dataclass(frozen=True, kw_only=True, eq=False)
class Numbers:
    """What the model has computed that a block is about; each block needs some of it."""

    embedded: Embedded | None = None
    sheet: Worksheet | None = None
    leaves: Floats | None = None
    """[S or T, d_model], what leaves the stack."""
    readout: Readout | None = None
    """Of `candidates`."""


def tensors(block: Block, numbers: Numbers, vocabulary: int) -> tuple[Tensor, ...]:
    """The arrays of a block in the order of the computation. Pieces are names, not numbers: their blocks have none."""
    return tuple(_tensors(block, numbers, vocabulary))


def _tensors(block: Block, numbers: Numbers, vocabulary: int) -> Iterator[Tensor]:
    embedded, sheet, readout = numbers.embedded, numbers.sheet, numbers.readout
    if block.role in ("embedding", "position"):
        assert embedded
        yield from _embedding(block, embedded)
    elif block.role in ("linear", "softmax"):
        assert readout
        yield from _readout(block, readout, vocabulary)
    elif block.role == "lastnorm":
        assert sheet
        assert numbers.leaves is not None
        yield from _last_norm(block, sheet, numbers.leaves)
    elif block.kind:
        assert sheet
        part = _attention if block.role in ATTENTION else _feed if block.role == "feed" else None
        yield from part(sheet) if part else _around(block, sheet)


def _maker(kind: Kind | None) -> Callable[..., Tensor]:
    """Makes tensors of a kind of attention's queries and keys."""
    symbols = SYMBOLS | {"query": "S" if kind == "encoder" else "T", "key": "T" if kind == "decoder" else "S"}

    def make(name: str, values: Floats, rows: Axis, columns: Axis, **look: Any) -> Tensor:
        return Tensor(name=name, values=values, axes=(rows, columns), symbols=(symbols[rows], symbols[columns]), **look)

    return make


def _embedding(block: Block, embedded: Embedded) -> Iterator[Tensor]:
    make, pieces = _maker(None), "source" if block.stack == "encoder" else "read"
    yield make("X_token", embedded.pieces, pieces, "model", scale="x")
    if block.role == "position":
        yield make("PE", embedded.positions, pieces, "model", scale="x", sign="+")
        yield make("X", embedded.sum, pieces, "model", scale="x", sign="=")


def _attention(sheet: Worksheet) -> Iterator[Tensor]:
    make, count = _maker(sheet.kind), sheet.concat.shape[1] // sheet.q.shape[1]
    # In self-attention a row of what enters becomes a query and a key.
    rows = {"encoder": "source", "decoder": "read", "cross": "query"}[sheet.kind]
    yield make("N" if sheet.pre else "X", sheet.read_query, rows, "model")
    if sheet.kind == "cross":
        yield make("H", sheet.x_key, "key", "model")
    yield make("Q", sheet.q, "query", "head", scale="qk", breaks=True)
    yield make("K", sheet.k, "key", "head", scale="qk")
    yield make("V", sheet.v, "key", "head", scale="v")
    yield make("S", sheet.masked, "query", "key", sign="→", breaks=True)
    yield make("A", sheet.weights, "query", "key", sign="→", signed=False)
    yield make("C", sheet.context, "query", "head", sign="→", scale="v")
    yield make(f"C_1…{count}", sheet.concat, "query", "heads", breaks=True)
    yield make("O", sheet.output, "query", "model", sign="→")


def _rows(sheet: Worksheet) -> Axis:
    """What rows are once attention is over."""
    return "source" if sheet.kind == "encoder" else "step"


def _feed(sheet: Worksheet) -> Iterator[Tensor]:
    make, rows, after = _maker(sheet.kind), _rows(sheet), sheet.feed_forward
    assert after
    read = after.norm.normed if sheet.pre else sheet.norm.normed
    x, activation = "M" if sheet.pre else "N", {"relu": "ReLU", "gelu": "GELU"}[after.activation]
    yield make(x, read, rows, "model")
    yield make(f"{x} W₁ + b₁", after.hidden, rows, "inner", scale="inner", sign="→", breaks=True)
    yield make(activation, after.activated, rows, "inner", scale="inner", sign="→", breaks=True)
    yield make("F", after.output, rows, "model", sign="→", breaks=True)


def _around(block: Block, sheet: Worksheet) -> Iterator[Tensor]:
    """Sum and LayerNorm; of a sublayer the worksheet has what came in, what it says, the sum, and the norm."""
    make, rows, after = _maker(sheet.kind), _rows(sheet), sheet.feed_forward
    if block.of == "feed":
        assert after
        before = sheet.residual if sheet.pre else sheet.norm.normed
        said, total, norm = after.output, after.residual, after.norm
        names = ("R", "F", "Y", "M") if sheet.pre else ("N", "F", "P", "Y")
    else:
        before, said, total, norm = sheet.x_query, sheet.output, sheet.residual, sheet.norm
        names = ("X", "O", "R", "N")
    if block.role == "norm":
        yield make(names[0], before, rows, "model")
    else:
        yield make(names[0], before, rows, "model", scale="sum")
        yield make(names[1], said, rows, "model", scale="sum", sign="+")
        yield make(names[2], total, rows, "model", scale="sum", sign="=")
    if block.role != "add":
        yield make(names[3], norm.normed, rows, "model", sign="→")


def _last_norm(block: Block, sheet: Worksheet, leaves: Floats) -> Iterator[Tensor]:
    """Pre-norm: what the last layer leaves is normed once more, and is then the encoder's output or the decoder's."""
    make, rows = _maker(sheet.kind), _rows(sheet)
    yield make("Y", sheet.leaves, rows, "model")
    yield make("H" if block.stack == "encoder" else "Z", leaves, rows, "model", sign="→")


def _readout(block: Block, readout: Readout, vocabulary: int) -> Iterator[Tensor]:
    make = _maker(None)
    if block.role == "linear":
        yield make("Z", readout.states, "step", "model")
        yield make("Z Eᵀ", readout.logits, "step", "candidate", whole=vocabulary, sign="→", breaks=True)
    else:
        yield make("Z Eᵀ", readout.logits, "step", "candidate", whole=vocabulary)
        yield make("p", readout.probabilities, "step", "candidate", whole=vocabulary, sign="→", signed=False)


def candidates(translation: Translation) -> dict[int, str]:
    """The two likeliest pieces of each step, each once: id and label."""
    return {each.id: each.label for step in translation.alternatives for each in step[:2]}


def covered(readout: Readout) -> float:
    """How much of the probability these pieces have at least, at the step where they have least."""
    return float(readout.probabilities.sum(axis=1).min())
