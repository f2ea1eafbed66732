"""Further modules of the standard library, written for the sandbox as objects with their everyday functions."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world.shared.sandbox_library_texts import HTML, PPRINT, SECRETS, URLS

_HEAPQ = """
def _heap_less_(a, b):
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        for one, other in zip(a, b):
            if one != other:
                return _heap_less_(one, other)
        return len(a) < len(b)
    return a.__lt__(b) if hasattr(a, '__lt__') else a < b
class _Heapq:
    def _up(self, heap, start, at):
        item = heap[at]
        while at > start:
            above = (at - 1) >> 1
            if not _heap_less_(item, heap[above]):
                break
            heap[at] = heap[above]
            at = above
        heap[at] = item
    def _down(self, heap, at):
        end, start, item = len(heap), at, heap[at]
        child = 2 * at + 1
        while child < end:
            if child + 1 < end and not _heap_less_(heap[child], heap[child + 1]):
                child += 1
            heap[at] = heap[child]
            at = child
            child = 2 * at + 1
        heap[at] = item
        self._up(heap, start, at)
    def heappush(self, heap, item):
        heap.append(item)
        self._up(heap, 0, len(heap) - 1)
    def heappop(self, heap):
        last = heap.pop()
        if not heap:
            return last
        found, heap[0] = heap[0], last
        self._down(heap, 0)
        return found
    def heapify(self, heap):
        for at in reversed(range(len(heap) // 2)):
            self._down(heap, at)
    def heapreplace(self, heap, item):
        found, heap[0] = heap[0], item
        self._down(heap, 0)
        return found
    def heappushpop(self, heap, item):
        return self.heapreplace(heap, item) if heap and _heap_less_(heap[0], item) else item
    def nlargest(self, n, iterable, key=None):
        return sorted(iterable, key=key, reverse=True)[:n]
    def nsmallest(self, n, iterable, key=None):
        return sorted(iterable, key=key)[:n]
    def merge(self, *given, key=None, reverse=False):
        return iter(sorted([item for one in given for item in one], key=key, reverse=reverse))
_heapq_ = _Heapq()
"""
_FRACTIONS = """
import math as _math_
class _Fraction:
    def __init__(self, numerator=0, denominator=None):
        if isinstance(numerator, str):
            text, slash, under = numerator.strip().partition('/')
            whole, dot, part = text.partition('.')
            numerator = int(whole + part)
            denominator = (int(under) if slash else 1) * 10 ** len(part)
        elif isinstance(numerator, float):
            denominator = 1
            while numerator != numerator // 1:
                numerator, denominator = numerator * 2, denominator * 2
            numerator = int(numerator)
        above, below = _parts_(numerator), _parts_(1 if denominator is None else denominator)
        numerator, denominator = above[0] * below[1], above[1] * below[0]
        if denominator == 0:
            raise ZeroDivisionError('Fraction(' + str(numerator) + ', 0)')
        shared = _math_.gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self.numerator = numerator // shared
        self.denominator = denominator // shared
    def __str__(self):
        return str(self.numerator) + ('' if self.denominator == 1 else '/' + str(self.denominator))
    def __repr__(self):
        return 'Fraction(' + str(self.numerator) + ', ' + str(self.denominator) + ')'
    def __add__(self, other):
        if isinstance(other, float):
            return self.__float__() + other
        n, d = _parts_(other)
        return _Fraction(self.numerator * d + n * self.denominator, self.denominator * d)
    def __radd__(self, other):
        return self.__add__(other)
    def __neg__(self):
        return _Fraction(-self.numerator, self.denominator)
    def __abs__(self):
        return _Fraction(abs(self.numerator), self.denominator)
    def __sub__(self, other):
        return self.__add__(-other)
    def __rsub__(self, other):
        return self.__neg__().__add__(other)
    def __mul__(self, other):
        if isinstance(other, float):
            return self.__float__() * other
        n, d = _parts_(other)
        return _Fraction(self.numerator * n, self.denominator * d)
    def __rmul__(self, other):
        return self.__mul__(other)
    def __truediv__(self, other):
        n, d = _parts_(other)
        return _Fraction(self.numerator * d, self.denominator * n)
    def __rtruediv__(self, other):
        n, d = _parts_(other)
        return _Fraction(n * self.denominator, d * self.numerator)
    def __pow__(self, power):
        if power < 0:
            return _Fraction(self.denominator ** -power, self.numerator ** -power)
        return _Fraction(self.numerator ** power, self.denominator ** power)
    def __eq__(self, other):
        if isinstance(other, float):
            return self.__float__() == other
        n, d = _parts_(other)
        return self.numerator * d == n * self.denominator
    def __hash__(self):
        return hash((self.numerator, self.denominator))
    def __lt__(self, other):
        n, d = _parts_(other)
        return self.numerator * d < n * self.denominator
    def __le__(self, other):
        return not _Fraction(other).__lt__(self)
    def __gt__(self, other):
        return _Fraction(other).__lt__(self)
    def __ge__(self, other):
        return not self.__lt__(other)
    def __float__(self):
        return self.numerator / self.denominator
    def limit_denominator(self, most=1000000):
        best = None
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        if d <= most:
            return self
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > most:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (most - q0) // q1
        one, other = _Fraction(p0 + k * p1, q0 + k * q1), _Fraction(p1, q1)
        return other if not abs(one - self).__lt__(abs(other - self)) else one
def _parts_(x):
    if hasattr(x, 'limit_denominator'):
        return (x.numerator, x.denominator)
    return (int(x), 1) if x == int(x) else _parts_(_Fraction(x))
class _Fractions:
    Fraction = _Fraction
_fractions_ = _Fractions()
"""
_OPERATOR = """
class _Operator:
    def itemgetter(self, *keys):
        return (lambda x: x[keys[0]]) if len(keys) == 1 else (lambda x: tuple([x[key] for key in keys]))
    def attrgetter(self, *names):
        def one(x, name):
            for part in name.split('.'):
                x = getattr(x, part)
            return x
        return (lambda x: one(x, names[0])) if len(names) == 1 else (lambda x: tuple([one(x, name) for name in names]))
    def add(self, a, b):
        return a + b
    def sub(self, a, b):
        return a - b
    def mul(self, a, b):
        return a * b
    def truediv(self, a, b):
        return a / b
    def floordiv(self, a, b):
        return a // b
    def mod(self, a, b):
        return a % b
    def pow(self, a, b):
        return a ** b
    def neg(self, a):
        return -a
    def xor(self, a, b):
        return a ^ b
    def and_(self, a, b):
        return a & b
    def or_(self, a, b):
        return a | b
    def not_(self, a):
        return not a
    def eq(self, a, b):
        return a == b
    def ne(self, a, b):
        return a != b
    def lt(self, a, b):
        return a < b
    def le(self, a, b):
        return a <= b
    def gt(self, a, b):
        return a > b
    def ge(self, a, b):
        return a >= b
    def contains(self, a, b):
        return b in a
    def concat(self, a, b):
        return a + b
    def getitem(self, a, b):
        return a[b]
_operator_ = _Operator()
"""
_CALENDAR = """
import datetime as _dates_
class _Calendar:
    month_name = ['', 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
                  'November', 'December']
    month_abbr = ['', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
    day_abbr = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6
    def isleap(self, year):
        return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    def leapdays(self, start, end):
        return len([year for year in range(start, end) if self.isleap(year)])
    def weekday(self, year, month, day):
        return _dates_.date(year, month, day).weekday()
    def monthrange(self, year, month):
        days = [31, 29 if self.isleap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if not 1 <= month <= 12:
            raise ValueError('bad month number ' + str(month) + '; must be 1-12')
        return (self.weekday(year, month, 1), days[month - 1])
    def monthcalendar(self, year, month):
        first, days = self.monthrange(year, month)
        cells = [0] * first + list(range(1, days + 1))
        cells += [0] * (-len(cells) % 7)
        return [cells[at:at + 7] for at in range(0, len(cells), 7)]
    def month(self, theyear, themonth):
        lines = [(self.month_name[themonth] + ' ' + str(theyear)).center(20).rstrip(), 'Mo Tu We Th Fr Sa Su']
        for week in self.monthcalendar(theyear, themonth):
            lines.append(' '.join([str(day).rjust(2) if day else '  ' for day in week]).rstrip())
        return '\\n'.join(lines) + '\\n'
    def prmonth(self, theyear, themonth):
        print(self.month(theyear, themonth), end='')
    def timegm(self, moment):
        return int((_dates_.datetime(*moment[:6]) - _dates_.datetime(1970, 1, 1)).total_seconds())
_calendar_ = _Calendar()
"""
_TEXTWRAP = """
class _Textwrap:
    def wrap(self, text, width=70, initial_indent='', subsequent_indent=''):
        lines, line = [], ''
        for word in text.split():
            while True:
                indent = subsequent_indent if lines else initial_indent
                room = width - len(indent)
                if len(line) + len(word) + (1 if line else 0) <= room:
                    line = line + ' ' + word if line else word
                    break
                if not line:
                    lines.append(indent + word[:room])
                    word = word[room:]
                    if not word:
                        break
                    continue
                lines.append(indent + line)
                line = ''
        if line:
            lines.append((subsequent_indent if lines else initial_indent) + line)
        return lines
    def fill(self, text, width=70, initial_indent='', subsequent_indent=''):
        return '\\n'.join(self.wrap(text, width, initial_indent, subsequent_indent))
    def shorten(self, text, width, placeholder=' [...]'):
        words = text.split()
        if len(' '.join(words)) <= width:
            return ' '.join(words)
        while words and len(' '.join(words)) + len(placeholder) > width:
            words.pop()
        return (' '.join(words) + placeholder).strip()
    def dedent(self, text):
        lines = [line if line.strip() else '' for line in text.split('\\n')]
        margins = [len(line) - len(line.lstrip()) for line in lines if line]
        return '\\n'.join([line[min(margins) if margins else 0:] for line in lines])
    def indent(self, text, prefix):
        return ''.join([prefix + line if line.strip() else line for line in text.splitlines(True)])
_textwrap_ = _Textwrap()
"""
_UUID = """
import random as _chance_
class _Id:
    def __init__(self, hex=None, int=None):
        self.hex = hex.replace('urn:uuid:', '').replace('-', '').strip('{}').lower() if hex else '%032x' % int
        if len(self.hex) != 32:
            raise ValueError('badly formed hexadecimal UUID string')
        self.version = _number_(self.hex[12], 16)
    def __str__(self):
        h = self.hex
        return '-'.join([h[:8], h[8:12], h[12:16], h[16:20], h[20:]])
    def __repr__(self):
        return "UUID('" + self.__str__() + "')"
    def __eq__(self, other):
        return self.hex == other.hex
    def __hash__(self):
        return hash(self.hex)
def _number_(text, base):
    return int(text, base)
class _Uuid:
    UUID = _Id
    def uuid4(self):
        h = ''.join(['%04x' % _chance_.randrange(65536) for _ in range(8)])
        return _Id(h[:12] + '4' + h[13:16] + '89ab'[_number_(h[16], 16) % 4] + h[17:])
_uuid_ = _Uuid()
"""
_CONTEXTLIB = """
class _Suppress:
    def __init__(self, *kinds):
        self.kinds = kinds
    def __enter__(self):
        return None
    def __exit__(self, kind, error, trace):
        return error is not None and isinstance(error, self.kinds)
class _Nothing:
    def __init__(self, held=None):
        self.held = held
    def __enter__(self):
        return self.held
    def __exit__(self, *given):
        return False
class _Contextlib:
    suppress = _Suppress
    nullcontext = _Nothing
_contextlib_ = _Contextlib()
"""
FURTHER: Mapping[str, str] = {
    "heapq": _HEAPQ,
    "fractions": _FRACTIONS,
    "operator": _OPERATOR,
    "calendar": _CALENDAR,
    "textwrap": _TEXTWRAP,
    "uuid": _UUID,
    "contextlib": _CONTEXTLIB,
    "html": HTML,
    "urllib.parse": URLS,
    "pprint": PPRINT,
    "secrets": SECRETS,
}
