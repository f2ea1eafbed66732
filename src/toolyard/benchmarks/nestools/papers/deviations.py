"""Where the released evaluator and the paper's text differ, and by how much on the 1,000 official records.

A size is what the gold answers score after one change to all of them; a test measures each again.
"""

from __future__ import annotations

from toolyard.core.benchmark import Deviation

DEVIATIONS = (
    Deviation(
        figure="format",
        paper="thinking is removed and a code fence opened before the calls are read",
        official="everything from the first [ to the last ], so that any other bracket spoils the answer",
        size="draft in a thinking block: format 0.0000 official, 1.0000 paper",
    ),
    Deviation(
        figure="selection",
        paper='tools by name, or by id where a call has no name; 9031 and "9031" are one id',
        official="tools by id alone, by Python's equality; names are never read",
        size="ids as text: selection_f1 0.0000 official, 1.0000 paper",
    ),
    Deviation(
        figure="selection",
        paper="a name that is not offered is a hallucinated tool and stands for no gold call, whatever its id",
        official="names are never read, so that an invented name with the right id is right",
        size="invented names: selection_f1 1.0000 official, 0.0000 paper",
    ),
    Deviation(
        figure="parameter",
        paper="a value is right or wrong: typed, blind to case, spacing and date format",
        official="strings earn ROUGE-L, lists and mappings the mean of their parts",
        size="one word more in each string: parameter_f1 0.8717 official, 0.5133 paper",
    ),
    Deviation(
        figure="tree",
        paper="a string that differs in case or date format only is right",
        official="such a string earns 0.999999995, and one of them fails the record",
        size="strings in upper case: tree 0.0710 official, 1.0000 paper",
    ),
    Deviation(
        figure="nested",
        paper="labels inside lists and texts are resolved like all others",
        official="a list of labels must repeat the gold numbers (7 parameters)",
        size="labels renumbered: nested_f1 0.9960 official, 1.0000 paper",
    ),
    Deviation(
        figure="nested",
        paper="a return value is known by its declared name, by its place where names are not declared",
        official="a return value is known by its place in the answer's responses",
        size="return values listed backwards: nested_f1 0.2761 official, 1.0000 paper",
    ),
    Deviation(
        figure="nested",
        paper="a call repeated in full returns what the first did; calls of one tool are paired for most "
        "agreement",
        official="a repeated label belongs to the last call that gives it; calls are paired greedily",
        size="every call twice: nested_f1 0.0027 official, 0.6667 paper",
    ),
    Deviation(
        figure="errors",
        paper="a wrong argument has one class; nested gold parameters never count as plain ones",
        official="nested parameters take part in the plain counts too, and right ones with other numbers "
        "count as others",
        size="labels renumbered: parameter/others 1746 official, 0 paper",
    ),
    Deviation(
        figure="errors",
        paper="every omitted nested parameter of a matched call counts as nested omission",
        official="lists of labels, and labels whose producer is missing or late, are passed over",
        size="nested parameters left out: nested/omission 1739 official, 1746 paper",
    ),
)
