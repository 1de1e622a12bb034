"""Makes the folders that are measured on, or takes those that are there. All of it lies in .build/bench/."""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PLACE = PROJECT / ".build" / "bench"
LIMIT_SOURCE = pathlib.Path(__file__).resolve().parent / "decode_loop.c"


class Unusable(Exception):
    """Says why nothing can be measured."""


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def shared():
    """The folder of material beside the project: PHOTO_INGEST_SHARED, or `shared` beside it."""
    named = os.environ.get("PHOTO_INGEST_SHARED")
    folder = pathlib.Path(named) if named else PROJECT.parent / "shared"
    if not (folder / "tools" / "make_corpus.py").is_file():
        raise Unusable(f"photos are made by tools/make_corpus.py of the shared material, and {folder} has none; "
                       "set PHOTO_INGEST_SHARED to its folder")
    return folder


class Folders:
    """Gives each folder by name; what is missing is made under another name and renamed when it is whole."""

    def __init__(self):
        PLACE.mkdir(parents=True, exist_ok=True)
        # Two runs at once would measure each other.
        self._lock = open(PLACE / "lock", "w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unusable("another ./dev bench is at work")
        self.results = PLACE / "results"
        shutil.rmtree(self.results, ignore_errors=True)
        self.results.mkdir()
        self._count = 0

    def jpeg100(self):
        """100 JPEGs of 12 MP."""
        return self._made("jpeg100", lambda folder: self._photos(folder, 0))

    def png10(self):
        """100 photos of 12 MP, every tenth a PNG."""
        return self._made("png10", lambda folder: self._photos(folder, 0.1))

    def jpeg1000(self):
        """The 100 JPEGs under ten names each."""
        photos = sorted(self.jpeg100().iterdir())

        def make(folder):
            for number in range(10):
                (folder / f"{number}").mkdir()
                for photo in photos:
                    os.link(photo, folder / f"{number}" / photo.name)
        return self._made("jpeg1000", make)

    def thirds(self):
        """The 100 JPEGs in three folders, every third in each: the same photos under second names."""
        photos = sorted(self.jpeg100().iterdir())

        def make(folder):
            for number in range(3):
                (folder / f"album{number}").mkdir()
                for photo in photos[number::3]:
                    os.link(photo, folder / f"album{number}" / photo.name)
        return self._made("thirds", make)

    def names100000(self):
        """100,000 empty files named like photos in 300 folders, as a few years leave them."""
        def make(folder):
            for number in range(300):
                # A tree of years and days, and names whose numbers do not sort by byte.
                day = folder / f"{2001 + number // 12}" / f"Album {number % 12 + 1}"
                day.mkdir(parents=True)
                for photo in range(number, 100_000, 300):
                    (day / f"IMG_{photo * 7919 % 100_003}.JPG").touch()
        return self._made("names100000", make)

    def decode_loop(self):
        """The bare loop over libjpeg."""
        program = PLACE / "decode_loop"
        if not program.exists() or program.stat().st_mtime < LIMIT_SOURCE.stat().st_mtime:
            compiler = shutil.which("clang") or shutil.which("cc")
            if compiler is None:
                raise Unusable("there is no C compiler")
            subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, LIMIT_SOURCE, "-ljpeg"],
                           check=True)
        return program

    def fresh(self, name):
        """An empty place for results, under a name of its own."""
        self._count += 1
        folder = self.results / f"{self._count}-{name}"
        folder.mkdir()
        return folder

    def sweep(self):
        """Removes all results. Not between two jobs: ext4 is slow to make files where others have just gone."""
        for folder in self.results.iterdir():
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()

    def _made(self, name, make):
        folder = PLACE / name
        if not folder.is_dir():
            say(f"making {name}")
            unfinished = PLACE / f"{name}.tmp"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
        return folder

    def _photos(self, folder, png_share):
        tool = shared() / "tools" / "make_corpus.py"
        python = PLACE / "venv" / "bin" / "python"
        quiet = {"stdout": sys.stderr, "check": True}
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", PLACE / "venv"], **quiet)
        subprocess.run([python, "-m", "pip", "install", "-q", "Pillow", "numpy"], **quiet)
        subprocess.run([python, tool, folder, "--count", "100", "--mp", "12", "--png-share", str(png_share),
                        "--manifest", PLACE / f"{folder.name}.jsonl"], **quiet)
