"""What a tool seems to do: create, read, list, search, update, delete or compute, and with what kind of thing.

Names, parameters, hints and descriptions each have a vote. Everything that is built on the result says that it was
inferred.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from toolyard.owntools.sources.source_schemas import json_type
from toolyard.owntools.sources.tool_source import SourceTool
from toolyard.text.names import name_words

Kind: TypeAlias = Literal["create", "read", "list", "search", "update", "delete", "compute"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CHANGING: frozenset[Kind] = frozenset({"create", "update", "delete"})
_VERBS: Mapping[Kind, frozenset[str]] = {
    "create": frozenset(
        "create add new insert make post register book send write save upload schedule order append store submit "
        "place".split()
    ),
    "read": frozenset(
        "get read show fetch retrieve view describe lookup load details detail status info return head".split()
    ),
    "list": frozenset("list index enumerate browse lists".split()),
    "search": frozenset("search find query filter look".split()),
    "update": frozenset(
        "update edit modify change set rename put patch replace move assign override overwrite".split()
    ),
    "delete": frozenset("delete remove drop cancel clear erase destroy unregister reset".split()),
}
_KIND_OF = {verb: kind for kind, verbs in _VERBS.items() for verb in verbs}
# Verbs that leave a thing where it is and change how it stands.
STATUS_OF: Mapping[str, str] = {
    "close": "closed", "cancel": "cancelled", "archive": "archived", "unarchive": "open", "complete": "completed",
    "finish": "finished", "approve": "approved", "reject": "rejected", "decline": "declined", "accept": "accepted",
    "confirm": "confirmed", "reopen": "open", "resolve": "resolved", "activate": "active", "deactivate": "inactive",
    "enable": "enabled", "disable": "disabled", "suspend": "suspended", "resume": "active", "pause": "paused",
    "publish": "published", "unpublish": "draft", "start": "started", "stop": "stopped", "escalate": "escalated",
    "lock": "locked", "unlock": "unlocked", "ship": "shipped", "refund": "refunded", "pay": "paid", "mark": "marked",
    "restore": "active", "return": "returned", "dismiss": "dismissed", "acknowledge": "acknowledged",
}  # fmt: skip
_MARKS = frozenset({"mark", "as"})
# Names by which a parameter points to one thing.
_KEYS = ("id", "uuid", "key", "slug", "uri", "url", "path", "name", "number", "code")
_LINKING = frozenset("by for from of with in at to on and the a an all my".split())
_PAGING = frozenset(
    "limit offset page size cursor count max sort order direction per_page page_size top skip".split()
)
# Parameters that hold words to look for.
QUERY = frozenset({"query", "q", "search", "text", "term", "keyword", "keywords", "filter", "pattern"})
_WORD = re.compile(r"[a-z]+")
# Words that stand before the verb of a description, and nouns that look like verbs.
_OPENING = frozenset("this the tool function it a an use used to will can allows you lets".split())
_NO_VERB = frozenset("new order index status info return set details detail head".split())
# In halves of a vote.
NAME_VOTE, SHAPE_VOTE, DESCRIPTION_VOTE, HINT_VOTE = 4, 2, 3, 2

_CHANGING_VERBS = frozenset({*(verb for verb, kind in _KIND_OF.items() if kind in CHANGING), *STATUS_OF})
_CHANGED = frozenset(STATUS_OF.values()) - {"open", "active", "draft"}
# Verbs of other changes, most of which are nouns as well (`get_run`, `list_transfers`).
_ALSO_CHANGING = frozenset(
    "ack apply ban block buy charge checkout commit consume deploy deposit drain email eval exec execute flush follow "
    "forget grant import install invite kill launch like merge notify order purchase purge push reboot rebuild reserve "
    "restart revoke rotate run set shutdown sign spend subscribe sync terminate transfer trash trigger uninstall "
    "unsubscribe vote wipe withdraw".split()
)
# Two things done by one tool: a word that is a noun elsewhere may be a verb here.
_JOINING = frozenset("and or then with".split())
_ENDINGS = ("ed", "d", "ing", "led", "ling", "ped", "ping", "ted", "ting")


def changing_word(name: str) -> str:
    """The word of a name that speaks of a change: a verb in any form; empty where there is none.

    Plurals and words such as order, status and run are nouns (`list_orders`), unless the name begins with them or joins
    two actions (`search_and_order`).
    """
    words = name_words(name)
    joins = bool(_JOINING & set(words))
    for place, word in enumerate(words):
        between = word == "set" and place < len(words) - 1
        if _is_changing(word, leads=joins or between or not place):
            return word
    return ""


def changing_verb(name: str) -> str:
    """The first word of a name that can be a verb of a change, wherever it stands; empty where there is none.

    Stricter than `changing_word`: `get_run` and `/pay/all` are among them. For calls that touch real things.
    """
    verbs = (_CHANGING_VERBS | _ALSO_CHANGING) - _NO_VERB
    return changing_word(name) or next((word for word in name_words(name) if word in verbs), "")


def without_thing_read(name: str) -> str:
    """The words of a name without the one behind its leading verb of reading: `getBook` becomes `get`."""
    words = name_words(name)
    reads = bool(words) and _KIND_OF.get(words[0]) in ("read", "list", "search")
    return " ".join([words[0], *words[2:]] if reads and not _JOINING & set(words) else words)


def _is_changing(word: str, *, leads: bool) -> bool:
    if leads and {word, word.removesuffix("s")} & (_CHANGING_VERBS | _ALSO_CHANGING):
        return word not in ("new", "status")
    if word in _NO_VERB:
        return False
    if word in _CHANGING_VERBS or word in _CHANGED:
        return True
    stems = {word.removesuffix(ending) for ending in _ENDINGS}
    stems |= {f"{stem}e" for stem in stems} | {re.sub("ied$", "y", word)}
    return word.endswith(("ed", "ing")) and bool(stems & (_CHANGING_VERBS | _ALSO_CHANGING))


@dataclass(frozen=True, slots=True)
class Meaning:
    """The operation, the thing it is about, and the parameter that points to one such thing.

    `said` is the operation that the description names, where it names one; `status` is how a thing stands after an
    update that says no more than that, such as the closing of a ticket. `many` tells that the name has the plural.
    """

    kind: Kind
    noun: str
    key: str = ""
    said: Kind | None = None
    named: Kind | None = None
    status: str = ""
    many: bool = False

    @property
    def changes(self) -> bool:
        """Whether calls change something."""
        return self.kind in CHANGING

    @property
    def contradicts(self) -> bool:
        """Whether name and description speak of operations that no tool does both of."""
        groups = [_group_of_kind(self.named), _group_of_kind(self.said)]
        return not self.status and None not in groups and groups[0] != groups[1]


def _group_of_kind(kind: Kind | None) -> str | None:
    return None if kind is None else "reading" if kind in ("read", "list", "search") else kind


def tool_danger(tool: SourceTool, meaning: Meaning) -> int:
    """How much a call made by mistake can cost: 0 nothing, as it reads; 1 unknown; 2 a change; 3 a loss."""
    if tool.destroys or meaning.kind == "delete":
        return 3
    if meaning.changes or changing_word(without_thing_read(tool.name) if tool.route else tool.name):
        return 2
    return 0 if tool.reads or meaning.kind != "compute" else 1


def tool_meanings(tools: Sequence[SourceTool]) -> dict[str, Meaning]:
    """The meaning of each tool by name; words that most names share, such as the service's, say nothing."""
    shared = _shared_words(tools)
    return {tool.name: tool_meaning(tool, shared) for tool in tools}


