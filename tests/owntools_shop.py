"""A live shop whose functions note every call that reaches them."""

from __future__ import annotations

from typing import TypedDict

CALLS: list[str] = []


class Order(TypedDict):
    """One order of the shop."""

    order_id: str
    item: str


def list_orders() -> list[Order]:
    """Lists all orders of the shop."""
    CALLS.append("list_orders")
    return [{"order_id": "real-1", "item": "lamp"}, {"order_id": "real-2", "item": "chair"}]


def get_order(order_id: str) -> Order:
    """Reads one order.

    order_id: Which order is meant.
    """
    CALLS.append(f"get_order {order_id}")
    return {"order_id": order_id, "item": "lamp"}


def create_order(item: str) -> Order:
    """Places an order for an item.

    item: What is ordered.
    """
    CALLS.append("create_order")
    return {"order_id": "real-3", "item": item}


def delete_order(order_id: str) -> bool:
    """Cancels an order for good.

    order_id: Which order is meant.
    """
    CALLS.append("delete_order")
    return bool(order_id)


def quote(item: str) -> float:
    """Says what an item costs.

    item: What is asked about.
    """
    CALLS.append("quote")
    return float(len(item))
