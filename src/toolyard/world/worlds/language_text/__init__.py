"""Language and text: a lexicon, translation, text analysis, name statistics, jokes and advice."""
