"""What is fuzzed: a sound file of each kind, how it is damaged, and the commands that then read it.

A target leaves the damaged file in its folder and gives the commands one after the other; the sound file goes through
the same commands by the same code, so that what is fuzzed is known to be read.
"""

import csv
import hashlib
import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.fuzz import samples
from tests.fuzz.mutations import audit_changed, bytes_changed, json_changed, text_changed, value_changed

Argv = Sequence[object]
_TEXTS: Final = frozenset({".csv", ".jsonl", ".toml", ".yaml", ".xml", ".opml", ".txt", ".md", ".html"})
_ZIPS: Final = frozenset({".zip", ".xlsx", ".eval", ".docx", ".gpfreviews"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One kind of file, with the commands that read it."""

    name: str
    file: Callable[[Path], Path]
    """Makes the sound file in a folder."""
    commands: Callable[[Path, Path], Sequence[Argv]]
    """Of the file and the folder for what is written."""
    some: int = 2
    """Commands that are tried of one damaged file; the sound file goes through all."""
    changed: Callable[[Path, random.Random], str] | None = None

    def damaged(self, folder: Path, chance: random.Random) -> tuple[Path, str]:
        """The file in *folder*, damaged, and what was done to it."""
        path = self.file(folder)
        return path, (self.changed or file_changed)(path, chance)

    def tried(self, path: Path, out: Path, chance: random.Random) -> Iterator[Argv]:
        every = self.commands(path, out)
        return iter(chance.sample(every, min(self.some, len(every))))


def file_changed(path: Path, chance: random.Random) -> str:
    """Damage the file at *path* in a way that its kind invites; what was done."""
    content = path.read_bytes()
    way = chance.randrange(4)
    if path.suffix == ".csv" and way < 2:
        path.write_bytes(_cell_changed(content, chance))
        return "a cell"
    if path.suffix == ".json" and way < 3:
        path.write_bytes(json_changed(content.decode(), chance).encode("utf-8", "surrogatepass"))
        return "a value"
    if path.suffix == ".jsonl" and way < 3:
        lines = content.decode().splitlines()
        at = chance.randrange(len(lines))
        lines[at] = json_changed(lines[at], chance)
        path.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
        return "a value"
    if path.suffix in _ZIPS and way < 3:
        return _part_changed(path, chance)
    if path.suffix in _TEXTS and way < 3:
        path.write_bytes(text_changed(content, chance))
        return "lines"
    path.write_bytes(
        bytes_changed(content, chance) if chance.random() < 0.8 else content[: chance.randrange(len(content))]
    )
    return "bytes"


def _cell_changed(content: bytes, chance: random.Random) -> bytes:
    rows = list(csv.reader(io.StringIO(content.decode())))
    value_changed(rows, chance)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([[str(cell) for cell in row] if isinstance(row, list) else [str(row)] for row in rows])
    return text.getvalue().encode("utf-8", "surrogatepass")


def _part_changed(path: Path, chance: random.Random) -> str:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
        comment = archive.comment
    name = chance.choice(list(parts))
    match chance.randrange(5):
        case 0:
            del parts[name]
        case 1:
            parts[chance.choice(("../x", "a/" * 300, name.upper()))] = parts.pop(name)
        case _:
            parts[name] = part_changed(name, parts[name], chance)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
        archive.comment = comment
    return f"the part {name}"


def part_changed(name: str, content: bytes, chance: random.Random) -> bytes:
    """One part of an archive: a value of it where it is JSON, else lines or bytes."""
    if name.endswith((".json", ".jsonl")) and chance.random() < 0.8:
        lines = [content.decode()] if name.endswith(".json") else content.decode().splitlines() or [""]
        at = chance.randrange(len(lines))
        lines[at] = json_changed(lines[at], chance)
        return "\n".join(lines).encode("utf-8", "surrogatepass")
    return text_changed(content, chance) if chance.random() < 0.5 else bytes_changed(content, chance)


def resealed(path: Path, chance: random.Random) -> str:
    """Change a part of the artifact at *path*, and seal it again as if it were whole: what a forger would do."""
    if chance.random() < 0.1:
        return file_changed(path, chance)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    # Those that an audit is made of are what matters; tables and cards are only compared.
    name = chance.choice([each for each in parts if each.startswith("data/") or each == "audit.json"])
    parts[name] = part_changed(name, parts[name], chance)
    manifest["files"] = [
        {"name": each, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for each, content in parts.items()
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in {**parts, "manifest.json": json.dumps(manifest).encode()}.items():
            archive.writestr(each, content)
        archive.comment = b"0" * 64
    body = path.read_bytes()[:-64]
    path.write_bytes(body + hashlib.sha256(body).hexdigest().encode())
    return f"{name}, sealed again"


def table_targets() -> Iterator[Target]:
    """Tables of answers, in each format, by each method: imported, and scored without an audit."""
    for method, rows in samples.ROWS.items():
        for name, written in samples.FORMATS.items():
            yield Target(
                name=f"{name} of {method}",
                file=_writing(name, written(rows)),
                commands=_table_commands(method),
                some=1,
            )


def _table_commands(method: str) -> Callable[[Path, Path], Sequence[Argv]]:
    def commands(path: Path, out: Path) -> Sequence[Argv]:
        scores = out / ("scores.csv" if method == "gpf-livenews" else "scores")
        few = {"saged": ("--replicates", "9"), "relative-bias": ("--target", "a")}.get(method, ())
        brought = ("import", path, "--method", method, "-o", out / "a.gpf", "--no-scores")
        scored = ("score", path, "--method", method, "-o", scores, *few)
        return [brought, scored] if path.suffix in {".csv", ".jsonl"} else [brought]

    return commands


def source_targets() -> Iterator[Target]:
    for name, content in samples.SOURCES.items():
        yield Target(name=name, file=_writing(name, content), commands=lambda path, _: [("fetch", path, "--json")])


def text_targets() -> Iterator[Target]:
    for name, content in samples.TEXTS.items():
        yield Target(
            name=name,
            file=_writing(name, content),
            commands=lambda path, out: [("sentences", path, "--concept", "Velmora", "-o", out / "s.csv")],
        )


def settings_targets() -> Iterator[Target]:
    """What somebody writes by hand: plans, protocols, prices, maps, replacements, benchmarks."""
    for method, text in samples.PLANS.items():
        yield Target(
            name=f"a plan of {method}", file=_plan(text), commands=lambda path, _: [("plan", path, "--articles", "2")]
        )
    for method, content in samples.protocols().items():
        yield Target(
            name=f"a protocol of {method}",
            file=_writing("p.yaml", content),
            commands=lambda path, _, method=method: [("diff", path, path, "--method", method, "--json")],
        )
    yield Target(
        name="prices", file=_writing("prices.yaml", samples.prices()), commands=lambda path, _: [("prices", path)]
    )
    yield Target(name="a map", file=_map, commands=_mapped)
    yield Target(name="replacements", file=_replacements, commands=_benchmark)
    benchmark = [{name: row[name] for name in list(row)[:7]} for row in samples.PROMPTS]
    yield Target(
        name="a benchmark",
        file=_writing("b.csv", samples.as_csv(benchmark)),
        commands=lambda path, out: [
            ("benchmark", path, "-o", out / "made.csv"),
            ("benchmark", path, "-o", out / "made.yaml"),
        ],
    )


def _writing(name: str, content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content)
        return path

    return write


def _plan(text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "feed.xml").write_bytes(samples.SOURCES["feed.xml"])
        return _writing("plan.toml", text.encode())(folder)

    return write


def _map(folder: Path) -> Path:
    (folder / "t.csv").write_bytes(samples.as_csv(samples.NEWS))
    return _writing("map.toml", samples.MAP.encode())(folder)


def _mapped(path: Path, out: Path) -> Sequence[Argv]:
    return [("import", path.with_name("t.csv"), "--map", path, "-o", out / "a.gpf", "--no-scores")]


def _replacements(folder: Path) -> Path:
    rows = [
        {
            "concept": "Velmora",
            "keyword": "Velmora",
            "sentence": "In all of its long history Velmora was never known for its old harbours and ports.",
        }
    ]
    (folder / "s.csv").write_bytes(samples.as_csv(rows))
    return _writing("r.yaml", samples.REPLACEMENTS.encode())(folder)


def _benchmark(path: Path, out: Path) -> Sequence[Argv]:
    return [("benchmark", path.with_name("s.csv"), "--branch", path, "-o", out / "made.csv")]


def audit_target(name: str, audit: Path) -> Target:
    """*audit*, of which each target gets a copy."""
    return Target(name=name, file=_copying(audit), commands=_audit_commands, some=1, changed=audit_changed)


def _audit_commands(path: Path, out: Path) -> Sequence[Argv]:
    return (
        ("conclusions", path),
        ("report", path, "-o", out / "r.html"),
        ("tables", path, "-o", out / "tables", "--format", "csv"),
        ("export", path, "-o", out / "data", "--format", "csv"),
        ("assign", path, "--to", "Ada", "-o", out),
        ("assign", path),
        ("artifact", path, "-o", out / "a.zip"),
    )


def artifact_target(artifact: Path) -> Target:
    return Target(
        name="an artifact",
        file=_copying(artifact),
        commands=lambda path, out: [("open", path, "-o", out / "opened.gpf"), ("conclusions", out / "opened.gpf")],
        some=1,
        changed=resealed,
    )


def review_pack_target(audit: Path, pack: Path) -> Target:
    def commands(path: Path, out: Path) -> Sequence[Argv]:
        home = Path(shutil.copy(audit, out / "home.gpf"))
        return [("assign", home, "--home", path)]

    return Target(name="a review pack", file=_copying(pack), commands=commands)


def _copying(source: Path) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copy(source, folder / source.name))


def without_audits() -> Mapping[str, Target]:
    """By name, all that need nothing made before."""
    every = (*table_targets(), *source_targets(), *text_targets(), *settings_targets())
    return {target.name: target for target in every}
