"""Art: the objects, exhibitions and makers of a museum."""
