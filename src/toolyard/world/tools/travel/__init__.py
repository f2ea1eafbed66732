"""Flights, hotels, sights, cars and trains on one geography, with prices and rooms that depend on the day."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=(
        "Flight_JSON_Data",
        "Flight_Data_v2/get_location_by_ip",
        "Hotels/get_meta_data get_sites resolve_url",
        "Hotels_Statistical_Data/city_photo list_amenities list_hotel_types list_room_types search_country search_location",
    ),
    kinds=("places",),
    takes=("places",),
    fields={ALL: {"trip": 1}},
)
