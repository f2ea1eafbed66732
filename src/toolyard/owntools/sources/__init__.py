"""Where tools come from: MCP servers, OpenAPI documents, Python functions, files of JSON schemas, mirrors."""

from toolyard.owntools.sources.source_loading import load_source
from toolyard.owntools.sources.tool_source import CallExample, SourceTool, ToolSource

__all__ = ["CallExample", "SourceTool", "ToolSource", "load_source"]
