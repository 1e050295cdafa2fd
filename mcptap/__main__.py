"""`python -m mcptap` is `mcptap`."""

from mcptap.cli import main

raise SystemExit(main())
