"""Any endpoint that speaks the OpenAI chat format: hosted, vLLM, llama.cpp, Ollama."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from toolyard.core.errors import CONTEXT_OVERFLOW, ProviderError, UsageError
from toolyard.core.types import Completion, Failure, JsonValue, Record, Request, Usage
from toolyard.models.base import Limits, Model, Price, request_tokens
from toolyard.models.environment_settings import default_address
from toolyard.models.http import refusal as refusals
from toolyard.models.http import wire
from toolyard.models.http.address import refuse_keys
from toolyard.models.http.endpoint import Attempts, Endpoint, EndpointAnswer
from toolyard.models.http.rate_limits import RequestWork
from toolyard.models.http.request_settings import ROOM_UNASKED, Asking, read_asking
from toolyard.models.http.request_settings import SETTINGS as ASKING_SETTINGS
from toolyard.models.http.stream import Assembly, ChatStream
from toolyard.models.http.thoughts import THOUGHT_CUT, limit_answer
from toolyard.models.http.usage import counts_are_missing, read_usage
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec
from toolyard.text.counted_nouns import how_many

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
SETTINGS = ("base_url", "key_env", "price", *ASKING_SETTINGS)
# How often a limit of tokens is lowered because an endpoint names what its context has left; honest ones name it once.
SHORTENINGS = 3
SCHEMA_REFUSED = "schema_refused"
ADJUSTED = {
    wire.RENAMED: f"max_tokens sent as {wire.RENAMED}",
    "stop": "stop not sent: answers cut where they should have stopped",
}
ESTIMATED = "token counts estimated where the endpoint sent none or impossible ones"


@dataclass(frozen=True, slots=True)
class Surface:
    """One format of requests and answers: where it is posted, how it is written and read, which word limits it."""

    name: str
    path: str
    body: Callable[..., dict[str, JsonValue]]
    read: Callable[[JsonValue, Request, float], Completion | Failure]
    assembly: Callable[[], Assembly]
    limit: str


CHAT = Surface("chat", "chat/completions", wire.request_body, wire.read_completion, ChatStream, "max_tokens")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a model is asked, and with which key."""

    name: str
    base_url: str = field(repr=False)
    key: str | None = field(repr=False)


def read_address(spec: ModelSpec, environment: Mapping[str, str] | None = None) -> Address:
    """The model's name, its place and its key; the default key goes to the default address only.

    That is the address in OPENAI_BASE_URL where the environment has one.
    """
    spec.refuse_other_settings(*SETTINGS)
    known = environment or os.environ
    default = default_address(known)
    refuse_keys(default)
    base_url = spec.settings.get("base_url") or default or DEFAULT_BASE_URL
    origin = web_origin(base_url)
    if not origin or not spec.name:
        raise UsageError(f"{spec.printable}: wanted {spec.kind}/NAME?base_url=http(s)://HOST/v1")
    key = _key_from_environment(
        spec.settings.get("key_env"), origin, web_origin(default or DEFAULT_BASE_URL), known
    )
    if key is not None and key in unquote(base_url):
        raise UsageError("base_url holds the key itself; leave it out, it is sent in a header")
    return Address(spec.name, base_url, key)


def web_origin(url: str) -> str:
    """Scheme, host and port of a web address; empty where it is none that can be asked."""
    from yarl import URL

    try:
        found = URL(url)
        usable = found.scheme in ("http", "https") and found.host and url.isprintable() and " " not in url
        return str(found.origin()) if usable else ""
    except (ValueError, UnicodeError):
        return ""


def _key_from_environment(
    variable: str | None, origin: str, default: str, environment: Mapping[str, str]
) -> str | None:
    if variable is None and origin != default:
        return None
    name = variable or DEFAULT_KEY
    key = environment.get(name, "").strip()
    # A server of one's own may want none.
    if not key and variable is None and origin != web_origin(DEFAULT_BASE_URL):
        return None
    if not key:
        # What does not look like the name of a variable may be the key itself, put in the wrong place.
        shown = name if name == name.upper() else "such variable"
        raise UsageError(
            f"the environment has no {shown}; export it, or name another variable with key_env=VAR"
        )
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"{name} holds characters that no key has; export it again")
    return key


def _price_of_spec(spec: ModelSpec) -> Price | None:
    spec.refuse_other_settings(*SETTINGS)
    return spec.price


