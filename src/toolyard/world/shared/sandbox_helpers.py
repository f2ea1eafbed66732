"""Functions that stand in for what the interpreter of the sandbox lacks; each is put before a program that needs it."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world.shared.sandbox_numbers import NUMBERS

HELPERS: Mapping[str, str] = {
    **NUMBERS,
    "callable": """
def callable(x):
    return hasattr(x, '__call__') or str(type(x)) in (
        "<class 'function'>", "<class 'type'>", "<class 'builtin_function_or_method'>", "<class 'method'>")
""",
    "_maketrans_": """
def _maketrans_(old, new=None, gone=''):
    if new is None:
        return {(ord(k) if isinstance(k, str) else k): v for k, v in old.items()}
    if len(old) != len(new):
        raise ValueError('the first two maketrans arguments must have equal length')
    found = {ord(a): ord(b) for a, b in zip(old, new)}
    for letter in gone:
        found[ord(letter)] = None
    return found
""",
    "_translate_": """
def _translate_(text, table):
    found = []
    for letter in text:
        other = table.get(ord(letter), letter)
        if other is not None:
            found.append(chr(other) if isinstance(other, int) else other)
    return ''.join(found)
""",
    "_from_bytes_": """
def _from_bytes_(data, byteorder='big', signed=False):
    data = list(data)
    if byteorder == 'little':
        data = data[::-1]
    found = 0
    for one in data:
        found = found * 256 + one
    return found - 256 ** len(data) if signed and data and data[0] > 127 else found
""",
    "_to_bytes_": """
def _to_bytes_(number, length=1, byteorder='big', signed=False):
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    rest = number if number >= 0 else number + 256 ** length
    found = []
    for _ in range(length):
        found.append(rest % 256)
        rest = rest // 256
    if rest > 0:
        raise OverflowError('int too big to convert')
    return bytes.fromhex(''.join(['%02x' % one for one in (found if byteorder == 'little' else found[::-1])]))
""",
    "_subn_": """
def _subn_(pattern, new, text, count=0, flags=0):
    import re
    found = len(list(re.compile(pattern, flags).finditer(text)))
    return (_sub_(pattern, new, text, count, flags), min(found, count) if count else found)
""",
    "_plain_": """
def _plain_(x, other):
    if isinstance(x, dict):
        return {key: _plain_(one, other) for key, one in x.items()}
    if isinstance(x, (list, tuple)):
        return [_plain_(one, other) for one in x]
    if x is None or isinstance(x, (str, int, float, bool)):
        return x
    return _plain_(other(x), other)
""",
    "_int_": """
def _int_(x):
    if hasattr(x, 'limit_denominator'):
        whole = abs(x.numerator) // x.denominator
        return whole if x.numerator >= 0 else -whole
    return x.__int__() if hasattr(x, '__int__') else int(x)
""",
    "_bytes_": """
def _bytes_(given):
    if isinstance(given, (list, tuple)):
        return bytes.fromhex(''.join(['%02x' % one for one in given]))
    return bytes(given)
""",
    "_timetuple_": """
def _timetuple_(day):
    import datetime, collections
    names = ['tm_year', 'tm_mon', 'tm_mday', 'tm_hour', 'tm_min', 'tm_sec', 'tm_wday', 'tm_yday', 'tm_isdst']
    clock = (day.hour, day.minute, day.second) if hasattr(day, 'hour') else (0, 0, 0)
    first = datetime.date(day.year, 1, 1)
    number = (datetime.date(day.year, day.month, day.day) - first).days + 1
    return collections.namedtuple('struct_time', names)(day.year, day.month, day.day, *clock, day.weekday(), number, -1)
""",
    "_sub_": """
def _sub_(pattern, new, text, count=0, flags=0, found=None):
    import re
    pattern = re.compile(pattern, flags) if isinstance(pattern, str) else pattern
    if isinstance(new, str):
        return pattern.sub(new, text, count)
    parts = []
    at = 0
    done = 0
    for match in pattern.finditer(text):
        if count and done >= count:
            break
        parts.append(text[at:match.start()])
        parts.append(new(match))
        at = match.end()
        done += 1
    parts.append(text[at:])
    return ''.join(parts)
