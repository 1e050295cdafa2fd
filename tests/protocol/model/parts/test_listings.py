"""Lists page by page: what belongs to one walk, and what changed between two."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.parts import listings as module
from mcptap.protocol.model.parts.listings import Listing, Listings, Tool
from mcptap.protocol.model.request import Request


def page(*names, cursor=None, **members):
    return {
        "tools": [{"name": n} for n in names],
        **({} if cursor is None else {"nextCursor": cursor}),
        **members,
    }


def listed(*pages):
    """A list of tools after pages, each with the cursor that it was asked with."""
    listing = Listing("tools/list")
    for number, (cursor, result) in enumerate(pages, 2):
        listing.take_request(cursor)
        listing.take(cursor, result, number)
    return listing


def test_a_walk_is_complete_once_a_page_has_no_cursor():
    listing = listed((None, page("a", cursor="2")))
    assert (listing.newest, listing.walk.waiting) == (None, "2")
    listing.take("2", page("b"), 9)
    assert listing.newest is listing.walk
    assert (listing.walk.names, listing.walk.pages, listing.walk.complete) == ({"a": 2, "b": 9}, 2, True)


def test_an_empty_cursor_is_a_cursor():
    listing = listed((None, page("a", cursor="")), ("", page("b")))
    assert (listing.walk.pages, listing.walk.complete) == (2, True)


def test_two_walks_side_by_side_stay_apart():
    listing = listed(
        (None, page("a", cursor="x2")), (None, page("b", cursor="y2")), ("x2", page("c")), ("y2", page("d"))
    )
    assert listing.newest.names.keys() == {"b", "d"}


def test_a_page_that_is_read_again_says_nothing_new():
    listing = listed((None, page("a", cursor="2")), ("2", page("b", cursor="3")))
    assert not listing.take("2", page("b", cursor="3"), 9)
    assert listing.walk.pages == 2
    assert listing.answered == 3


def test_a_cursor_that_leads_back_is_a_loop_and_a_name_that_comes_twice_is_repeated():
    listing = listed((None, page("a", cursor="2")), ("2", page("b", "a", cursor="2")))
    assert listing.looped
    assert listing.walk.repeated == ["a"]


def test_a_cursor_is_known_if_a_page_gave_it_as_long_as_not_too_many_were_given(monkeypatch):
    monkeypatch.setattr(module, "MAX_CURSORS", 2)
    listing = listed((None, page("a", cursor="2")))
    assert listing.take_request("2")
    assert listing.take_request(None)
    assert not listing.take_request("other")
    listing.take("2", page("b", cursor="3"), 9)
    assert listing.take_request("other")


def test_other_names_without_a_word_are_unannounced_and_another_order_is_told_apart():
    listing = listed((None, page("a", "b")), (None, page("b", "a")))
    assert (listing.unannounced, listing.reordered) == (False, True)
    listing.take(None, page("b", "c"), 8)
    assert (listing.unannounced, listing.reordered) == (True, False)
    listing.note_change(7)
    listing.take(None, page("d"), 9)
    assert (listing.unannounced, listing.changed, listing.changed_at) == (False, False, 7)


def test_pages_of_one_walk_may_differ_in_their_scope():
    listing = listed(
        (None, page("a", cursor="2", cacheScope="public")), ("2", page("b", cacheScope="private"))
    )
    assert listing.walk.scope_changed


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=3), min_size=1, max_size=5))
def test_a_walk_holds_the_names_of_all_its_pages_in_their_order(pages):
    cursors = [None, *map(str, range(1, len(pages)))]
    listing = listed(*(
        (cursor, page(*names, cursor=following))
        for cursor, names, following in zip(cursors, pages, [*cursors[1:], None], strict=True)
    ))  # fmt: skip
    assert list(listing.newest.names) == list(dict.fromkeys(name for names in pages for name in names))


def take(listings, items, number=2, method="tools/list"):
    key = {"tools/list": "tools", "prompts/list": "prompts"}[method]
    listings.take(Request("c2s", number, method, number, 0), {key: items}, number)


def test_a_tool_that_is_listed_again_as_it_was_is_the_same_and_keeps_its_calls():
    listings = Listings()
    take(listings, [{"name": "a"}])
    first = listings.tools["a"]
    listings.take_call("a")
    listings.take_call("unknown")
    take(listings, [{"name": "a"}], 5)
    assert listings.tools["a"] is first
    take(listings, [{"name": "a", "description": "new"}, None, {"name": 3}], 7)
    assert (listings.tools["a"].description, listings.tools["a"].calls, listings.tools["a"].record) == (
        "new",
        1,
        7,
    )
    assert listings.tools.keys() == {"a"}


def test_a_prompt_is_known_by_its_required_arguments():
    listings = Listings()
    arguments = [{"name": "a", "required": True}, {"name": "b"}, {"required": True}, None]
    take(
        listings,
        [{"name": "p", "arguments": arguments}, {"name": "q", "arguments": "x"}],
        method="prompts/list",
    )
    assert listings.prompt_arguments == {"p": ("a",), "q": ()}


def test_what_a_tool_has_is_read_from_its_definition_whatever_it_is():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    tool = Tool("t", {"name": "t", "inputSchema": schema, "execution": {"taskSupport": "required"}}, 2)
    assert (tool.parameters, tool.task_support, tool.output_schema) == ({"a"}, "required", None)
    odd = Tool("t", {"description": 3, "inputSchema": [], "outputSchema": 1, "execution": []}, 2)
    assert (odd.description, odd.input_schema, odd.output_schema) == ("", None, None)
    assert (odd.task_support, odd.parameters) == ("forbidden", None)


def test_a_schema_that_may_mean_other_parameters_names_none_for_sure():
    closed = {"type": "object", "properties": {"a": {}}}
    for more in (
        {"additionalProperties": True},
        {"allOf": []},
        {"patternProperties": {}},
        {"properties": {}},
    ):
        assert Tool("t", {"inputSchema": {**closed, **more}}, 2).parameters is None


def test_another_tool_that_answers_the_same_question_in_other_words_is_told(monkeypatch):
    monkeypatch.setattr(module, "MAX_ANSWERS", 2)
    listings = Listings()
    question = ("arguments", "same")
    assert listings.take_tool_answer(question, "a", "yes", 2) is None
    assert listings.take_tool_answer(question, "a", "no", 3) is None
    assert listings.take_tool_answer(question, "b", "yes", 4) is None
    assert listings.take_tool_answer(question, "b", "no", 5).number == 2
    for n in range(2):
        listings.take_tool_answer((n, ""), "c", "x", 6)
    assert listings.take_tool_answer(question, "b", "no", 9) is None


def test_of_a_very_long_list_the_first_entries_are_kept_and_nothing_is_called_missing(monkeypatch):
    monkeypatch.setattr(module, "MAX_LISTED", 2)
    listings = Listings()
    request = Request("c2s", 1, "tools/list", 2, 0)
    listings.take(request, page("a", "b", "c", cursor="2"), 3)
    request.params = {"cursor": "2"}
    listings.take(request, page("d"), 5)
    listing = listings.of["tools/list"]
    assert (list(listings.tools), list(listing.walk.names), listings.is_cut) == (["a", "b"], ["a", "b"], True)
    assert (listing.walk.complete, listing.newest) == (True, None)


def test_of_very_large_definitions_the_first_are_kept(monkeypatch):
    monkeypatch.setattr(module, "MAX_DEFINITIONS", 100)
    listings = Listings()
    large = {"tools": [{"name": name, "description": "x" * 60} for name in "ab"]}
    for number in (3, 5):
        listings.take(Request("c2s", number, "tools/list", number, 0), large, number + 1)
    assert (list(listings.tools), listings.is_cut) == (["a"], True)
