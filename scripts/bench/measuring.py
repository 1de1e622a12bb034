"""Ways to measure: pairs of jobs run in turn, the memory of a tree of processes, the start of a program."""
import dataclasses
import json
import pathlib
import statistics
import subprocess
import time

from folders import Unusable
from jobs import Times


@dataclasses.dataclass
class Figure:
    """What a row says: its figure, and where two jobs were compared, the same by processor time and their medians."""
    value: float
    by_processor: float = None
    ours: Times = None
    theirs: Times = None


def pairs(folders, ours, theirs, rounds, scale=1.0):
    """Runs both in turn, each first every other time. The median of the pairs' ratios counts, times `scale`."""
    taken = []
    for number in range(rounds):
        if number % 2 == 0:
            a = ours.run(folders)
            taken.append((a, theirs.run(folders)))
        else:
            b = theirs.run(folders)
            taken.append((ours.run(folders), b))
    folders.sweep()

    def median(value):
        return statistics.median(value(a, b) for a, b in taken)
    return Figure(
        scale * median(lambda a, b: a.wall / b.wall), scale * median(lambda a, b: a.processor / b.processor),
        Times(median(lambda a, b: a.wall), median(lambda a, b: a.processor)),
        Times(median(lambda a, b: b.wall), median(lambda a, b: b.processor)))


def warm(folder):
    """Reads every file once, so that no job reads from the disk."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            path.read_bytes()


def _tree(process):
    """The process and everything below it."""
    found, waiting = [], [process]
    while waiting:
        here = waiting.pop()
        found.append(here)
        try:
            for task in pathlib.Path(f"/proc/{here}/task").iterdir():
                waiting += [int(word) for word in (task / "children").read_text().split()]
        except OSError:
            pass  # It has ended.
    return found


def _proportional_set(process):
    """Its share of the memory that it has in use, in bytes: pages shared by n processes count 1/n for each."""
    try:
        for line in open(f"/proc/{process}/smaps_rollup"):
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def peak_memory(folders, job):
    """The most memory that all processes of a job together have in use, in bytes: the sum of their proportional set
    sizes, looked at every 5 ms."""
    seen = []

    def watch(process):
        while process.poll() is None:
            seen.append(sum(_proportional_set(one) for one in _tree(process.pid)))
            time.sleep(0.005)
    job.run(folders, watch)
    if len(seen) < 20:
        raise Unusable("the job was over before its memory could be looked at")
    return max(seen)


def processor_time(words, results):
    """The median processor time of a short program, user and system, in seconds."""
    report = results / "start.json"
    subprocess.run(["hyperfine", "-N", "--warmup", "5", "--runs", "100", "--export-json", report, " ".join(words)],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    result = json.loads(report.read_bytes())["results"][0]
    return result["user"] + result["system"]
