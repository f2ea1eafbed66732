"""One module (or package of modules) per world; every module here is imported when the library is listed."""
