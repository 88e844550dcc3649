"""Recurrent encoder-decoders, with attention (Bahdanau et al. 2015) and without; no search, no text.

B batch, S source pieces, T target pieces, D width of the model, V vocabulary; batch first. One layer, one "head".
"""

import copy
import math
from dataclasses import replace
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from model.attention import Attend, additive_score, dot_score, scaled_dot_score
from model.config import RnnConfig
from model.decoder_state import Forced, RecurrentPass, RnnState
from model.errors import UserError


class RnnEncoded(NamedTuple):
    states: Tensor  # [B, S, D], h_i: forward and backward halves side by side
    mask: Tensor | None  # [B, S], False at padding; None when nothing is padded
    last: Tensor  # [B, D], the state after the last piece, of each direction


class Step(NamedTuple):
    """One step of the decoder: everything that the lessons show of it."""

    scores: Tensor | None  # [B, S], e_t before the softmax
    weights: Tensor | None  # [B, S], alpha_t
    context: Tensor  # [B, D], c_t
    hidden: Tensor  # [B, D], s_t
    memory: Tensor | None  # [B, D]


class Rnn(nn.Module):
    """Encoder h_i in both directions; decoder s_t = f([y_{t-1}; c_t], s_{t-1}) with c_t = sum_i alpha_ti h_i.

    alpha_t = softmax(e_t), e_ti = a(s_{t-1}, h_i); p(y_t) comes from [s_t; c_t; y_{t-1}]. The equations are those of
    Bahdanau et al. 2015, appendix A, with a plain tanh layer for their maxout.
    """

    def __init__(self, config: RnnConfig) -> None:
        super().__init__()
        self.config = config
        width = config.d_model
        self.pieces = nn.Embedding(config.vocab_size, width)  # its table also scores the output
        self.dropout = nn.Dropout(config.dropout)
        sequence, cell = (nn.LSTM, nn.LSTMCell) if config.cell == "lstm" else (nn.GRU, nn.GRUCell)
        self.encoder = sequence(width, width // 2, bidirectional=True, batch_first=True)
        self.first_state = nn.Linear(width, width)
        self.cell = cell(2 * width, width)
        self.readout = nn.Linear(3 * width, width)
        if config.score == "additive":
            self.w_s = nn.Linear(width, width, bias=False)
            self.v = nn.Parameter(torch.empty(width))
        if config.score in ("additive", "general"):
            self.w_h = nn.Linear(width, width, bias=False)
        self.reset()

    def reset(self) -> None:
        """Orthogonal recurrent matrices, Xavier elsewhere; embeddings of variance 1 / D, read times sqrt(D)."""
        for name, parameter in self.named_parameters():
            if "weight_hh" in name:
                for gate in parameter.data.split(parameter.size(1)):
                    nn.init.orthogonal_(gate)
            elif parameter.dim() == 2:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)
        nn.init.normal_(self.pieces.weight, std=self.config.d_model**-0.5)
        if self.config.score == "additive":
            nn.init.uniform_(self.v, -(self.config.d_model**-0.5), self.config.d_model**-0.5)

    def store_by_columns(self) -> "Rnn":
        """Nothing to gain here: a step multiplies few matrices. The Transformer's method of this name says why."""
        return self

    def embed(self, ids: Tensor) -> Tensor:
        """[...] -> [..., D]."""
        return self.dropout(self.pieces(ids) * math.sqrt(self.config.d_model))

    def encode(self, source: Tensor, attend: Attend | None = None, embedded: Tensor | None = None) -> RnnEncoded:
        """source ids [B, S], padded with pad_id. `attend` is not used. UserError beyond max_length.

        `embedded` [B, S, D] is what `embed` makes of them, for whoever wants the gradient with respect to it.
        """
        if source.size(1) > self.config.max_length:
            raise UserError("too_long", limit=self.config.max_length)
        encoder = self.encoder
        if embedded is None:
            embedded = self.embed(source)
        else:  # cuDNN goes back only through a layer in training mode; this one, without dropout, computes the same
            encoder = copy.copy(encoder).train()
        mask: Tensor | None = source.ne(self.config.pad_id)
        lengths = source.ne(self.config.pad_id).sum(1).cpu()
        if bool((lengths == source.size(1)).all()):
            mask = None
            states, ends = encoder(embedded)
        else:  # so that the backward direction starts at the last piece and not in the padding
            packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            states, ends = encoder(packed)
            states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.size(1))
        hidden = ends[0] if self.config.cell == "lstm" else ends  # [2, B, D / 2]
        return RnnEncoded(states, mask, hidden.transpose(0, 1).flatten(1))

    def start(self, encoded: RnnEncoded) -> RnnState:
        """The decoder's state before it has read anything."""
        states, mask, last = encoded
        context = None
        if self.config.score == "last":
            context = last
        elif self.config.score == "mean":
            present = torch.ones(states.shape[:2], device=states.device) if mask is None else mask.float()
            context = (states * present.unsqueeze(-1)).sum(1) / present.sum(1, keepdim=True)
        hidden = self.first_state(last).tanh()
        return RnnState(
            hidden=hidden,
            memory=torch.zeros_like(hidden) if self.config.cell == "lstm" else None,
            source=states,
            keys=self.w_h(states) if self.config.score in ("additive", "general") else states,
            source_mask=mask,
            context=context,
        )

    def score(self, hidden: Tensor, keys: Tensor) -> Tensor:
        """e_ti = a(s_{t-1}, h_i) for hidden [B, D] and keys [B, S, D]. Returns [B, S]."""
        if self.config.score == "additive":
            return additive_score(self.w_s(hidden), keys, self.v)
        return (scaled_dot_score if self.config.score == "scaled" else dot_score)(hidden, keys)

    def step(self, embedded: Tensor, state: RnnState) -> Step:
        """Read one piece [B, D]: look at the source from the old state, then move on to the new one."""
        scores = weights = None
        context = state.context
        if context is None:
            scores = self.score(state.hidden, state.keys)
            if state.source_mask is not None:
                scores = scores.masked_fill(~state.source_mask, -torch.inf)
            weights = scores.softmax(-1)
            context = (weights.unsqueeze(1) @ state.source).squeeze(1)
        read = torch.cat((embedded, context), dim=-1)
        if state.memory is not None:
            hidden, memory = self.cell(read, (state.hidden, state.memory))
        else:
            hidden, memory = self.cell(read, state.hidden), None
        return Step(scores, weights, context, hidden, memory)

    def logits(self, hidden: Tensor, context: Tensor, embedded: Tensor) -> Tensor:
        """[..., D] each -> [..., V]."""
        said = self.readout(torch.cat((hidden, context, embedded), dim=-1)).tanh()
        return F.linear(self.dropout(said), self.pieces.weight)

    def decode_step(self, tokens: Tensor, state: RnnState) -> tuple[Tensor, RnnState]:
        """Read one more piece per row, tokens [B]. Returns log-probabilities of the next [B, V] and the new state."""
        embedded = self.embed(tokens)
        step = self.step(embedded, state)
        log_probs = self.logits(step.hidden, step.context, embedded).log_softmax(-1)
        return log_probs, moved(state, step)

    def forward(self, source: Tensor, target: Tensor, attend: Attend | None = None) -> Forced:
        """source ids [B, S]; target ids [B, T] as read, so starting with bos_id."""
        return self.force(self.encode(source), target)

    def force(self, encoded: RnnEncoded, target: Tensor, attend: Attend | None = None) -> Forced:
        """The second half of `forward`, for a source that is encoded already."""
        embedded, state, steps = self.embed(target), self.start(encoded), []
        for t in range(target.size(1)):
            steps.append(self.step(embedded[:, t], state))
            state = moved(state, steps[-1])
        hidden = torch.stack([step.hidden for step in steps], dim=1)  # [B, T, D]
        contexts = torch.stack([step.context for step in steps], dim=1)
        scores = together([step.scores for step in steps])  # [B, T, S]
        weights = together([step.weights for step in steps])
        return Forced(
            logits=self.logits(hidden, contexts, embedded),
            encoder=(),
            decoder=(),
            cross=() if weights is None else (weights.unsqueeze(1),),
            recurrent=RecurrentPass(scores, contexts, hidden, encoded.states),
        )


def moved(state: RnnState, step: Step) -> RnnState:
    return replace(state, hidden=step.hidden, memory=step.memory)


def together(parts: list[Tensor | None]) -> Tensor | None:
    """T x [B, S] -> [B, T, S]; None where the steps have none."""
    there = [part for part in parts if part is not None]
    return torch.stack(there, dim=1) if there else None