def load_openai(spec: ModelSpec, limits: Limits, surface: Surface = CHAT) -> "OpenAIModel":
    """The model behind `openai/...` or `responses/...`."""
    address = read_address(spec)
    endpoint = Endpoint(address.base_url, key=address.key, limits=limits)
    return OpenAIModel(
        address.name, endpoint, name=spec.display, price=spec.price, asking=read_asking(spec), surface=surface
    )


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint.

    A prompt that does not fit the context is an empty completion with finish reason
    `context_overflow`. Parameters that the endpoint refuses by name are left out from then on and
    listed in `adjustments`. Thoughts have room of their own: a model that is found to think although
    nobody asked is given it from then on.
    """

    # However many ask at once, no more requests are under way than its limits say.
    paced = True

    def __init__(
        self,
        model: str,
        endpoint: Endpoint,
        *,
        name: str = "",
        price: Price | None = None,
        asking: Asking = wire.PLAIN,
        surface: Surface = CHAT,
    ) -> None:
        self.name = name or f"openai/{model}"
        self.price = price
        kind = "openai" if surface is CHAT else surface.name
        self.identity = f"{kind}/{model}@{endpoint.base_url}{asking.identity}"
        self.thought_tokens = asking.thought_tokens or 0
        self._model = model
        self._endpoint = endpoint
        self._asking = asking
        self._surface = surface
        self._dropped: frozenset[str] = frozenset()
        self._is_estimated = False
        self._cut_thoughts = 0
        self._server = ""

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What this endpoint would not take or did not tell, for the manifest."""
        dropped = (ADJUSTED.get(name, f"{name} not sent") for name in sorted(self._dropped))
        unasked = self.thought_tokens and not self._asking.thought_tokens
        return (
            *dropped,
            *([ESTIMATED] if self._is_estimated else []),
            *self._endpoint.pace.adjustments,
            *([f"the model thinks: {self.thought_tokens} tokens of room for it"] if unasked else []),
            *(
                [f"{how_many(self._cut_thoughts, 'answer')} ended inside the thought"]
                if self._cut_thoughts
                else []
            ),
        )

    @property
    def serving(self) -> dict[str, JsonValue]:
        """How the answers came about, for the manifest."""
        asking = self._asking
        facts: dict[str, JsonValue] = {
            "surface": self._surface.name,
            "server": self._server,
            "streamed": asking.streams,
            "reasoning": asking.effort,
            "reasoning_tokens": self.thought_tokens,
            "thoughts": "sent" if asking.sends_thoughts else "",
            "strict": asking.strict,
            "extra": dict(asking.extra),
        }
        return {key: value for key, value in facts.items() if value}

    async def generate(self, request: Request) -> Completion:
        """The endpoint's answer, after as many attempts as the limits allow."""
        room = self._thought_room(request)
        first = await self._answer_request(request, room)
        if first.finish_reason != THOUGHT_CUT or not self._makes_room(room):
            return first
        room = self.thought_tokens
        try:
            if request.allotment is not None:
                request.allotment.lose(first.usage, is_known=True)
                await request.allotment.more(request.decoding.max_tokens + room)
            answer = await self._answer_request(request, room)
        except ProviderError as error:
            error.spent += first.paid
            raise
        # What a thought that was cut has cost is paid for, too.
        return replace(answer, lost=answer.lost + first.paid)

    def _thought_room(self, request: Request) -> int:
        """Room for thoughts: what is known to be needed, and no more than was set aside under a limit on cost."""
        granted = request.allotment
        return self.thought_tokens if granted is None else min(self.thought_tokens, granted.room)

    async def _answer_request(self, request: Request, room: int) -> Completion:
        """One paid answer; requests that were refused for their form are sent again in another."""
        most: int | None = None
        rounds = 0
        written = request.decoding.max_tokens + room
        attempts = Attempts(Usage(request_tokens(request), written), request.allotment)
        while True:
            dropped = self._dropped
            body = self._request_body(request, most, room)
            answer = await self._post(body, request, attempts)
            if isinstance(answer, Completion):
                held = limit_answer(answer, request.decoding.max_tokens) if room else answer
                # Of one that is asked for again the second counts.
                again = not room and self._asking.thought_tokens is None
                self._cut_thoughts += answer.finish_reason == THOUGHT_CUT and not again
                return replace(held, lost=attempts.lost) if attempts.lost != Usage() else held
            left = refusals.remaining_tokens(answer)
            refused = refusals.refused_parameters(answer, tuple(body))
            if left is not None and (most is None or left < most) and rounds < SHORTENINGS:
                most, rounds = left, rounds + 1
            elif refusals.is_overflow(answer):
                return Completion("", finish_reason=CONTEXT_OVERFLOW, model=self._model, lost=attempts.lost)
            elif refused - dropped:
                # Parallel requests learn the same thing; each round sends at least one parameter less.
                self._dropped |= refused
            else:
                raise self._error_of_refusal(answer, request, attempts.lost)

    def _makes_room(self, room: int) -> bool:
        """Whether a thought that was cut is asked for again: once, where nothing was said about thoughts."""
        if room or self._asking.thought_tokens is not None:
            return False
        # Requests that were under way together all come here; each is asked once more.
        self.thought_tokens = ROOM_UNASKED
        return True

    def _error_of_refusal(self, answer: refusals.Refusal, request: Request, spent: Usage) -> ProviderError:
        said = f"{self.identity} answered {answer.status}: {answer.message[:300]!r}"
        if request.tools and refusals.concerns_tools(answer):
            said = f"the endpoint refuses the tools of this sample; {said}"
            return ProviderError(SCHEMA_REFUSED, said, spent=spent)
        return ProviderError("bad_request", said, spent=spent)

    @property
    def path(self) -> str:
        """Where requests of this surface are posted, below the base URL."""
        return self._surface.path

    @property
    def learned_settings(self) -> dict[str, JsonValue]:
        """What the endpoint has taught so far; a batch that is continued later needs it again."""
        return {"dropped": sorted(self._dropped), "thought_tokens": self.thought_tokens}

    def recall(self, learned: Record) -> None:
        """Knows what an earlier session learned."""
        self._dropped |= frozenset(learned["dropped"])
        self.thought_tokens = max(self.thought_tokens, learned["thought_tokens"])

    def batched_body(self, request: Request) -> dict[str, JsonValue]:
        """What a batch file holds for one request: the same that is posted, never as a stream."""
        whole = replace(self._asking, streams=False)
        return self._surface.body(self._model, request, self._dropped, whole, self._thought_room(request))

    def read_batched(self, payload: JsonValue, request: Request) -> Completion | None:
        """The answer of a batch file, at the price of one; None where it is no answer."""
        found = self._surface.read(payload, request, 0.0)
        if isinstance(found, Failure):
            return None
        self._is_estimated |= counts_are_missing(payload, found)
        held = limit_answer(found, request.decoding.max_tokens) if self.thought_tokens else found
        return replace(held, usage=held.usage.as_batched)

    def wants_room(self, completion: Completion) -> bool:
        """Whether an answer of a batch was cut inside its reasoning because no limit was reserved for it."""
        if completion.finish_reason != THOUGHT_CUT or self._asking.thought_tokens is not None:
            return False
        self.thought_tokens = max(self.thought_tokens, ROOM_UNASKED)
        return True

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked."""
        return self._endpoint

    async def _post(
        self, body: Mapping[str, JsonValue], request: Request, attempts: Attempts
    ) -> Completion | refusals.Refusal:
        surface = self._surface

        def read(answer: EndpointAnswer) -> Completion | refusals.Refusal:
            if answer.refusal is not None:
                return answer.refusal
            completion = surface.read(answer.payload, request, answer.latency)
            if isinstance(completion, Failure):
                counts = answer.payload.get("usage") if isinstance(answer.payload, dict) else None
                spent = read_usage(counts, Usage())
                said = f"{self.identity} sent {completion.detail}"
                raise ProviderError(completion.kind, said, spent=spent, billed=spent == Usage())
            self._is_estimated |= counts_are_missing(answer.payload, completion)
            self._server = answer.server or self._server
            return replace(completion, first_token=answer.first_token) if answer.first_token else completion

        assembly = surface.assembly if self._asking.streams else None
        work = RequestWork(attempts.estimate.prompt_tokens, attempts.estimate.completion_tokens)
        return await self._endpoint.post(
            surface.path, wire.encode_json(body), read, assembly, work, _usage_of_answer, attempts
        )

    def _request_body(self, request: Request, most: int | None, room: int) -> dict[str, JsonValue]:
        body = self._surface.body(self._model, request, self._dropped, self._asking, room)
        if most is not None:
            limit = wire.RENAMED if wire.RENAMED in body else self._surface.limit
            before = body[limit]
            body[limit] = min(most, before) if isinstance(before, int) else most
        return body

    async def close(self) -> None:
        """Closes the connections."""
        await self._endpoint.close()


def _usage_of_answer(answer: Completion | refusals.Refusal) -> Usage | None:
    return answer.usage if isinstance(answer, Completion) else None


def provider_for(surface: Surface) -> Provider:
    """The provider of a surface."""

    def load(spec: ModelSpec, context: LoadContext) -> Model:
        return load_openai(spec, context.limits, surface)

    kind = "openai" if surface is CHAT else surface.name
    return Provider(f"{kind}/NAME[?base_url=...&key_env=VAR&price=IN,OUT]", load, _price_of_spec)


PROVIDER = provider_for(CHAT)
