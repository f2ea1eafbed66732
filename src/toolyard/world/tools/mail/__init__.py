"""Mail: a mailbox inside the world."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    computed=("Mail/send send_list",), kinds=("text",), on_the_web=False, fields={ALL: {"os": 3}}
)
