"""Prints the table: Markdown, as docs/performance.md keeps it."""
import datetime
import os
import platform


def header():
    return ("| row | what | measured | wanted | met | by processor time | seconds |\n"
            "|---|---|---|---|---|---|---|")


def line(row, figure):
    is_met = figure.value >= row.wanted if row.is_at_least else figure.value <= row.wanted
    digits = 0 if figure.value >= 100 else 1 if row.unit else 3
    wanted = "" if row.is_extra else f"{'at least' if row.is_at_least else 'at most'} {row.wanted:g}{row.unit}"
    met = "" if row.is_extra else "yes" if is_met else "**no**"
    by_processor, taken = "", ""
    if figure.ours is not None:
        by_processor, taken = f"{figure.by_processor:.3f}", f"{figure.ours.wall:.2f} / {figure.theirs.wall:.2f}"
    what = row.title.replace("|", "\\|")
    return f"| {row.name} | {what} | {figure.value:.{digits}f}{row.unit} | {wanted} | {met} | {by_processor} | {taken} |"


def machine():
    """Says what it was measured on, without a name or a path."""
    model = next((text.split(":")[1].strip() for text in open("/proc/cpuinfo") if text.startswith("model name")), "")
    load = os.getloadavg()[0]
    return (f"\n{datetime.date.today()}, {len(os.sched_getaffinity(0))} processors ({model or platform.machine()}), "
            f"Linux {platform.release().split('-')[0]}, load before the end {load:.1f}")
