"""Results as JUnit XML."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.report.formats.junit import LONGEST, lines, write
from mcptap.report.suites import Case, Suite, Suites
from mcptap.text.terminal import Terminal
from tests.report.samples import results

PIPE = Terminal(io.StringIO(), {})


def document(suites: Suites) -> ElementTree.Element:
    return ElementTree.fromstring("\n".join(lines(suites)).encode())


def test_a_check_is_a_suite_a_file_and_a_case_a_finding():
    root = ElementTree.fromstring("\n".join(write(results(unusable=True), PIPE)))
    counts = {"tests": "4", "failures": "2", "errors": "1", "skipped": "0"}
    assert root.attrib == {"name": "mcptap", **counts}
    first, second = root
    assert (first.get("name"), second.get("name")) == ("a/x.jsonl", "b.jsonl")
    undeclared, folder, crlf = first
    assert (undeclared.get("file"), undeclared.get("line")) == ("a/x.jsonl", "3")
    failure = undeclared.find("failure")
    assert failure is not None
    assert failure.get("type") == "capability-undeclared-tools"
    assert failure.get("message") == 'The server answers tools/list but does not declare "tools".'
    assert failure.text is not None
    assert failure.text.endswith("TypeScript 2.x clients never ask.\nDeclare capabilities.tools.")
    assert folder.get("line") is None
    assert crlf.find("failure") is None
    assert "100%: fine" in (crlf.findtext("system-out") or "")
    assert second[0].find("error") is not None


def test_what_passes_and_what_was_not_asked_are_cases_too():
    root = document(
        Suites([Suite("s", [Case("ping", words="answered"), Case("call", skipped="it may act")])])
    )
    assert root.attrib == {"name": "mcptap", "tests": "2", "failures": "0", "errors": "0", "skipped": "1"}
    ping, call = root[0]
    assert ping.findtext("system-out") == "answered"
    skipped = call.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "it may act"


def test_several_findings_of_one_case_are_one_failure():
    found = [Finding("a", Level.INFO, None, "odd"), *(Finding("b", Level.ERROR, n, f"{n}") for n in (4, 5))]
    root = document(Suites([Suite("s", [Case("list", found, "x")])]))
    assert root.get("failures") == "1"
    assert [failure.text for failure in root.iter("failure")] == ["4\n5"]
    assert root.findtext(".//system-out") == "odd"


@given(st.text(), st.text(), st.text())
@settings(max_examples=50)
def test_any_text_is_well_formed_and_drives_no_terminal(name, message, path):
    found = Finding(message, Level.ERROR, 1, message, message, message)
    suites = Suites(
        [Suite(name, [Case(name, (found,), path, words=message), Case(name, skipped=message)], message)]
    )
    text = "\n".join(lines(suites))
    ElementTree.fromstring(text.encode())
    assert "\x1b" not in text


def test_what_xml_cannot_hold_is_written_out():
    [case] = document(Suites([Suite("s", [Case("\ufffe\uffff\x00<&>\"'")])])).iter("testcase")
    assert case.get("name") == "<U+FFFE><U+FFFF>␀<&>\"'"


def test_a_text_without_end_is_cut_since_parsers_refuse_it_and_all_with_it():
    found = Finding("x", Level.ERROR, None, "m" * (3 * LONGEST), "c" * (3 * LONGEST))
    root = document(Suites([Suite("s", [Case("n" * (3 * LONGEST), (found,), words="w" * (3 * LONGEST))])]))
    texts = [text for one in root.iter() for text in (one.text or "", *one.attrib.values())]
    assert max(map(len, texts)) < 2 * (LONGEST + 100)
    assert "and 100,000 characters more" in root.find(".//failure").get("message")