def _shared_words(tools: Sequence[SourceTool]) -> frozenset[str]:
    if len(tools) < 3:
        return frozenset()
    firsts = Counter(words[0] for tool in tools if (words := name_words(tool.name)))
    return frozenset(
        word for word, count in firsts.items() if count > 0.8 * len(tools) and word not in _KIND_OF
    )


def tool_meaning(tool: SourceTool, shared: frozenset[str] = frozenset()) -> Meaning:
    """What one tool seems to do."""
    words = [word for word in name_words(tool.name) if word not in shared]
    named = _kind_by_name(words)
    said = _kind_by_description(tool.description)
    kept = _noun_words(words)
    noun, many = _singular_words(kept), kept[-1:] != [singular_noun(each) for each in kept[-1:]]
    borrows = not many and (named or said) not in ("create", "list", "search")
    key = key_parameter(tool, noun, borrows=borrows or _status_verb(words) != "")
    changed = _status_meaning(tool, words, noun, key)
    if changed is not None:
        return replace(changed, said=said, named=named)
    votes: Counter[Kind] = Counter()
    if named:
        votes[named] += NAME_VOTE
    if said:
        votes[said] += DESCRIPTION_VOTE
    for kind in _kinds_by_shape(tool, key):
        votes[kind] += SHAPE_VOTE
    kind = _elect_kind(tool, votes) if named or said else "compute"
    if kind == "read" and not key:
        kind = _read_without_key(tool, many=many or "lookup" in words)
    if kind in ("update", "delete") and not key:
        kind = "compute"
    return Meaning(kind, noun, key, said, named, many=many)


def _read_without_key(tool: SourceTool, *, many: bool) -> Kind:
    required = {name.lower() for name in tool.document.required}
    if required & QUERY and many:
        return "search"
    return "list" if many or _returns_many(tool) or not required else "compute"


def _status_verb(words: Sequence[str]) -> str:
    """The verb of a name that says how a thing stands afterwards: its first word, or its last."""
    if words[:1] and words[0] in STATUS_OF:
        return words[0]
    plain = len(words) > 1 and not any(word in _KIND_OF for word in words[:2])
    return words[-1] if plain and words[-1] in STATUS_OF else ""


