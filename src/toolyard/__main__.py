"""`python -m toolyard` is `toolyard`."""

from toolyard.cli import main

main()
