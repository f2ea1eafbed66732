"""Modules of the standard library about texts and addresses, written for the sandbox."""

from __future__ import annotations

HTML = """
class _Html:
    def escape(self, s, quote=True):
        s = s.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
        return s.replace('"', '&quot;').replace("'", '&#x27;') if quote else s
    def unescape(self, s):
        signs = (('lt', '<'), ('gt', '>'), ('quot', '"'), ('#x27', "'"), ('#39', "'"), ('nbsp', chr(160)), ('amp', '&'))
        for sign, letter in signs:
            s = s.replace('&' + sign + ';', letter)
        return s
_html_ = _Html()
"""
URLS = """
import collections as _kept_
_Parsed = _kept_.namedtuple('ParseResult', ['scheme', 'netloc', 'path', 'params', 'query', 'fragment'])
class _UrlParse:
    def quote(self, string, safe='/'):
        free = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~' + safe
        return ''.join([chr(one) if one < 128 and chr(one) in free else '%%%02X' % one for one in string.encode()])
    def quote_plus(self, string, safe=''):
        return self.quote(string, safe + ' ').replace(' ', '+')
    def unquote(self, string):
        data, at, raw = '', 0, string.encode().hex()
        while at < len(raw):
            if raw[at:at + 2] == '25' and at + 6 <= len(raw):
                data += bytes.fromhex(raw[at + 2:at + 6]).decode()
                at += 6
            else:
                data += raw[at:at + 2]
                at += 2
        return bytes.fromhex(data).decode()
    def unquote_plus(self, string):
        return self.unquote(string.replace('+', ' '))
    def urlencode(self, query):
        pairs = query.items() if isinstance(query, dict) else query
        return '&'.join([self.quote_plus(str(key)) + '=' + self.quote_plus(str(value)) for key, value in pairs])
    def parse_qsl(self, qs):
        pairs = [one.partition('=') for one in qs.split('&') if '=' in one]
        return [(self.unquote_plus(key), self.unquote_plus(value)) for key, _, value in pairs if value]
    def parse_qs(self, qs):
        found = {}
        for key, value in self.parse_qsl(qs):
            found.setdefault(key, []).append(value)
        return found
    def urlparse(self, url):
        rest, _, fragment = url.partition('#')
        rest, _, query = rest.partition('?')
        scheme, colon, after = rest.partition(':')
        if not colon or not scheme.isalnum():
            scheme, after = '', rest
        netloc, path = '', after
        if after.startswith('//'):
            host, slash, end = after[2:].partition('/')
            netloc, path = host, slash + end
        return _Parsed(scheme.lower(), netloc, path, '', query, fragment)
class _Urllib:
    parse = _UrlParse()
_urllib_ = _Urllib()
_urllib_parse_ = _urllib_.parse
"""
PPRINT = """
def _tidy_(x):
    if isinstance(x, dict):
        return {key: _tidy_(x[key]) for key in sorted(x, key=str)}
    return [_tidy_(one) for one in x] if isinstance(x, list) else x
def _pretty_(x, width, indent):
    flat = repr(x)
    if len(flat) + indent <= width or not isinstance(x, (dict, list, tuple)):
        return flat
    pad = ',\\n' + ' ' * (indent + 1)
    if isinstance(x, dict):
        return '{' + pad.join([repr(key) + ': ' + _pretty_(x[key], width, indent + len(repr(key)) + 3) for key in x]) + '}'
    inner = pad.join([_pretty_(one, width, indent + 1) for one in x])
    return '[' + inner + ']' if isinstance(x, list) else '(' + inner + ')'
class _Pprint:
    def pformat(self, object, indent=1, width=80, sort_dicts=True):
        return _pretty_(_tidy_(object) if sort_dicts else object, width - 1, 0)
    def pprint(self, object, indent=1, width=80, sort_dicts=True):
        print(self.pformat(object, indent, width, sort_dicts))
    def pp(self, object, indent=1, width=80, sort_dicts=False):
        print(self.pformat(object, indent, width, sort_dicts))
_pprint_ = _Pprint()
"""
SECRETS = """
import random as _chance_
class _Secrets:
    def choice(self, items):
        return _chance_.choice(items)
    def randbelow(self, n):
        return _chance_.randrange(n)
    def token_hex(self, nbytes=32):
        return ''.join(['%02x' % _chance_.randrange(256) for _ in range(nbytes)])
_secrets_ = _Secrets()
"""
