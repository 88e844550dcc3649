"""Train one live: a tiny Transformer and a tiny RNN learn a task while a class watches their loss and attention."""

import streamlit as st

from model.experiments import live_tasks
from model.experiments.live_tasks import NAMES, LiveRun, Name, Snapshot, live_training
from viz import models
from viz.components.alignment_pair import Map, alignment_pair
from viz.components.curves import Plot, curves
from viz.document import show
from viz.document.blocks import Text
from viz.document.page import fragment, page_frame
from viz.escape import escape
from viz.i18n import t, words_under
from viz.jobs import PATIENCE
from viz.state import Choice, Memory, Space
from viz.widgets import long_work
from viz.widgets.inputs import choose, option

SEEDS = (1, 2, 3, 4, 5)
HEADS = ("mean", *(str(head + 1) for head in range(live_tasks.TRANSFORMER.n_heads)))
REFRESH = 1.0
"""Seconds between two pictures."""
SPACE = Space("live", __file__)
TASK: Choice[live_tasks.Task] = SPACE.choice("task", "reverse")
SEED, HEAD = SPACE.choice("seed", SEEDS[0]), SPACE.choice("head", HEADS[0])
BACK = SPACE.choice("back", 0)
"""How many snapshots before the last are looked back to."""
RUN: Memory[LiveRun | None] = SPACE.memory("run", lambda: None)
"""The training that was started last."""
START, STOP, RESET, CURVES, PAIR = (SPACE.key(name) for name in ("start", "stop", "reset", "curves", "pair"))
JOB = SPACE.name


def begin(task: live_tasks.Task, seed: int) -> None:
    run = LiveRun(task=task, seed=seed)
    RUN.set(run)
    BACK.set(0)
    long_work.begin(JOB, lambda progress: models.ask(live_training, run, model=None, progress=progress, remember=False))


def reset() -> None:
    long_work.stop(JOB)
    long_work.forget(JOB)
    RUN.forget()


def going_on() -> bool:
    job = long_work.running(JOB)
    return job is not None and job.running


