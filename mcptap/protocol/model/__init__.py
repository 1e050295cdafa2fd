"""The model of one session, fed item by item: messages, requests, listings, process. No I/O."""
