"""The shim behind `mcptap run`: stands between client and server and changes nothing.

Two decisions shape this package; both were measured.

*Threads for the bytes, no event loop.* Each direction is a blocking thread on raw
descriptors that records a chunk and forwards it before it reads on. An event loop in the data path
costs two to four times the round trip and a third of the rate; a queue to a recording
thread loses what it holds when the process is killed. Blocking descriptors also work for
everything stdin can be (regular files can't be polled) and leave O_NONBLOCK, which is
shared with the other owners of a descriptor, alone. The main thread waits for signals
and for the child with `sigwaitinfo`, which tells who sent a signal; that leaves nothing for
trio to do here, and its import is ten times the start of a bare interpreter.

*Next to no imports, and the server first.* A client waits for every start. No argparse,
threading, dataclasses, typing; the modules of this package use those parts of
`mcptap.recording` that keep to the same rule (a test watches `sys.modules`). And what records
and forwards is imported while the server starts, not before.
"""