def control() -> tuple[live_tasks.Task, LiveRun | None, str]:
    """What shall be learnt, and the buttons: the task, the training that fits what is chosen, which head to show."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        task = choose(TASK, t("live.task"), tuple(live_tasks.TASKS), named=lambda name: t(f"live.task.{name}"))
        seed = choose(SEED, t("live.seed"), SEEDS, hint=t("live.seed_help"))
        head = choose(HEAD, t("live.head"), HEADS, named=lambda each: t("live.mean") if each == "mean" else each)
        run = RUN.get()
        if run and (run.task, run.seed) != (task, seed):  # another choice ends it; what it has brought is kept
            long_work.stop(JOB)
            run = None
        busy = run is not None and going_on()
        st.button(t("live.start"), key=START, type="primary", disabled=busy, on_click=begin, args=(task, seed))
        st.button(t("parts.stop"), key=STOP, disabled=not busy, on_click=long_work.stop, args=(JOB,))
        st.button(t("live.reset"), key=RESET, disabled=run is None, on_click=reset)
    return task, run, head


def model_name(name: Name) -> str:
    return t(f"live.model.{name}")


def ask_step(run: LiveRun, steps: list[int], busy: bool) -> int:
    """How far it is, or, once it has ended, a look back: which of the snapshots to show."""
    last = len(steps) - 1
    with st.container(height=76, border=False):
        job = long_work.running(JOB)
        if busy and job:
            st.progress(job.share, t("live.step", step=steps[-1], steps=live_tasks.STEPS))
        elif last:  # a slider needs two ends
            BACK.begin(option(range(len(steps))))
            BACK.among(range(len(steps)))
            slider = Memory(key=BACK.key.at(id(run)), make=lambda: steps[-1])
            slider.set(steps[last - BACK.get()])
            st.select_slider(
                t("live.done") if steps[-1] == live_tasks.STEPS else t("live.stopped"), steps, key=slider.key,
                on_change=lambda: BACK.set(last - steps.index(slider.get())),
            )  # fmt: skip
            return last - BACK.get()
    return last


def draw_curves(run: LiveRun, steps: list[int], mark: int | None) -> None:
    """Loss and sequences that are right, of both models, up to now."""
    chance = (
        t("live.chance", count=live_tasks.TRANSFORMER.vocab_size, value=f"{live_tasks.CHANCE:.2f}"),
        live_tasks.CHANCE,
    )
    lines = {
        what: [[getattr(each, what) for each in run.snapshots[name][: len(steps)]] for name in NAMES]
        for what in ("loss", "exact")
    }
    curves(
        [
            Plot(title=t("live.axis.loss"), lines=lines["loss"], reference=chance),
            Plot(title=t("live.axis.exact"), lines=lines["exact"], end=1),
        ],
        [model_name(name) for name in NAMES],
        steps,
        x_title=t("live.axis.step"), x_end=live_tasks.STEPS, about=t("live.alt", steps=live_tasks.STEPS), mark=mark,
        key=CURVES,
    )  # fmt: skip


def draw_maps(run: LiveRun, shots: dict[Name, Snapshot], head: str) -> None:
    """Where both look for each symbol of the example."""
    source, target = live_tasks.labels(run.task)
    heads: dict[Name, int | None] = {"transformer": None if head == "mean" else int(head), "rnn": None}
    left, right = (
        Map(
            title=model_name(name),
            note=t(f"live.which.{name}") if one is None else t("live.one_head", head=one),
            weights=shots[name].weights(one),
            queries=target,
            steps=range(len(target)),
        )
        for name, one in heads.items()
    )
    alignment_pair(
        left, right, source, difference=False, agree=None, query_word=t("live.query"), key_word=t("live.key"),
        play=None, texts=words_under("pair"), key=PAIR,
    )  # fmt: skip


def tell(run: LiveRun, shots: dict[Name, Snapshot]) -> None:
    """The example and the figures of one moment."""
    source, target = (" ".join(each[:-1]) for each in live_tasks.labels(run.task))
    show.markdown(t("live.example", source=source, target=target))
    columns = ("model", "says", "symbols", "exact", "loss", "time")
    rows = [
        (
            model_name(name),
            " ".join(shots[name].said) or t("live.nothing"),
            f"{shots[name].symbols:.1%}",
            f"{shots[name].exact:.1%}",
            f"{shots[name].loss:.3f}",
            t("live.seconds", seconds=f"{shots[name].seconds:.1f}"),
        )
        for name in NAMES
    ]
    show.table([t(f"live.column.{name}") for name in columns], rows)
    at = t("live.step", step=shots[NAMES[0]].step, steps=live_tasks.STEPS)
    show.only_saved(Text(text=at, quiet=True))  # where the page has a slider


def draw(run: LiveRun, head: str, busy: bool) -> None:
    """All that changes while the models learn."""
    job = long_work.running(JOB)
    if busy and not going_on():
        st.rerun()
    if job:
        job.seen()
        if job.error:
            st.error(escape(str(job.error)))
    # The models take turns, so one may be a snapshot ahead of the other.
    steps = [both[0].step for both in zip(*run.snapshots.values(), strict=False)]
    if not steps:
        st.progress(0.0, t("live.waiting") if busy and run.waiting else t("live.step", step=0, steps=live_tasks.STEPS))
        return
    with st.container(horizontal=True, gap="small"):
        with st.container(width=246):
            at = ask_step(run, steps, busy)
            draw_curves(run, steps, None if busy else steps[at])
        shots = {name: run.snapshots[name][at] for name in NAMES}
        with st.container(width="stretch"):
            draw_maps(run, shots, head)
    tell(run, shots)


def explain(task: live_tasks.Task) -> None:
    show.markdown(f"{t(f'live.look.{task}')} {t('live.look.rnn')}")
    show.caption(t("live.intro"))


@st.fragment
def page() -> None:
    with page_frame():
        task, run, head = control()
        show.only_saved(Text(text=f"**{t('live.task')}:** {t(f'live.task.{task}')}"))
        if run is None:
            explain(task)
            st.info(t("live.not_yet", steps=live_tasks.STEPS))
        else:
            busy = going_on()
            fragment(draw, run_every=REFRESH if busy else None)(run, head, busy)
            explain(task)  # below, so that a lecture hall sees curves and pictures without scrolling
            show.caption(t("live.reading", held=live_tasks.HELD_OUT, count=live_tasks.TRANSFORMER.vocab_size))
        low, high = live_tasks.LENGTHS
        show.caption(
            t(
                "live.models",
                batch=live_tasks.BATCH,
                low=low,
                high=high,
                held=live_tasks.HELD_OUT,
                layers=live_tasks.TRANSFORMER.encoder_layers,
                heads=live_tasks.TRANSFORMER.n_heads,
                width=live_tasks.TRANSFORMER.d_model,
                states=live_tasks.RNN.d_model,
                patience=f"{PATIENCE:.0f}",
            )
        )
    models.freeze_garbage("live")


if __name__ == "__main__":
    page()
