"""The rows of the table: what is measured against what, and what is wanted."""
import dataclasses
import statistics
from typing import Callable

from folders import Unusable
from jobs import (
    Job, apart, has_lines, has_pictures, has_words, in_two_processes, ingest, ingest_albums, quoted, vipsthumbnail)
import measuring
from measuring import Figure


class Bench:
    """What the rows measure with."""

    def __init__(self, program, folders, rounds):
        self.program, self.folders, self.rounds = program, folders, rounds

    def ingest(self, photos, count, *options, **more):
        return ingest(self.program, photos, count, *options, **more)

    def pairs(self, ours, theirs, photos, scale=1.0):
        measuring.warm(photos)
        return measuring.pairs(self.folders, ours, theirs, self.rounds, scale)


@dataclasses.dataclass
class Row:
    title: str
    measure: Callable[[Bench], Figure]
    wanted: float
    unit: str = ""
    is_at_least: bool = False
    is_extra: bool = False
    name: str = ""


def job_256(bench):
    photos = bench.folders.jpeg100()
    return bench.pairs(bench.ingest(photos, 100), vipsthumbnail(photos, 256), photos)


def job_albums(bench):
    photos, thirds = bench.folders.jpeg100(), bench.folders.thirds()
    albums = ingest_albums(bench.program, sorted(thirds.iterdir()), 100)
    return bench.pairs(albums, bench.ingest(photos, 100), photos)


def job_png(bench):
    photos = bench.folders.png10()
    return bench.pairs(bench.ingest(photos, 100), vipsthumbnail(photos, 256), photos)


def job_chain(bench):
    photos = bench.folders.jpeg100()
    # Each call writes to a file of its own: two processes that share one cut each other's words.
    lines = [
        in_two_processes(photos, apart("sha256sum", "sums")),
        in_two_processes(photos, apart("exiftool -json", "exif")),
        in_two_processes(photos, apart("jpeginfo -c", "verdicts")),
        'mkdir "$OUT/256" "$OUT/1024"',
        in_two_processes(photos, 'vipsthumbnail -s 256 -o "$OUT/256/%s.jpg[Q=85]"'),
        in_two_processes(photos, 'vipsthumbnail -s 1024 -o "$OUT/1024/%s.jpg[Q=85]"'),
    ]

    def check(output):
        has_words(output, "sums.*", b".jpg\n", 100)
        has_words(output, "exif.*", b'"SourceFile"', 100)
        has_words(output, "verdicts.*", b" OK", 100)
        has_pictures(output / "256", 100)
        has_pictures(output / "1024", 100)
    return bench.pairs(bench.ingest(photos, 100, sizes=(256, 1024)), Job("chain", " && ".join(lines), check), photos)


def job_limit(bench, denominator, *options):
    photos, loop = bench.folders.jpeg100(), bench.folders.decode_loop()

    def check(output):
        # A photo of 12 MP stored upright or lying has 3,000 or 4,000 rows.
        count = sum(int(line) for line in (output / "rows").read_text().split())
        if not 100 * 3000 <= count * denominator <= 100 * 4008:
            raise Unusable(f"the loop has read {count} rows")
    limit = Job("limit", in_two_processes(photos, f"{quoted(loop)} {denominator}") + ' > "$OUT/rows"', check)
    return bench.pairs(bench.ingest(photos, 100, *options), limit, photos)


def job_scaling(bench):
    photos = bench.folders.jpeg100()
    alone = bench.ingest(photos, 100, jobs=1, prefix="taskset -c 0 ")
    return bench.pairs(alone, bench.ingest(photos, 100), photos)


def job_scan(bench):
    names = bench.folders.names100000()
    dry = Job("dry", quoted(bench.program, "run", names, "--dry-run", "--quiet") + ' --output "$OUT/none" > "$OUT/list"',
              lambda output: has_lines(output / "list", 100_000))
    found = Job("find", f"find {quoted(names)} -type f -printf '%p\\0' | LC_ALL=C sort -z > \"$OUT/list\"",
                lambda output: has_words(output, "list", b"\0", 100_000))
    # The first look at a folder is slow; and both are short, so there is time for more rounds.
    dry.run(bench.folders), found.run(bench.folders)
    return measuring.pairs(bench.folders, dry, found, bench.rounds * 3)


def job_growth(bench):
    few, many = bench.folders.jpeg100(), bench.folders.jpeg1000()
    return bench.pairs(bench.ingest(many, 1000), bench.ingest(few, 100), few, scale=0.1)


def job_memory(bench):
    job = bench.ingest(bench.folders.jpeg100(), 100)
    peaks = [measuring.peak_memory(bench.folders, job) for _ in range(min(3, bench.rounds))]
    bench.folders.sweep()
    return Figure(statistics.median(peaks) / 1e6)


def job_start(bench):
    return Figure(measuring.processor_time([bench.program, "--version"], bench.folders.results) * 1000)


def job_gm(bench):
    photos = bench.folders.jpeg100()
    line = in_two_processes(
        photos, 'gm mogrify -create-directories -output-directory "$OUT" -size 512x512 -thumbnail 256x256 -quality 85')
    # It keeps the whole path below its folder.
    return bench.pairs(bench.ingest(photos, 100), Job("gm", line, lambda output: has_pictures(output, 100)), photos)


def job_djpeg(bench):
    photos = bench.folders.jpeg100()
    line = in_two_processes(
        photos, """sh -c 'for photo; do djpeg -scale 1/8 -outfile "$OUT/${photo##*/}" "$photo" || exit; done' -""")
    return bench.pairs(bench.ingest(photos, 100), Job("djpeg", line, lambda output: has_pictures(output, 100)), photos)


ALL: dict[str, Row] = {
    "256": Row("256 px, checksum, verdict, metadata, manifests / vipsthumbnail 256", job_256, 0.68),
    "chain": Row("256 and 1024 px and the rest / sha256sum, exiftool, jpeginfo, vipsthumbnail 256, 1024", job_chain,
                 0.27),
    "limit": Row("256 px and the rest / bare loop over libjpeg at 1/8", lambda bench: job_limit(bench, 8), 1.15),
    "full": Row("the same with --decode full / bare loop at full scale",
                lambda bench: job_limit(bench, 1, "--decode", "full"), 1.20),
    "png": Row("a tenth PNG: 256 px and the rest / vipsthumbnail 256", job_png, 0.80),
    "albums": Row("the same photos as three albums in one run / as one", job_albums, 1.05),
    "scaling": Row("-j 1 on one processor / -j 2", job_scaling, 1.85, is_at_least=True),
    "scan": Row("--dry-run of 100,000 files / find | sort -z", job_scan, 2.0),
    "growth": Row("time a photo, 1,000 photos / 100 photos", job_growth, 1.05),
    "memory": Row("memory of all processes (sum of PSS)", job_memory, 120, unit=" MB"),
    "start": Row("--version, user + system", job_start, 10, unit=" ms"),
    "gm": Row("256 px and the rest / gm mogrify 256", job_gm, 1, is_extra=True),
    "djpeg": Row("256 px and the rest / djpeg -scale 1/8", job_djpeg, 1.15, is_extra=True),
}

for _name, _row in ALL.items():
    _row.name = _name
