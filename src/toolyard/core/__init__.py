"""Pure building blocks: types, parsing, matching, metrics and statistics; nothing here does I/O."""
