"""The index under the name by which most tables import it."""

from toolyard.world.index import Index as Index
from toolyard.world.index import words as words
