"""What can be done on the screen of one recording: a controller for each purpose, which owns its state.

A controller gets the widgets that it works on, and tells the screen of changes by a callback.
"""
