"""The hard pairs: longer chains, lists of 20 to 80 tools, a step missing in the middle beside a tool that only seems to do it."""
