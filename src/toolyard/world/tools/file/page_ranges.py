"""Which pages "1,5,10-14" means."""

from toolyard.world.kernel.faults import ToolFault, invalid, out_of_range


def _page_numbers(text: str, pages: int, parameter: str) -> list[list[int]]:
    """The pages of each part of "1,5,10-14"."""
    parts = []
    for part in text.split(","):
        first, _, last = (piece.strip() for piece in part.partition("-"))
        if not (first.isascii() and first.isdigit() and (not last or (last.isascii() and last.isdigit()))):
            raise invalid(parameter, text[:60], "want pages such as 1,5,10-14")
        low, high = int(first[:9]), int((last or first)[:9])
        if low > high:
            raise invalid(parameter, text[:60], f"a range goes upward: {high}-{low}")
        if not 1 <= low <= high <= pages:
            raise out_of_range(parameter, text[:60], f"the document has the pages 1 to {pages}")
        parts.append(list(range(low, high + 1)))
    return parts


def page_parts(
    pages: int, mode: str, ranges: str | None, fixed: int | None, removed: str | None
) -> list[list[int]]:
    """The page numbers of each part of a document under a mode of splitting; what another mode needs is refused."""
    given = {"ranges": ranges, "fixed_range": fixed, "remove_pages": removed}
    for name, value in given.items():
        if name != mode and value:
            raise invalid(name, value, f"it goes with split_mode {name}, not {mode}")
    if mode == "ranges":
        return _page_numbers(ranges, pages, "ranges") if ranges else [[n] for n in range(1, pages + 1)]
    if mode == "fixed_range":
        step = fixed or 1
        return [list(range(n, min(n + step, pages + 1))) for n in range(1, pages + 1, step)]
    if not removed:
        raise ToolFault("missing_parameter", "remove_pages is needed with split_mode remove_pages, e.g. 1,4")
    gone = {n for part in _page_numbers(removed, pages, "remove_pages") for n in part}
    kept = [n for n in range(1, pages + 1) if n not in gone]
    if not kept:
        raise invalid("remove_pages", removed[:60], "no page would be left")
    return [kept]
