"""Search: the web, pictures, shops and answers, over one store of documents."""
