"""What is not as it was approved, in words."""

from mcptap.protocol.contract.items import TOOL, Class, ItemChange
from mcptap.protocol.contract.judgement import Difference
from mcptap.protocol.contract.wording import changes_of, item_of


def test_words_are_told_as_a_diff_and_a_rug_pull_is_named():
    change = ItemChange(Class.WORDS, ("description",), "other words", "Adds.", "Adds all.")
    one = Difference(TOOL, "add", Class.WORDS, (change,), 5, True, "1.0")
    assert item_of(one) == 'tool "add"'
    assert changes_of(one) == (
        "description: Adds{+ all+}.; "
        "its version is still 1.0: other words under the same version are called a rug pull"
    )


def test_a_breach_is_told_with_its_place_and_the_rest_is_counted():
    changes = tuple(ItemChange(Class.BROKEN, ("inputSchema", f"{i}"), f"it breaks {i}") for i in range(6))
    told = changes_of(Difference(TOOL, "add", Class.BROKEN, changes))
    assert told.startswith("it breaks 0 (inputSchema.0); ")
    assert told.endswith("; and 2 more")
    assert item_of(Difference("instructions", "", Class.WORDS)) == "the instructions"