def _status_meaning(tool: SourceTool, words: Sequence[str], noun: str, key: str) -> Meaning | None:
    """The update that such a verb names, of the thing that its id points to; None where it is none."""
    verb = _status_verb(words)
    if not verb or not key or tool.reads is True or tool.destroys:
        return None
    pointed = name_words(key)
    thing = _singular_words(pointed[:-1]) if len(pointed) > 1 and pointed[-1] in _KEYS else noun
    more = [
        word
        for word in words
        if word not in (verb, *_MARKS, *_LINKING) and singular_noun(word) not in thing.split()
    ]
    is_parameter = any(name_words(each.name)[-1:] in (["status"], ["state"]) for each in tool.parameters)
    status = more[-1] if verb == "mark" and more else STATUS_OF[verb]
    return Meaning("update", thing, key, status="" if is_parameter else status) if thing else None


def _elect_kind(tool: SourceTool, votes: Counter[Kind]) -> Kind:
    if tool.destroys:
        votes["delete"] += HINT_VOTE
    allowed = [
        kind
        for kind in KINDS
        if not (tool.reads is True and kind in CHANGING)
        and not (tool.reads is False and kind in ("list", "search"))
    ]
    best = max(allowed, key=lambda kind: (votes[kind], -KINDS.index(kind)))
    return best if votes[best] > SHAPE_VOTE else "compute"


def _kind_by_name(words: Sequence[str]) -> Kind | None:
    """The operation that a name begins or ends with."""
    for word in [*words[:2], *words[-1:]]:
        if word in _KIND_OF:
            return _KIND_OF[word]
    return None


def _kind_by_description(description: str) -> Kind | None:
    """The operation that the first words of a description name, in any form of the verb."""
    words = [word for word in _WORD.findall(description.lower()[:80]) if word not in _OPENING][:1]
    for word in words:
        for form in (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ing")):
            if form in _KIND_OF and form not in _NO_VERB:
                return _KIND_OF[form]
    return None


def _kinds_by_shape(tool: SourceTool, key: str) -> tuple[Kind, ...]:
    """The operations that the required parameters fit."""
    content = [each.name for each in tool.parameters if each.name != key and each.name.lower() not in _PAGING]
    if key and content:
        return ("update",)
    if key:
        return ("read", "delete")
    return ("create", "search") if content else ("list",)


def _noun_words(words: Sequence[str]) -> list[str]:
    """The thing that a name speaks of: `list_open_orders` is about open orders."""
    places = [place for place in (0, 1, len(words) - 1) if words[place : place + 1]]
    verb = next((place for place in places if words[place] in _KIND_OF), -1)
    if changing := _status_verb(words):
        verb = list(words).index(changing)
    kept: list[str] = []
    for place, word in enumerate(words):
        if word in _LINKING and kept:
            break
        if word not in _LINKING and place != verb:
            kept.append(word)
    return kept


def _singular_words(words: Sequence[str]) -> str:
    return " ".join([*words[:-1], singular_noun(words[-1])]) if words else ""


def singular_noun(word: str) -> str:
    """A noun in the singular, by the common rules."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "news", "settings")) and len(word) > 3:
        return word[:-1]
    return word


def plural_noun(noun: str) -> str:
    """A noun in the plural, by the common rules."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith(("s", "x", "sh", "ch")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else f"{noun}es"
    return f"{noun}s"


def with_article(noun: str) -> str:
    """A noun with a or an, by its sound as far as spelling tells it."""
    silent, spoken_you = (
        ("hour", "honest", "heir"),
        ("uni", "use", "user", "usage", "uri", "url", "eu", "one"),
    )
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(spoken_you)
    return f"{'an' if vowel or noun.lower().startswith(silent) else 'a'} {noun}"


def key_parameter(tool: SourceTool, noun: str, *, borrows: bool) -> str:
    """The required parameter that points to one thing of this kind; empty where there is none.

    A tool that makes things, or returns many, takes the ids of other things for what they are; one that `borrows` may
    know its thing by them, as the balance of an account.
    """
    required = {each.name: name_words(each.name) for each in tool.parameters if each.required}
    last = noun.split()[-1:] or [""]
    pointed = " ".join(name_words(tool.name)).rpartition(" by ")[2]
    for name, words in required.items():
        if pointed and " ".join(words) == pointed:
            return name
    for wanted in _KEYS:
        for name, words in required.items():
            if words == [wanted] or (
                len(words) > 1 and words[-1] == wanted and last[0] in map(singular_noun, words)
            ):
                # A bare `name` says what a new thing is called rather than which one is meant.
                bare = words == [wanted] and wanted in ("name", "number", "code", "path", "url")
                if bare and _kind_by_name(name_words(tool.name)) == "create":
                    continue
                return name
    for name, words in required.items():
        if [singular_noun(word) for word in words] == noun.split() and noun:
            return name
    ids = [name for name, words in required.items() if words[-1:] in (["id"], ["uuid"])]
    return ids[0] if ids and borrows else ""


def _returns_many(tool: SourceTool) -> bool:
    kind = json_type(tool.result)
    if kind == "array":
        return True
    properties = (tool.result or {}).get("properties")
    return isinstance(properties, Mapping) and any(json_type(each) == "array" for each in properties.values())
