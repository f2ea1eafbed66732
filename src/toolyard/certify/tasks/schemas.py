"""Tasks about arguments of every shape: nested, recursive, enumerated, united, optional, strict."""

from toolyard.certify import typed_arguments as read
from toolyard.certify.task import Arguments, ProbeTask, ProbeTool, ProbeToolFault, WantedCall
from toolyard.certify.tools import ADD, CONVERT, INTEGER, LAMP, NOTE, NUMBER, PAINT, STRING, object_schema
from toolyard.core.types import JsonValue

DEEPEST = 12


def _ship_parcel(given: Arguments) -> str:
    parcel, address = read.read_record(given, "parcel"), read.read_record(given, "address")
    place = read.read_record(address, "place")
    return (
        f"{read.read_whole(parcel, 'grams')} g to {read.read_text(address, 'name')}, "
        f"{read.read_text(place, 'street')} {read.read_whole(place, 'number')}"
    )


def _order_items(given: Arguments) -> str:
    lines = [
        (read.read_text(line, "item"), read.read_whole(line, "count"))
        for line in read.read_records(given, "lines")
    ]
    return "; ".join(f"{count} x {item}" for item, count in lines)


def _sum_grid(given: Arguments) -> str:
    rows = [read.read_items({"row": row}, "row") for row in read.read_items(given, "rows")]
    return "/".join(str(sum(read.read_whole({"cell": cell}, "cell") for cell in row)) for row in rows)


def _label_tree(given: Arguments) -> str:
    return _label_branch(read.read_record(given, "root"), 0)


def _label_branch(node: dict[str, JsonValue], depth: int) -> str:
    if depth > DEEPEST:
        raise ProbeToolFault("the tree is too deep")
    children = read.read_records(node, "children") if node.get("children") is not None else []
    inner = ",".join(_label_branch(child, depth + 1) for child in children)
    return f"{read.read_text(node, 'label')}({inner})"


def _value_of_node(node: JsonValue, depth: int = 0) -> float:
    if depth > DEEPEST:
        raise ProbeToolFault("the expression is too deep")
    if not isinstance(node, dict):
        return read.read_number({"value": node}, "value")
    left, right = _value_of_node(node.get("left"), depth + 1), _value_of_node(node.get("right"), depth + 1)
    return left + right if read.read_choice(node, "operator", ("plus", "times")) == "plus" else left * right


def _compute_expression(given: Arguments) -> str:
    return f"{_value_of_node(given.get('expression')):g}"


def _find_key(given: Arguments) -> str:
    key = given.get("key")
    if isinstance(key, bool) or not isinstance(key, (int, str)):
        raise ProbeToolFault("key: wanted a number or a string")
    return f"found {type(key).__name__} {key}"


def _set_reminder(given: Arguments) -> str:
    minutes = given.get("minutes")
    when = "without a time" if minutes is None else f"in {read.read_whole(given, 'minutes')} minutes"
    return f"{read.read_text(given, 'what')} {when}"


def _measure_shape(given: Arguments) -> str:
    shape = read.read_record(given, "shape")
    if read.read_choice(shape, "kind", ("circle", "box")) == "circle":
        return f"circle of {read.read_whole(shape, 'radius')}"
    return f"box of {read.read_whole(shape, 'width')} by {read.read_whole(shape, 'height')}"


def _list_scores(given: Arguments) -> str:
    table = read.read_record(given, "scores")
    return ", ".join(f"{name} {read.read_whole(table, name)}" for name in sorted(table))


def _fill_form(given: Arguments) -> str:
    return " ".join(str(read.read_whole(given, f"field_{place}")) for place in range(1, FIELDS + 1))


FIELDS = 20
_TREE: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"label": STRING, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    "required": ["label"],
}
_TERM: dict[str, JsonValue] = {
    "anyOf": [
        NUMBER,
        {
            "type": "object",
            "properties": {
                "operator": {**STRING, "enum": ["plus", "times"]},
                "left": {"$ref": "#/$defs/term"},
                "right": {"$ref": "#/$defs/term"},
            },
            "required": ["operator", "left", "right"],
        },
    ]
}
_LINE: JsonValue = object_schema(item=STRING, count=INTEGER)
_PLACE = object_schema(street=STRING, number=INTEGER)
_SHAPES: JsonValue = [
    object_schema(kind={"const": "circle"}, radius=INTEGER),
    object_schema(kind={"const": "box"}, width=INTEGER, height=INTEGER),
]
SHIP = ProbeTool(
    "ship_parcel", "Sends a parcel to an address.",
    object_schema(parcel=object_schema(grams=INTEGER), address=object_schema(name=STRING, place=_PLACE)), _ship_parcel,
)  # fmt: skip
ORDER = ProbeTool(
    "order", "Orders items.", object_schema(lines={"type": "array", "items": _LINE}), _order_items
)
_ROWS: JsonValue = {"type": "array", "items": {"type": "array", "items": INTEGER}}
GRID = ProbeTool(
    "sum_rows", "The sum of each row of a table of whole numbers.", object_schema(rows=_ROWS), _sum_grid
)
TREE = ProbeTool(
    "plant_tree", "Stores a tree of labelled nodes.",
    {**object_schema(root={"$ref": "#/$defs/node"}), "$defs": {"node": _TREE}}, _label_tree,
)  # fmt: skip
COMPUTE = ProbeTool(
    "compute", "Computes an expression of numbers, plus and times.",
    {**object_schema(expression={"$ref": "#/$defs/term"}), "$defs": {"term": _TERM}}, _compute_expression,
)  # fmt: skip
FIND = ProbeTool(
    "find_record",
    "Finds a record by number or by name.",
    object_schema(key={"anyOf": [INTEGER, STRING]}),
    _find_key,
)
REMIND = ProbeTool(
    "remind", "Sets a reminder; minutes is null where no time is given.",
    object_schema(what=STRING, minutes={"type": ["integer", "null"]}), _set_reminder,
)  # fmt: skip
OPTIONAL = ProbeTool(
    "remind_later", "Sets a reminder; minutes may be left out.",
    object_schema(("what",), what=STRING, minutes=INTEGER), _set_reminder,
)  # fmt: skip
SHAPE = ProbeTool("draw", "Draws a circle or a box.", object_schema(shape={"anyOf": _SHAPES}), _measure_shape)
_TABLE: JsonValue = {"type": "object", "additionalProperties": INTEGER}
SCORES = ProbeTool(
    "save_scores", "Saves the score of each player, by name.", object_schema(scores=_TABLE), _list_scores
)
FORM = ProbeTool(
    "fill_form", f"Fills the {FIELDS} fields of a form with whole numbers.",
    object_schema(None, **{f"field_{place}": INTEGER for place in range(1, FIELDS + 1)}), _fill_form,
)  # fmt: skip
STRICT = ProbeTool("ship_strictly", SHIP.description, SHIP.parameters, _ship_parcel, strict=True)


