from tests.tui.session.tabs.pages import tab, text_of, view_of


def test_the_message_stands_above_its_answer(feed):
    text = text_of(tab("message").render(view_of(feed)))
    assert text.index('"city": "Ulm"') < text.index("sunny")
