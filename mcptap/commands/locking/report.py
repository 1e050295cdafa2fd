"""What is not as it was approved, for `mcptap lock` itself."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.masking.masker import Masker
from mcptap.protocol.contract.items import Class
from mcptap.protocol.contract.judgement import Comparison
from mcptap.protocol.contract.lock import LockedServer
from mcptap.protocol.contract.wording import CLASS_WORDS, changes_of, item_of
from mcptap.text.escape import visible
from mcptap.text.units import counted


def difference_lines(
    compared: Comparison, now: LockedServer, path: str, masker: Masker | None
) -> Iterator[str]:
    """The report, line by line; `masker` hides secrets in what is quoted."""
    before = compared.server
    assert before is not None
    if not compared.differences and not compared.added:
        yield f"{before.name} is just as it was approved in {path}."
    else:
        version = (
            f" (version {before.version} then, {now.version} now)" if before.version != now.version else ""
        )
        yield visible(f"{before.name} is not as it was approved in {path}{version}:")
    for cls in Class:
        for one in compared.differences:
            if one.cls is cls:
                words = f"  {CLASS_WORDS[cls]:16}  {item_of(one)}"
                told = changes_of(one)
                line = f"{words}: {told}" if told else words
                yield visible(line if masker is None else masker.text(line))
    for name in compared.added:
        yield visible(f"  {CLASS_WORDS[Class.NEW]:16}  {name}, which may hang on what the client declares")
    if compared.differences and before.tokens != now.tokens:
        yield f"Its tools cost about {now.tokens:,} tokens in each conversation, {before.tokens:,} before."
    if compared.differences or compared.added:
        count = len(compared.differences) + len(compared.added)
        yield f"Nothing is written; {counted(count, 'difference')}. --update approves all, --update TOOL one."
