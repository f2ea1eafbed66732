"""A Ray cluster: the one that is named, that of RAY_ADDRESS, or one that is started here and ends with the process."""

import logging
import os
from types import ModuleType

from toolyard.core.errors import MissingExtra, UsageError
from toolyard.core.types import Record

OBJECT_STORE_BYTES = 200 * 2**20


def connect_ray(address: str = "") -> ModuleType:
    """Ray, connected once."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    try:
        import ray
    except ImportError:
        raise MissingExtra("--engine ray needs Ray: pip install 'toolyard[ray]'") from None
    if ray.is_initialized():
        return ray
    address = address or os.environ.get("RAY_ADDRESS", "") or "local"
    local = {"object_store_memory": OBJECT_STORE_BYTES, "include_dashboard": False}
    settings: Record = local if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **settings)
    except (ConnectionError, ValueError) as error:
        raise UsageError(f"no Ray cluster answers at {address} ({_first_line(error)})") from None
    return ray


def connected_data(address: str = "") -> ModuleType:
    """Ray Data, which keeps the order of rows and draws no bars."""
    connect_ray(address)
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    return ray.data


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
