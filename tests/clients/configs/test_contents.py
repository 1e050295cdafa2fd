"""What stands in a file: every sample, by its note, and files in which something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.clients.configs.contents import ConfigContents, Trouble, contents_of, entries_of, hidden_by
from mcptap.clients.configs.entry import Obstacle, ServerEntry
from mcptap.clients.configs.find import FoundConfig, Surroundings, config_files
from mcptap.clients.configs.given import given
from mcptap.clients.configuration import ConfigFile, Transport
from mcptap.clients.table import CLIENTS

SAMPLES = Path(__file__).parent / "samples"
NOTES = sorted(SAMPLES.rglob("*.expected.json"))
AROUND = Surroundings(Path("/home/sam"), Path("/home/sam/shop"), {}, "linux")
IDS = {"gemini": "gemini-cli", "claude-code or visual-studio": "claude-code"}
TRANSPORTS = {"unclear": "unknown"}


def sample(note: Path) -> ConfigContents:
    return entries_of(given(Path(str(note).removesuffix(".expected.json")), None, AROUND))


def pointer(entry: ServerEntry) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in entry.where)


def places(entry: ServerEntry) -> set[str]:
    """A place as notes spell it: JSON pointer, dotted path, or with an index."""
    words = [str(step) if str(step).replace("_", "").isalnum() else json.dumps(step) for step in entry.where]
    listed = f"{entry.where[0]}[{entry.where[-1]}]"
    return {pointer(entry), f"{pointer(entry)} (second)", ".".join(words), listed}


def state(entry: ServerEntry) -> str:
    words = {0: "plain", 1: "wrapped", 2: "wrapped twice"}
    return words[entry.layers] if entry.transport is Transport.STDIO else "not wrappable"


@pytest.mark.parametrize("note", NOTES, ids=[note.parent.name for note in NOTES])
def test_a_sample_holds_what_its_note_says(note):
    told = json.loads(note.read_text())
    if told["client"] in ("goose", "continue"):
        pytest.importorskip("yaml")
    read = sample(note)
    assert read.found.client.id == IDS.get(told["client"], told["client"])
    expected = told["list"] if isinstance(told["list"], list) else []
    entries = [entry for entry in read.entries if entry.counts]
    if "20-" in str(note):
        entries.reverse()
    assert len(entries) == len(expected)
    for entry, one in zip(entries, expected, strict=True):
        assert entry.name == one["server"]
        assert one["where"] in places(entry)
        assert entry.transport.value == TRANSPORTS.get(one["transport"], one["transport"])
        assert state(entry) == one["state"]
        assert entry.disabled == any(word in one.get("note", "") for word in ("disabled", "excluded"))
        assert bool(entry.command) == (entry.transport is Transport.STDIO)


@pytest.mark.parametrize("note", NOTES, ids=[note.parent.name for note in NOTES])
def test_the_bytes_of_command_and_arguments_are_their_values(note):
    if note.parent.name[:2] in ("13", "14"):
        pytest.importorskip("yaml")
    read = sample(note)
    for entry in read.entries:
        if entry.command_node is not None:
            spelled = read.document.data[entry.command_node.start : entry.command_node.end].decode()
            assert entry.command.replace("\\", "") in spelled.replace("\\", "")
        if entry.args_node is not None:
            spelled = read.document.data[entry.args_node.start : entry.args_node.end].decode()
            assert all(word.replace("\\", "") in spelled.replace("\\", "") for word in entry.args)


def read(text: str, client: str = "claude-code", scope: str = "project") -> ConfigContents:
    files = CLIENTS[client].configuration.files.value
    index = next(i for i, file in enumerate(files) if file.scope == scope)
    found = FoundConfig(CLIENTS[client], Path("/x/config"), (files[index],), True, ((index, 0),))
    return contents_of(found, text.encode())


def told(contents: ConfigContents) -> list[tuple[Trouble, str, int, int]]:
    return [(one.trouble, one.sentence, one.line, one.column) for one in contents.problems]


def test_what_is_wrong_with_a_file_is_told_with_its_place():
    assert told(read('{"mcpServers": {')) == [
        (
            Trouble.UNREADABLE,
            "it is no JSON: expecting property name enclosed in double quotes",
            1,
            17,
        )
    ]
    assert told(read('{\n  // one\n  "mcpServers": {}\n}')) == [
        (Trouble.SYNTAX, "it has a comment, and Claude Code reads JSON without comments", 2, 3)
    ]
    assert told(read("")) == [(Trouble.EMPTY, "there is nothing in it", 0, 0)]
    assert told(read("[]")) == [(Trouble.SHAPE, "its outermost value is no object", 1, 1)]
    assert told(read('{"mcpServers": []}')) == [
        (Trouble.SHAPE, "mcpServers is no object, so Claude Code finds no servers in it", 1, 16)
    ]


def test_servers_under_another_clients_key_are_told_and_other_words_are_not():
    wrong = read('{"servers": {"a": {"command": "a"}}}')
    assert told(wrong) == [
        (
            Trouble.WRONG_KEY,
            "its servers stand under servers, as Visual Studio and VS Code have them; "
            "Claude Code reads mcpServers",
            1,
            13,
        )
    ]
    assert told(read('{"extensions": {"a": {"enabled": true}}, "servers": 3}')) == []
    assert told(read('{"amp.mcpServers": {"a": {"url": "u"}}}'))[0][0] is Trouble.WRONG_KEY


def test_an_entry_that_is_none_does_not_hide_the_others():
    entries = read('{"mcpServers": {"a": null, "b": {"command": "b"}, "": {"command": "c"}}}').entries
    assert [(entry.name, entry.obstacle) for entry in entries] == [
        ("a", Obstacle.NO_OBJECT),
        ("b", Obstacle.NONE),
        ("", Obstacle.NONE),
    ]


def test_a_server_of_opencode_that_is_called_servers_is_one():
    text = '{"mcp": {"servers": {"type": "local", "command": ["a"]}, "timeout": 3}}'
    assert [entry.name for entry in read(text, "opencode").entries] == ["servers"]


def test_what_hangs_on_an_anchor_can_not_be_changed():
    pytest.importorskip("yaml")
    text = (
        "extensions:\n  a: &x {type: stdio, cmd: a}\n  b: *x\n  c: {type: stdio, cmd: c}\n"
        "  d:\n    <<: *x\n    type: stdio\n    cmd: d\n"
    )
    obstacles = [entry.obstacle for entry in read(text, "goose", "user").entries]
    assert obstacles == [Obstacle.REFERENCE, Obstacle.REFERENCE, Obstacle.NONE, Obstacle.REFERENCE]
    around = "extensions: &all\n  c: {type: stdio, cmd: c}\nother: *all\n"
    assert [entry.obstacle for entry in read(around, "goose", "user").entries] == [Obstacle.REFERENCE]


def test_a_file_that_is_not_there_holds_nothing(tmp_path):
    file = ConfigFile("user", "~/x.json")
    empty = entries_of(FoundConfig(CLIENTS["cursor"], tmp_path / "x.json", (file,), False, ((0, 0),)))
    assert (empty.document, empty.entries, empty.problems) == (None, (), ())


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").symlink_to(tmp_path / "gone")
    found = config_files(CLIENTS["claude-code"], tmp_path, tmp_path, {}, "linux")
    link = next(one for one in found if one.path == tmp_path / ".mcp.json")
    assert link.exists
    assert told(entries_of(link)) == [(Trouble.UNREADABLE, "it is a link that leads nowhere", 0, 0)]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def servers(*names: str) -> str:
    return json.dumps({"mcpServers": {name: {"command": name} for name in names}})


def test_the_nearest_scope_wins_and_local_before_project_before_user(tmp_path):
    home, shop = tmp_path / "home", tmp_path / "home" / "shop"
    user = json.loads(servers("a", "b", "c"))
    user["projects"] = {
        str(shop): json.loads(servers("a")),
        "/elsewhere": json.loads(servers("b", "c")),
    }
    write(home / ".claude.json", json.dumps(user))
    write(home / ".mcp.json", servers("b"))
    write(shop / ".mcp.json", servers("a", "b"))
    found = config_files(CLIENTS["claude-code"], home, shop, {}, "linux")
    entries = [entry for one in found for entry in entries_of(one).entries]
    assert len(entries) == 9
    hidden = hidden_by(entries, str(shop))
    winners = {(entry.name, pointer(entry), entry.file.parent.name) for entry in set(hidden.values())}
    assert winners == {
        ("a", "/projects/" + str(shop).replace("/", "~1") + "/mcpServers/a", "home"),
        ("b", "/mcpServers/b", "shop"),
    }
    assert len(hidden) == 4


def test_where_it_is_not_known_who_wins_nobody_does(tmp_path):
    write(tmp_path / "home" / ".junie/mcp/mcp.json", servers("a"))
    write(tmp_path / "work" / ".junie/mcp/mcp.json", servers("a"))
    found = config_files(CLIENTS["junie"], tmp_path / "home", tmp_path / "work", {}, "linux")
    entries = [entry for one in found for entry in entries_of(one).entries]
    assert len(entries) == 2
    assert hidden_by(entries, str(tmp_path / "work")) == {}


def test_of_two_in_one_object_the_last_counts():
    first, last = read('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}').entries
    assert hidden_by([first, last], "/x") == {first: last}


def test_the_samples_came_with_their_bytes():
    desktop = (SAMPLES / "03-claude-desktop-windows" / "claude_desktop_config.json").read_bytes()
    assert desktop.startswith(b"\xef\xbb\xbf{\r\n")
