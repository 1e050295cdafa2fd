"""The recording: what was on the wire, as a file. Specified in `recordings/README.md`."""