""",
    "_isocalendar_": """
def _isocalendar_(day):
    import datetime, collections
    day = datetime.date(day.year, day.month, day.day)
    weekday = day.isoweekday()
    thursday = day + datetime.timedelta(days=4 - weekday)
    week = (thursday - datetime.date(thursday.year, 1, 1)).days // 7 + 1
    return collections.namedtuple('IsoCalendarDate', ['year', 'week', 'weekday'])(thursday.year, week, weekday)
""",
    "_toordinal_": """
def _toordinal_(day):
    import datetime
    return (datetime.date(day.year, day.month, day.day) - datetime.date(1, 1, 1)).days + 1
""",
    "_fromordinal_": """
def _fromordinal_(number):
    import datetime
    return datetime.date(1, 1, 1) + datetime.timedelta(days=number - 1)
""",
    "_ctime_": """
def _ctime_(day):
    return day.strftime('%a %b ') + str(day.day).rjust(2) + day.strftime(' %H:%M:%S %Y')
""",
    "_fromtimestamp_": """
def _fromtimestamp_(seconds, tz=None):
    import datetime
    found = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return found.replace(tzinfo=None) if tz is None else found.astimezone(tz)
""",
    "_utcnow_": """
def _utcnow_():
    import datetime
    return datetime.datetime.now()
""",
    "_is_integer_": "def _is_integer_(x):\n    return x == x // 1",
    "_bit_length_": "def _bit_length_(x):\n    return len(bin(abs(x))) - 2 if x else 0",
    "_bit_count_": "def _bit_count_(x):\n    return bin(abs(x)).count('1')",
    "_as_integer_ratio_": """
def _as_integer_ratio_(x):
    below = 1
    while x != x // 1:
        x, below = x * 2, below * 2
    return (int(x), below)
""",
    "_move_to_end_": """
def _move_to_end_(d, key, last=True):
    held = d.pop(key)
    rest = [] if last else list(d.items())
    if not last:
        d.clear()
    d[key] = held
    for one, item in rest:
        d[one] = item
""",
    "_popitem_": """
def _popitem_(d, last=True):
    if not d:
        raise KeyError('dictionary is empty')
    keys = list(d)
    key = keys[-1] if last else keys[0]
    return (key, d.pop(key))
""",
    "_ordered_": "def _ordered_(d):\n    return 'OrderedDict(' + (repr(list(d.items())) if d else '') + ')'",
    "_open_": """
def _open_(*given, **named):
    file = open(*given, **named)
    mode = named.get('mode', given[1] if len(given) > 1 else 'r')
    if 'r' in mode and 'b' not in mode:
        file.seek(0)
    return file
""",
    "_name_": """
def _name_(kind):
    try:
        return kind.__name__
    except AttributeError:
        return repr(kind).split("'")[1].split('.')[-1]
""",
    "_true_": """
def _true_(x):
    if hasattr(x, '__bool__') and not isinstance(x, (bool, int, float)):
        return x.__bool__()
    if hasattr(x, '__len__') and not isinstance(x, (str, list, dict, set, tuple, bytes, frozenset)):
        return x.__len__() > 0
    return True if x else False
""",
    "_delitem_": """
def _delitem_(held, key):
    if hasattr(held, '__delitem__') and not isinstance(held, (dict, list)):
        held.__delitem__(key)
    else:
        held.pop(key)
""",
    "_Lazy_": """
class _Lazy_:
    def __init__(self, step):
        self.step = step
    def __iter__(self):
        return self
    def __next__(self):
        return self.step()
""",
    "_zip_": """
def _zip_(*given, strict=False):
    given = [iter(one) for one in given]
    def step():
        if not given:
            raise StopIteration
        found = []
        for one in given:
            found.append(next(one))
        return tuple(found)
    return _Lazy_(step)
""",
    "_enumerate_": """
def _enumerate_(items, start=0):
    held = [start - 1]
    items = iter(items)
    def step():
        found = next(items)
        held[0] += 1
        return (held[0], found)
    return _Lazy_(step)
""",
    "_map_": """
