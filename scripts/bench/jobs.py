"""The jobs that are measured: a command, and what must be there when it has ended."""
import dataclasses
import json
import os
import pathlib
import resource
import shlex
import subprocess
import time

from folders import Unusable


@dataclasses.dataclass
class Times:
    """What one run of a job took, in seconds."""
    wall: float
    processor: float


class Job:
    """Runs a shell line in an empty folder of its own, which the line finds as $OUT.

    `check` is given the folder and raises when what should have been made is missing.
    """

    def __init__(self, name, line, check):
        self.name, self.line, self.check = name, line, check

    def run(self, folders, watch=lambda process: None):
        """Runs it once; `watch` may look at the process until it has ended."""
        output = folders.fresh(self.name)
        # What the job before has left to the disk is not this one's.
        os.sync()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.monotonic()
        with open(folders.results / "errors", "w+b") as errors:
            process = subprocess.Popen(
                ["bash", "-c", "set -o pipefail; " + self.line], env={**os.environ, "OUT": str(output)},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
            watch(process)
            process.wait()
            wall = time.monotonic() - begun
            if process.returncode != 0:
                errors.seek(0)
                words = errors.read().decode(errors="replace")[-2000:]
                raise Unusable(f"exit code {process.returncode} of: {self.line}\n{words}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.check(output)
        return Times(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def quoted(*parts):
    return " ".join(shlex.quote(str(part)) for part in parts)


def in_two_processes(photos, command):
    """A line that gives the photos to two processes at once, 50 a call."""
    return f"find {quoted(photos)} -type f -print0 | LC_ALL=C sort -z | xargs -0 -P2 -n50 {command}"


def apart(command, name):
    """The command, with what it prints in a file of its own: `name` and the number of its process."""
    line = f'{command} "$@" > "$OUT/{name}.$$"'
    return f"sh -c {quoted(line)} sh"


def has_pictures(folder, count):
    """Raises unless the folder holds as many pictures, none of them empty."""
    found = [path for path in pathlib.Path(folder).rglob("*.jpg") if path.stat().st_size > 500]
    if len(found) != count:
        raise Unusable(f"{folder} holds {len(found)} pictures and not {count}")


def has_lines(path, count):
    found = sum(1 for _ in open(path, "rb"))
    if found != count:
        raise Unusable(f"{path} holds {found} lines and not {count}")


def has_words(folder, pattern, word, count):
    found = sum(path.read_bytes().count(word) for path in pathlib.Path(folder).glob(pattern))
    if found != count:
        raise Unusable(f"{folder}/{pattern} has {found} times {word!r} and not {count}")


def vipsthumbnail(photos, size):
    return Job(f"vips-{size}", in_two_processes(photos, f'vipsthumbnail -s {size} -o "$OUT/%s.jpg[Q=85]"'),
               lambda output: has_pictures(output, 100))


def ingest(program, photos, count, *options, sizes=(256,), jobs=2, prefix=""):
    """A first run: thumbnails, checksums, verdicts, metadata and three manifests beside the one that is always written."""
    thumbnails = [word for size in sizes for word in ("--thumbnail", size)]
    line = prefix + quoted(program, "run", photos, "--quiet", "-j", jobs, *thumbnails, "--manifest", "json,csv,sha256",
                           *options) + ' --output "$OUT"'

    def check(output):
        has_pictures(output / "thumbnails", count * len(sizes))
        has_lines(output / "manifest.jsonl", count + 2)
        end = json.loads((output / "manifest.jsonl").read_bytes().splitlines()[-1])
        if (end["assets"], end["verified"]) != (count, count):
            raise Unusable(f"not every photo is verified: {end}")
    return Job("ingest", line, check)


def ingest_albums(program, folders, count, jobs=2):
    """The same over several folders at once, each an album."""
    line = quoted(program, "run", *folders, "--quiet", "-j", jobs, "--thumbnail", 256, "--manifest", "json,csv,sha256")

    def check(output):
        albums = json.loads((output / "albums.json").read_bytes())["albums"]
        if len(albums) != len(folders) or not all(album["succeeded"] for album in albums):
            raise Unusable(f"not every album has succeeded: {albums}")
        if sum(album["counts"]["verified"] for album in albums) != count:
            raise Unusable(f"not every photo is verified: {albums}")
        has_pictures(output, count)
    return Job("albums", line + ' --output "$OUT"', check)
