"""The screen: browse, watch and replay recordings in a terminal.

`index` knows records, `session` shows one recording, `recordings` lists all, `compare` sets two side by
side, `runs` puts those of one client on one timeline, `run` starts servers once more, `export` takes
records out, `widgets` knows nothing of MCP. What can be told without Textual stands in modules without
it: `index`, `session.tabs`, `session.playback`, `recordings.collection`, `runs.merged`.
"""
