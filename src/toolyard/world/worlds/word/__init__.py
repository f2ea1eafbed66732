"""Words: a lexicon with meanings, rhymes and relations."""
