"""Train one live: a tiny Transformer and a tiny RNN learn a task while a class watches their loss and attention."""

import streamlit as st

from model.experiments import live_tasks
from model.experiments.live_tasks import NAMES, LiveRun, Name, Snapshot, live_training
from viz import models, session
from viz.components.alignment_pair import Map, alignment_pair
from viz.components.curves import Plot, curves
from viz.escape import escape, table
from viz.i18n import t, words_under
from viz.jobs import PATIENCE
from viz.saved import Table, Text
from viz.widgets.parts import choose, linked_page

RUN = "live_run"
"""The training that was started last, and the name of its job."""
SEEDS = (1, 2, 3, 4, 5)
REFRESH = 1.0
"""Seconds between two pictures."""


def begin(task: live_tasks.Task, seed: int) -> None:
    run = LiveRun(task=task, seed=seed)
    session.keep(RUN, run)
    session.start(RUN, lambda progress: models.ask(live_training, run, model=None, progress=progress, remember=False))


def reset() -> None:
    if job := session.job(RUN):
        job.stop()
        session.forget(RUN)
    session.keep(RUN, None)


def going_on() -> bool:
    job = session.job(RUN)
    return job is not None and job.running


def control() -> tuple[live_tasks.Task, LiveRun | None, str]:
    """What shall be learnt, and the buttons: the task, the training that fits what is chosen, which head to show."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        task = choose(t("live.task"), tuple(live_tasks.TASKS), key="live_task", default="reverse",
                      named=lambda name: t(f"live.task.{name}"))  # fmt: skip
        seed = choose(t("live.seed"), SEEDS, key="live_seed", default=SEEDS[0], hint=t("live.seed_help"))
        heads = ("mean", *(str(head + 1) for head in range(live_tasks.TRANSFORMER.n_heads)))
        head = choose(t("live.head"), heads, key="live_head", default=heads[0],
                      named=lambda each: t("live.mean") if each == "mean" else each)  # fmt: skip
        run: LiveRun | None = session.kept(RUN, None)
        if run and (run.task, run.seed) != (task, seed):  # another choice ends it; what it has brought is kept
            if job := session.job(RUN):
                job.stop()
            run = None
        busy = run is not None and going_on()
        st.button(t("live.start"), key="live_start", type="primary", disabled=busy, on_click=begin, args=(task, seed))
        job = session.job(RUN)
        st.button(t("parts.stop"), key="live_stop", disabled=not busy, on_click=job.stop if job else None)
        st.button(t("live.reset"), key="live_reset", disabled=run is None, on_click=reset)
    return task, run, head


def model_name(name: Name) -> str:
    return t(f"live.model.{name}")


def ask_step(run: LiveRun, steps: list[int], busy: bool) -> int:
    """How far it is, or, once it has ended, a look back: which of the snapshots to show."""
    with st.container(height=76, border=False):
        job = session.job(RUN)
        if busy and job:
            st.progress(job.share, t("live.step", step=steps[-1], steps=live_tasks.STEPS))
        elif len(steps) > 1:  # a slider needs two ends
            label = t("live.done") if steps[-1] == live_tasks.STEPS else t("live.stopped")
            return steps.index(st.select_slider(label, steps, steps[-1], key=f"live_step_{id(run)}"))
    return len(steps) - 1


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
        key="live_curves",
    )  # fmt: skip


def maps(run: LiveRun, shots: dict[Name, Snapshot], head: str) -> None:
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
        play=None, texts=words_under("pair"), key="live_pair",
    )  # fmt: skip


def tell(run: LiveRun, shots: dict[Name, Snapshot]) -> None:
    """The example and the figures of one moment."""
    source, target = (" ".join(each[:-1]) for each in live_tasks.labels(run.task))
    head = [
        t("live.column.model"),
        *(t(f"live.column.{name}") for name in ("says", "symbols", "exact", "loss", "time")),
    ]
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
    example = t("live.example", source=source, target=target)
    st.markdown(f"{example}\n\n{table(head, rows)}")
    at = t("live.step", step=shots[NAMES[0]].step, steps=live_tasks.STEPS)
    session.record().note("live_example", Text(text=f"{at}. {example}"))
    session.record().note("live_numbers", Table(head=head, rows=rows))


def draw(run: LiveRun, head: str, busy: bool) -> None:
    """All that changes while the models learn."""
    job = session.job(RUN)
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
    with session.record().part("live"):
        with st.container(horizontal=True, gap="small"):
            with st.container(width=246):
                at = ask_step(run, steps, busy)
                draw_curves(run, steps, None if busy else steps[at])
            shots = {name: run.snapshots[name][at] for name in NAMES}
            with st.container(width="stretch"):
                maps(run, shots, head)
        tell(run, shots)


def explain(task: live_tasks.Task) -> None:
    st.markdown(f"{t(f'live.look.{task}')} {t('live.look.rnn')}")
    st.caption(t("live.intro"))


@st.fragment
def page() -> None:
    with linked_page():
        task, run, head = control()
        if run is None:
            explain(task)
            st.info(t("live.not_yet", steps=live_tasks.STEPS))
        else:
            busy = going_on()
            st.fragment(draw, run_every=REFRESH if busy else None)(run, head, busy)
            explain(task)  # below, so that a lecture hall sees curves and pictures without scrolling
            st.caption(t("live.reading", held=live_tasks.HELD_OUT, count=live_tasks.TRANSFORMER.vocab_size))
        low, high = live_tasks.LENGTHS
        st.caption(
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
    models.settle("live")


page()
