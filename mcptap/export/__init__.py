"""Sessions made to be handed on: for a bug report, as a page, as a masked recording.

`session` reads one and chooses what of it is shown, `entry` is a record as it is shown, `markdown` and
`page` write it down, with the words of `told` and the escapes of `safe`. `copies` makes a recording without
secrets: `masked` masks its records, `choosing` applies a filter, `rejudged` compares the findings. `output`
puts what was made where it was asked for, whole or not at all.
"""
