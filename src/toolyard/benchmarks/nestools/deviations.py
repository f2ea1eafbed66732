"""Where the released evaluator and the paper's text differ, and by how much on the 1,000 official records.

Sizes are those of a gold answer changed in one way only; a test measures them again.
"""

from __future__ import annotations

from toolyard.core.benchmark import Deviation

DEVIATIONS = ()
