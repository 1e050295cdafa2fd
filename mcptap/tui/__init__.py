"""The screen: browse, watch and replay recordings in a terminal.

Models stand in modules that know no Textual (`index`, `indexer`, `feed`, `rows`, `playback`,
`filtering`, `searching`, `jsontree`, `hexdump`, `export`, `masking`, `text`); the widgets are thin.
"""
