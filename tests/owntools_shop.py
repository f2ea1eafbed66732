"""A live shop whose functions note every call that reaches them."""

import os
from pathlib import Path
from typing import TypedDict

# The file that calls are noted in: functions of a source run in a process of their own.
LOG = "OWNTOOLS_SHOP_LOG"


def _note(text: str) -> None:
    if LOG in os.environ:
        with Path(os.environ[LOG]).open("a", encoding="utf-8") as log:
            log.write(f"{text}\n")


class Order(TypedDict):
    """One order of the shop."""

    order_id: str
    item: str


def list_orders() -> list[Order]:
    """Lists all orders of the shop."""
    _note("list_orders")
    return [{"order_id": "real-1", "item": "lamp"}, {"order_id": "real-2", "item": "chair"}]


def get_order(order_id: str) -> Order:
    """Reads one order.

    order_id: Which order is meant.
    """
    _note(f"get_order {order_id}")
    return {"order_id": order_id, "item": "lamp"}


def create_order(item: str) -> Order:
    """Places an order for an item.

    item: What is ordered.
    """
    _note("create_order")
    return {"order_id": "real-3", "item": item}


def delete_order(order_id: str) -> bool:
    """Cancels an order for good.

    order_id: Which order is meant.
    """
    _note("delete_order")
    return bool(order_id)


def quote(item: str) -> float:
    """Says what an item costs.

    item: What is asked about.
    """
    _note("quote")
    return float(len(item))
