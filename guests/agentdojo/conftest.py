"""The guest is tested from its folder, installed or not."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
