"""Where the pages are served, and under which names a browser may ask for them."""

import errno
import ipaddress
import os
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import TypeAlias
from urllib.parse import urlsplit

from toolyard.core.errors import UsageError

LOOPBACK = "127.0.0.1"
BACKLOG = 512
HTTP_PORT = 80
Address: TypeAlias = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Listening:
    """The open sockets of one `--host`, all on the same port."""

    host: str
    port: int
    sockets: tuple[socket.socket, ...]

    @property
    def addresses(self) -> tuple[Address, ...]:
        """What it is bound to."""
        return tuple(ipaddress.ip_address(each.getsockname()[0].split("%")[0]) for each in self.sockets)

    @property
    def only_here(self) -> bool:
        """Whether only this machine can reach it."""
        return all(address.is_loopback for address in self.addresses)

    @property
    def url(self) -> str:
        """What to open in a browser; bound to every address, the one by which others reach this machine."""
        everywhere = any(address.is_unspecified for address in self.addresses)
        host = outward_address() if everywhere else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def answers_to(self, header: str) -> bool:
        """Whether a Host header names what is served; a foreign name that resolves here is somebody's trick."""
        try:
            parts = urlsplit(f"//{header}")
            name, port = parts.hostname or "", parts.port or HTTP_PORT
        except ValueError:
            return False
        if parts.netloc != header or "@" in header or port != self.port:
            return False
        return name == self.host.lower() or self._answers_to_name(name)

    def _answers_to_name(self, name: str) -> bool:
        here = any(address.is_loopback or address.is_unspecified for address in self.addresses)
        if name == "localhost":
            return here
        try:
            asked = ipaddress.ip_address(name)
        except ValueError:
            return False
        # Bound to every address, any number will do: only a name can be made to point at somebody else's machine.
        everywhere = any(address.is_unspecified for address in self.addresses)
        return everywhere or asked in self.addresses or (here and asked.is_loopback)

    def close(self) -> None:
        """Gives the port back."""
        for each in self.sockets:
            each.close()


def outward_address() -> str:
    """The address from which this machine reaches others; loopback where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only chooses the way.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def open_sockets(host: str, port: int) -> Listening:
    """Sockets on every address of the host; port 0 takes a free one. Raises UsageError where it cannot."""
    sockets: list[socket.socket] = []
    refused = OSError(errno.EADDRNOTAVAIL, "")
    for family, address in _resolve_host(host):
        try:
            sockets.append(socket.create_server((address, port), family=family, backlog=BACKLOG))
        except OSError as error:
            refused = error
            if error.errno != errno.EADDRNOTAVAIL:
                break
        else:
            port = sockets[0].getsockname()[1]
    if not sockets or refused.errno != errno.EADDRNOTAVAIL:
        for each in sockets:
            each.close()
        raise UsageError(
            f"cannot listen on {host} port {port} ({os.strerror(refused.errno or 0)}); "
            "choose another --port, 0 for a free one, or an address of this machine for --host"
        )
    return Listening(host, port, tuple(sockets))


def _resolve_host(host: str) -> dict[tuple[socket.AddressFamily, str], None]:
    try:
        found = socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UsageError(
            f"--host {host} is not an address or name that this machine knows; leave it out for {LOOPBACK}"
        ) from None
    return {(family, str(place[0])): None for family, _, _, _, place in found}