def _task(name: str, feature: str, ask: str, tool: ProbeTool, **arguments: JsonValue) -> ProbeTask:
    return ProbeTask(name, feature, ask, (tool,), (WantedCall(tool.name, arguments),), leans_on="schema")


_ADA: JsonValue = {"name": "Ada", "place": {"street": "Quay", "number": 5}}
_SMALL: JsonValue = {"label": "oak", "children": [{"label": "elm"}, {"label": "ash"}]}
_DEEP: JsonValue = {
    "label": "a",
    "children": [{"label": "b", "children": [{"label": "c", "children": [{"label": "d"}]}]}],
}
_TIMES: JsonValue = {"operator": "times", "left": {"operator": "plus", "left": 2, "right": 3}, "right": 7}

TASKS = (
    _task("integers", "plain", "Add 19 and 23 with the tool.", ADD, a=19, b=23),
    _task("negative", "plain", "Add minus 8 and 3 with the tool.", ADD, a=-8, b=3),
    _task("decimal", "plain", "Convert 2.5 miles to metres with the tool.", CONVERT,
          value=2.5, from_unit="mile", to_unit="metre"),
    _task("truth", "plain", "Switch the lamp in the room attic off.", LAMP, room="attic", on=False),
    _task("text", "plain", "Store the note: rain at noon", NOTE, text="rain at noon"),
    _task("enumerated", "enums", "Paint the gate teal.", PAINT, object="gate", colour="teal"),
    _task("two_enums", "enums", "Convert 3 feet to metres with the tool.", CONVERT,
          value=3, from_unit="foot", to_unit="metre"),
    _task("nested", "nested schemas",
          "Send a parcel of 450 grams to Ada at Quay number 5.", SHIP, parcel={"grams": 450}, address=_ADA),
    _task("list_of_objects", "nested schemas", "Order 3 nails and 12 bolts (items: nail, bolt) in one order.", ORDER,
          lines=[{"item": "nail", "count": 3}, {"item": "bolt", "count": 12}]),
    _task("list_of_lists", "nested schemas", "Sum the rows of this table: first row 1, 2, 3; second row 40, 50.", GRID,
          rows=[[1, 2, 3], [40, 50]]),
    _task("any_keys", "nested schemas", "Save the scores: kim has 31, lea has 28.", SCORES,
          scores={"kim": 31, "lea": 28}),
    _task("recursive_tree", "recursive schemas",
          "Store the tree whose root oak has two children, elm and ash.", TREE, root=_SMALL),
    _task("recursive_deep", "recursive schemas",
          "Store the tree: a has the child b, b has the child c, c has the child d.", TREE, root=_DEEP),
    _task("recursive_union", "recursive schemas",
          "Compute (2 plus 3) times 7 as one expression with the tool.", COMPUTE, expression=_TIMES),
    _task("union_number", "unions", "Find the record with the number 88.", FIND, key=88),
    _task("union_text", "unions", "Find the record with the name heron.", FIND, key="heron"),
    _task("nullable", "unions", "Remind me of: water plants. Give no time.", REMIND, what="water plants", minutes=None),
    _task("tagged_union", "unions", "Draw a box of width 4 and height 9.", SHAPE,
          shape={"kind": "box", "width": 4, "height": 9}),
    _task("left_out", "optional arguments", "Remind me of: call home. I name no time.", OPTIONAL, what="call home"),
    _task("given", "optional arguments", "Remind me in 25 minutes of: tea", OPTIONAL, what="tea", minutes=25),
    _task("strict", "strict schemas",
          "Send strictly a parcel of 75 grams to Ada at Quay number 5.", STRICT, parcel={"grams": 75}, address=_ADA),
    _task("many_fields", "long arguments",
          "Fill the form: every field gets its own number times ten (field_1 10, field_2 20 and so on to field_20 200).",
          FORM, **{f"field_{place}": 10 * place for place in range(1, FIELDS + 1)}),
)  # fmt: skip
