"""Weights that take more into account: the length of what is weighed, or the layers below."""

import numpy as np

from model.records import Floats


def value_weighted(weights: Floats, norms: Floats) -> Floats:
    """[..., Q, K] weights times the norms [..., K] of the vectors that they weigh, each row scaled to sum 1: the norms
    ||alpha_ij f(x_j)|| of Kobayashi et al. 2020 as shares of a row."""
    moved = weights * norms[..., None, :]
    total = moved.sum(-1, keepdims=True)
    return np.asarray(np.divide(moved, total, out=np.zeros_like(moved), where=total > 0))


def rollout(weights: Floats) -> Floats:
    """[L, H, N, N] -> [L, 1, N, N]: how much of the first layer's input is in the output of layer l, if every layer
    mixed half its input with the average of its heads: A_l = (W_l + I) / 2 and R_l = A_l R_(l-1), Abnar and Zuidema
    2020."""
    mixed = (weights.mean(1) + np.eye(weights.shape[-1], dtype=np.float32)) / 2
    rolled = [mixed[0]]
    for each in mixed[1:]:
        rolled.append(each @ rolled[-1])
    return np.stack(rolled)[:, None].astype(np.float32)


def cross_rollout(cross: Floats, encoder: Floats) -> Floats:
    """[L, H, T, S] -> [L, 1, T, S]: the average of a layer's heads, led back through the encoder's rollout to the
    source pieces themselves."""
    return np.asarray(cross.mean(1, keepdims=True) @ rollout(encoder)[-1, 0], np.float32)
