"""The defects that a certificate names: which part of the stack each belongs to, and what it means."""

from dataclasses import dataclass

MODEL, TEMPLATE, PARSER, SERVER = "model", "chat template", "tool-call parser", "server"
LAYERS = (SERVER, PARSER, TEMPLATE, MODEL)


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect by its stable name."""

    name: str
    layer: str
    says: str


_ALL = (
    Defect("call_in_text", PARSER, "a well-formed call stands in the text but not in the list of calls"),
    Defect("call_in_thought", PARSER, "a well-formed call stands in the reasoning but not in the list of calls"),
    Defect("markup_in_text", PARSER, "markup of calls is left in the text beside the calls"),
    Defect("answer_swallowed", PARSER, "tokens were written, yet neither text nor a call came"),
    Defect("thought_in_text", PARSER, "marks of reasoning stand in the answer's text"),
    Defect("arguments_double_encoded", PARSER, "arguments are a JSON text inside a JSON text"),
    Defect("arguments_not_text", PARSER, "arguments are an object where the format wants a text of JSON"),
    Defect("arguments_not_json", PARSER, "arguments are not JSON, and the same task succeeds by prompt"),
    Defect("calls_merged", PARSER, "the arguments of several calls stand in one call"),
    Defect("name_damaged", PARSER, "a tool's name came with something before or behind it"),
    Defect("unicode_damaged", PARSER, "letters beyond ASCII came back broken"),
    Defect("escapes_damaged", PARSER, "escapes in arguments were undone or doubled; by prompt they are right"),
    Defect("values_as_text", PARSER, "numbers, truth values or objects came as strings; by prompt they are right"),
    Defect("parser_failed", PARSER, "the endpoint failed to read the model's own output"),
    Defect("tools_not_shown", TEMPLATE, "the prompt counts no more tokens with tools than without"),
    Defect("parameters_not_shown", TEMPLATE, "the prompt counts no more tokens when parameters are described at length"),
    Defect("result_not_shown", TEMPLATE, "the prompt counts no more tokens for a long tool result than for a short one"),
    Defect("system_not_shown", TEMPLATE, "the prompt counts no more tokens with a system message than without"),
    Defect("past_call_not_shown", TEMPLATE, "the prompt counts no more tokens for a long past call than for a short one"),
    Defect("template_failed", TEMPLATE, "the chat template could not render the conversation"),
    Defect("schema_refused", SERVER, "a valid JSON schema of a tool was refused"),
    Defect("choice_refused", SERVER, "a tool choice of the format was refused"),
    Defect("history_refused", SERVER, "a conversation with calls and results was refused"),
    Defect("request_refused", SERVER, "a plain request was refused"),
    Defect("server_failed", SERVER, "the endpoint failed (5xx) on every attempt"),
    Defect("bad_shape", SERVER, "the answer has not the form that the format wants"),
    Defect("choice_ignored", SERVER, "the tool choice was not kept"),
    Defect("parallel_ignored", SERVER, "several calls came although one at a time was asked for"),
    Defect("finish_wrong", SERVER, "the finish reason does not fit the answer, or is missing"),
    Defect("ids_missing", SERVER, "a call has no id"),
    Defect("ids_repeated", SERVER, "two calls have the same id"),
    Defect("usage_missing", SERVER, "no token counts were sent"),
    Defect("usage_wrong", SERVER, "token counts cannot be true"),
    Defect("limit_ignored", SERVER, "more tokens were written than allowed"),
    Defect("stream_not_ended", SERVER, "the stream ends without its end mark"),
    Defect("stream_broken", SERVER, "the stream holds chunks that are not JSON"),
    Defect("stream_chunks_lost", SERVER, "the pieces of the stream are not the whole answer"),
    Defect("stream_ids_changed", SERVER, "a call's id at the end of a stream is not the one that its pieces had"),
    Defect("stream_without_index", SERVER, "pieces of calls in the stream have no index"),
    Defect("stream_out_of_order", SERVER, "the numbers of the stream's events do not rise"),
)  # fmt: skip
DEFECTS = {defect.name: defect for defect in _ALL}

SUSPICIONS = {
    "native_only_loss": Defect(
        "native_only_loss",
        TEMPLATE,
        "solved by prompt, lost natively: the template, or a model not trained for it",
    ),
    "stream_only_loss": Defect(
        "stream_only_loss", SERVER, "solved whole, lost when streamed, without a trace in the stream"
    ),
}

MODEL_FAULTS = {
    "no_call": "no call where one was wanted",
    "wrong_call": "a call with other arguments, or too few calls",
    "unknown_tool": "a call of a tool that does not exist",
    "extra_call": "more calls than the task needs",
    "wrong_answer": "the last answer does not tell the tool's result",
    "bad_json": "arguments that are not JSON",
    "cut": "the answer did not end within the limit",
}
