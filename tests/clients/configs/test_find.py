"""Where configurations lie: by system, by folder, and by what the environment says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.clients.configs.find import config_files, is_there, local_folder
from mcptap.clients.configuration import Syntax
from mcptap.clients.table import CLIENTS

HOME = Path("/home/sam")
SHOP = HOME / "shop"


def paths(
    client: str, environ=None, platform: str = "linux", home: Path = HOME, cwd: Path = SHOP
) -> list[str]:
    found = config_files(CLIENTS[client], home, cwd, environ or {}, platform)
    return [str(one.path) for one in found]


def test_a_file_of_two_scopes_is_one_file():
    found = config_files(CLIENTS["claude-code"], HOME, SHOP, {}, "linux")
    assert [(one.scope, str(one.path)) for one in found] == [
        ("user and local", "/home/sam/.claude.json"),
        ("project", "/home/.mcp.json"),
        ("project", "/home/sam/.mcp.json"),
        ("project", "/home/sam/shop/.mcp.json"),
    ]
    assert [one.shared for one in found] == [False, True, True, True]
    assert found[3].ranks > found[2].ranks


@pytest.mark.parametrize(
    ("client", "environ", "path"),
    [
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/etc/cc"}, "/etc/cc/.claude.json"),
        ("codex", {"CODEX_HOME": "/cx"}, "/cx/config.toml"),
        ("cline", {"CLINE_MCP_SETTINGS_PATH": "/c/l.json"}, "/c/l.json"),
        ("cline", {"CLINE_MCP_SETTINGS_PATH": "l.json"}, "/home/sam/shop/l.json"),
        ("opencode", {"OPENCODE_CONFIG": "/oc.json"}, "/oc.json"),
        ("opencode", {"XDG_CONFIG_HOME": "/xdg"}, "/xdg/opencode/opencode.jsonc"),
        ("zed", {"XDG_CONFIG_HOME": "/xdg"}, "/xdg/zed/settings.json"),
        ("claude-desktop", {"XDG_CONFIG_HOME": "/xdg"}, "/xdg/Claude/claude_desktop_config.json"),
        ("codex", {"CODEX_HOME": ""}, "/home/sam/.codex/config.toml"),
    ],
)
def test_the_environment_may_move_a_file(client, environ, path):
    assert path in paths(client, environ)
    if any(environ.values()):
        assert path not in paths(client)


@pytest.mark.parametrize(
    ("platform", "environ", "path"),
    [
        ("linux", {}, "/home/sam/.config/Claude/claude_desktop_config.json"),
        ("darwin", {}, "/home/sam/Library/Application Support/Claude/claude_desktop_config.json"),
        (
            "darwin",
            {"XDG_CONFIG_HOME": "/x"},
            "/home/sam/Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/Claude/claude_desktop_config.json"),
        ("win32", {}, "/home/sam/AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_each_system_has_its_folders(platform, environ, path):
    assert paths("claude-desktop", environ, platform) == [path]


def test_a_client_of_one_system_has_no_files_on_another():
    assert paths("visual-studio") == []
    assert paths("visual-studio", platform="win32") == ["/home/sam/.mcp.json", "/home/sam/shop/.mcp.json"]


def test_parents_count_up_to_the_root_of_the_repository(tmp_path):
    inner = tmp_path / "repository" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    found = [path for path in paths("copilot-cli", cwd=inner) if path.endswith("/.mcp.json")]
    top = tmp_path / "repository"
    assert found == [str(folder / ".mcp.json") for folder in (top, top / "a", inner)]


def test_opencode_reads_two_names_in_every_folder_and_its_own_folders_the_other_way_round(tmp_path):
    inner = tmp_path / "repository" / "a"
    inner.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    top = tmp_path / "repository"
    assert paths("opencode", cwd=inner)[2:] == [
        *(str(folder / name) for folder in (top, inner) for name in ("opencode.json", "opencode.jsonc")),
        *(
            str(folder / ".opencode" / name)
            for folder in (inner, top)
            for name in ("opencode.json", "opencode.jsonc")
        ),
        "/home/sam/.opencode/opencode.json",
        "/home/sam/.opencode/opencode.jsonc",
    ]


def test_local_scope_is_that_of_the_main_folder_of_a_repository(tmp_path):
    plain, main, tree, part = (tmp_path / name for name in ("plain", "main", "tree", "main/part"))
    for folder in (plain, main / ".git" / "worktrees" / "tree", tree / "inner", part):
        folder.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n")
    (part / ".git").write_text("gitdir: ../.git/modules/part\n")
    assert local_folder(plain) == plain
    assert local_folder(main / ".git") == main
    assert local_folder(tree / "inner") == main
    assert local_folder(part) == part


def test_without_a_repository_only_the_folder_itself_counts(tmp_path):
    inner = tmp_path / "a"
    inner.mkdir()
    assert [path for path in paths("copilot-cli", cwd=inner) if ".mcp.json" in path] == [
        str(inner / ".mcp.json")
    ]


def test_in_the_home_folder_a_file_is_that_of_the_user(tmp_path):
    found = config_files(CLIENTS["cursor"], tmp_path, tmp_path, {}, "linux")
    assert [(one.scope, one.path) for one in found] == [("user", tmp_path / ".cursor" / "mcp.json")]


def test_any_name_means_those_that_are_there(tmp_path):
    blocks = tmp_path / ".continue" / "mcpServers"
    blocks.mkdir(parents=True)
    for name in ("b.yaml", "a.yaml", "c.json", "d.txt"):
        (blocks / name).touch()
    found = config_files(CLIENTS["continue"], HOME, tmp_path, {}, "linux")
    assert [(one.path.name, one.syntax) for one in found if one.exists] == [
        ("a.yaml", Syntax.YAML),
        ("b.yaml", Syntax.YAML),
        ("c.json", Syntax.JSONC),
    ]


def test_any_folder_means_those_that_are_there(tmp_path):
    for profile in ("b1", "a2"):
        folder = tmp_path / ".config" / "Code" / "User" / "profiles" / profile
        folder.mkdir(parents=True)
        (folder / "mcp.json").touch()
    found = config_files(CLIENTS["vscode"], tmp_path, SHOP, {}, "linux")
    profiles = [one for one in found if one.scope == "profile"]
    assert [one.path.parent.name for one in profiles] == ["a2", "b1"]
    assert not any(one.shared for one in profiles)


def test_clients_that_share_all_their_files_are_found_once(tmp_path):
    found = config_files(None, tmp_path, tmp_path, {}, "linux")
    assert {one.client.id for one in found} >= {"claude-code", "codex", "cline", "vscode", "goose", "warp"}
    assert "cline-cli" not in {one.client.id for one in found}
    assert paths("cline-cli") == paths("cline")
    assert not any(one.exists for one in found if one.path.is_relative_to(tmp_path))


def test_a_star_in_the_name_of_a_folder_is_no_pattern(tmp_path: Path) -> None:
    for name in ("w*d", "word"):
        (tmp_path / name / ".continue" / "mcpServers").mkdir(parents=True)
        (tmp_path / name / ".continue" / "mcpServers" / "a.yaml").touch()
    found = paths("continue", home=tmp_path / "w*d", cwd=tmp_path / "w*d")
    assert [path for path in found if path.endswith("a.yaml")] == [
        str(tmp_path / "w*d" / ".continue" / "mcpServers" / "a.yaml")
    ]
    assert str(tmp_path / "w*d" / ".mcp.json") in paths("claude-code", cwd=tmp_path / "w*d")


def test_a_link_is_there_wherever_it_leads_and_a_name_that_can_be_none_is_not(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    assert is_there(link)
    assert not is_there(tmp_path / "none")
    assert not is_there(link / "inside")
    assert not is_there(tmp_path / ("x" * 5000))
    assert not is_there(Path("nul\0"))
