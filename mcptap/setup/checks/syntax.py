"""Whether the client can read the file at all."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.clients.configs.contents import Trouble
from mcptap.clients.configs.document import NOT_OPENED, read_document
from mcptap.clients.configs.nodes import BOM, Document, UnreadableDocument
from mcptap.clients.configs.yaml_nodes import WITHOUT_PACKAGE
from mcptap.clients.facts import UNKNOWN, Confidence
from mcptap.setup.doctor.check import ERROR, INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Fix, does
from mcptap.setup.doctor.subject import ExaminedFile
from mcptap.setup.edits import Edit, applied

DOUBTFUL = (Confidence.MEDIUM, Confidence.LOW)
MOST_COMMAS = 1000


@check("file-unreadable", ERROR, About.FILE, "the file can't be read, or has another shape")
def unreadable(file: ExaminedFile) -> Iterator[Said]:
    for problem in file.contents.problems:
        if problem.trouble not in (Trouble.UNREADABLE, Trouble.SHAPE):
            continue
        if problem.sentence == WITHOUT_PACKAGE:
            yield Said(
                f"What stands in the file was not looked at: {problem.sentence}",
                remedy="Install the package, and ask again",
                level=INFO,
            )
            continue
        encoding = "UTF-" in problem.sentence
        what = (
            "The file can't be read"
            if problem.trouble is Trouble.UNREADABLE
            else "The file has another shape"
        )
        closed = problem.sentence.startswith(NOT_OPENED)
        yield Said(
            f"The file{problem.sentence[2:]}" if closed else f"{what}: {problem.sentence}",
            does(file.client, UNKNOWN if closed else file.client.habits.unreadable, "such a file"),
            "Save it as UTF-8" if encoding else "Mend it at this place" if problem.line else "",
            line=problem.line,
            column=problem.column,
        )


@check("syntax-not-allowed", ERROR, About.FILE, "a comment or a trailing comma where the client takes none")
def not_allowed(file: ExaminedFile) -> Iterator[Said]:
    document = file.document
    if document is None:
        return
    syntax = file.client.configuration.syntax
    for violation in document.violations:
        comma = "comma" in violation.what
        certain = syntax.confidence not in DOUBTFUL
        effect = does(file.client, file.client.habits.unreadable, "it")
        yield Said(
            f"There is {violation.what}, which is no JSON",
            effect,
            f"Take {'the comma' if comma else 'the comment'} out",
            at=violation.offset,
            level=None if certain else WARNING,
            fix=_without_commas(document) if comma and len(document.violations) == 1 else None,
        )


def _without_commas(document: Document) -> Fix | None:
    """The edits that take all trailing commas out of a document that has nothing else wrong with it."""
    data = document.data
    edits: list[Edit] = []
    for _ in range(MOST_COMMAS):
        try:
            read = read_document(applied(data, edits), document.syntax)
        except UnreadableDocument:
            return None
        if not read.violations:
            return Fix("takes the commas behind last values out", tuple(edits))
        # A comma becomes a space first, so that places stay what they are; at last it is left out.
        offset = read.violations[0].offset
        edits.append(Edit(offset, offset + 1, b" "))
    return None


@check("file-empty", INFO, About.FILE, "the file is empty")
def empty(file: ExaminedFile) -> Iterator[Said]:
    document = file.document
    if document is not None and document.root is None and not document.data.removeprefix(BOM).strip():
        yield Said(
            "The file is empty; clients differ in what they do with such a file",
            does(file.client, file.client.habits.empty_file, "it"),
        )