def _map_(function, *given):
    given = [iter(one) for one in given]
    def step():
        found = []
        for one in given:
            found.append(next(one))
        return function(*found)
    return _Lazy_(step)
""",
    "_filter_": """
def _filter_(function, items):
    items = iter(items)
    def step():
        while True:
            found = next(items)
            if (function(found) if function is not None else found):
                return found
    return _Lazy_(step)
""",
    "_islice_": """
def _islice_(items, *bounds):
    items = iter(items)
    start, stop, step_ = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    held = [0, start or 0]
    def step():
        while stop is None or held[1] < stop:
            found = next(items)
            held[0] += 1
            if held[0] - 1 == held[1]:
                held[1] += step_ or 1
                return found
        raise StopIteration
    return _Lazy_(step)
""",
    "_takewhile_": """
def _takewhile_(test, items):
    items = iter(items)
    def step():
        found = next(items)
        if not test(found):
            raise StopIteration
        return found
    return _Lazy_(step)
""",
    "_lazily_": """
def _lazily_(items, test, made):
    items = iter(items)
    def step():
        while True:
            found = next(items)
            if test(found):
                return made(found)
    return _Lazy_(step)
""",
    "_thrown_": """
_raised_ = []
def _thrown_(error):
    if not hasattr(error, '_is_error_'):
        return error
    _raised_.append(error)
    return TimeoutError(type(error).__name__ + '|' + str(error))
def _own_(error):
    return _raised_[-1] if _raised_ and type(error).__name__ == 'TimeoutError' else error
""",
    "_Error_": """
class _Error_:
    _is_error_ = True
    __cause__ = None
    def __init__(self, *args):
        self.args = args
    def __str__(self):
        given = self.args if hasattr(self, 'args') else ()
        return '' if not given else str(given[0]) if len(given) == 1 else str(given)
    def __repr__(self):
        given = self.args if hasattr(self, 'args') else ()
        return type(self).__name__ + '(' + ', '.join([repr(one) for one in given]) + ')'
""",
    "_enumerated_": """
def _enumerated_(kind, pairs):
    found = []
    for name, value in pairs:
        same = [one for one in found if one.value == value]
        one = same[0] if same else kind(name, value)
        setattr(kind, name, one)
        if not same:
            found.append(one)
    return found
def _member_(kind, members, value):
    for one in members:
        if one.value == value or one is value:
            return one
    raise ValueError(repr(value) + ' is not a valid ' + kind)
def _named_(members, name):
    for one in members:
        if one.name == name:
            return one
    raise KeyError(name)
""",
    "_dict_": """
def _dict_(held):
    return {name: getattr(held, name) for name in _FIELDS_ if hasattr(held, name)}
""",
    "_asdict_": """
def _asdict_(held):
    if isinstance(held, (list, tuple)):
        return [_asdict_(one) for one in held]
    if isinstance(held, dict):
        return {key: _asdict_(one) for key, one in held.items()}
    names = _TYPED_.get(type(held).__name__)
    return held if names is None else {name: _asdict_(getattr(held, name)) for name in names}
""",
    "_context_": """
class _context_:
    def __init__(self, enter, leave):
        self.enter = enter
        self.leave = leave
    def __enter__(self):
        return self.enter()
    def __exit__(self, kind, error, trace):
        return self.leave(error)
""",
    "_abstract_": """
def _abstract_(kind, names):
    raise TypeError("Can't instantiate abstract class " + kind + ' with abstract method' + names)
""",
    "_on_functions_": "_on_functions_ = {}",
    "_print_to_": """
def _print_to_(to, *given, sep=' ', end='\\n', flush=False):
    if to is None:
        print(*given, sep=sep, end=end)
    else:
        to.write(sep.join([str(one) for one in given]) + end)
""",
    "_same_": "def _same_(function):\n    return function",
}
_ON_LAZY = ("_zip_", "_enumerate_", "_map_", "_filter_", "_islice_", "_takewhile_", "_lazily_")
NEEDS: Mapping[str, tuple[str, ...]] = {**dict.fromkeys(_ON_LAZY, ("_Lazy_",)), "_subn_": ("_sub_",)}
