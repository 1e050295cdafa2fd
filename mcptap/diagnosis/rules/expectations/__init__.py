"""The rules that judge what the user expects of a session, besides what the protocol does."""
