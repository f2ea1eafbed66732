"""One folder per category, one module per service; every module here is imported when the library is listed."""
