"""The properties by which vehicles are described: id, name, group, meaning, and the values of those that have a list."""

from __future__ import annotations

from toolyard.world.kernel.tables import values_of

VARIABLES: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    ("5", "Body Class", "Exterior", "Shape of the body and number of doors.",
     ("Convertible", "Coupe", "Hatchback", "Minivan", "Motorcycle", "Pickup", "Roadster", "Sedan",
      "Sport Utility Vehicle (SUV)", "Van", "Wagon")),
    ("9", "Engine Number of Cylinders", "Engine", "How many cylinders the engine has.", ()),
    ("13", "Displacement (L)", "Engine", "Volume of all cylinders in litres.", ()),
    ("14", "Doors", "Exterior", "How many doors there are.", ()),
    ("15", "Drive Type", "Mechanical", "Which wheels are driven.",
     ("4WD/4-Wheel Drive/4x4", "AWD/All-Wheel Drive", "FWD/Front-Wheel Drive", "RWD/Rear-Wheel Drive")),
    ("18", "Engine Model", "Engine", "Name that the maker gives to the engine.", ()),
    ("24", "Fuel Type - Primary", "Engine", "What the engine mainly runs on.",
     ("Compressed Natural Gas (CNG)", "Diesel", "Electric", "Ethanol (E85)", "Flexible Fuel Vehicle (FFV)", "Fuel Cell",
      "Gasoline", "Liquefied Petroleum Gas (LPG)")),
    ("26", "Make", "General", "Brand under which the vehicle is sold.", ()),
    ("28", "Model", "General", "Name of the model.", ()),
    ("29", "Model Year", "General", "Year that the maker assigns to the model.", ()),
    ("37", "Transmission Style", "Mechanical", "How gears are changed.",
     ("Automatic", "Automated Manual (AMT)", "Continuously Variable (CVT)", "Dual-Clutch (DCT)", "Manual")),
    ("39", "Vehicle Type", "General", "Class of vehicle under the rules of the road.",
     ("Bus", "Motorcycle", "Multipurpose Passenger Vehicle (MPV)", "Passenger Car", "Trailer", "Truck")),
    ("64", "Engine Configuration", "Engine", "How the cylinders are arranged.",
     ("Horizontally Opposed (boxer)", "In-Line", "Rotary", "V-Shaped", "W Shaped")),
    ("65", "Front Air Bag Locations", "Passive Safety", "Which seats have air bags in front of them.",
     ("1st Row (Driver and Passenger)", "Driver Seat Only", "None")),
    ("71", "Engine Brake (hp) From", "Engine", "Least power of the engine in horsepower.", ()),
    ("75", "Plant Country", "General", "Country of the plant where the vehicle was built.",
     ("Canada", "France", "Germany", "Italy", "Japan", "Mexico", "South Korea", "Sweden", "United Kingdom",
      "United States")),
    ("86", "Anti-lock Braking System (ABS)", "Active Safety", "Whether wheels are kept from locking.",
     ("Not Available", "Optional", "Standard")),
    ("99", "Electronic Stability Control (ESC)", "Active Safety", "Whether skidding is corrected by braking wheels.",
     ("Not Available", "Optional", "Standard")),
    ("126", "Electrification Level", "Engine", "How far the drive is electric.",
     ("BEV (Battery Electric Vehicle)", "FCEV (Fuel Cell Electric Vehicle)",
      "Mild HEV (Hybrid Electric Vehicle)", "PHEV (Plug-in Hybrid Electric Vehicle)",
      "Strong HEV (Hybrid Electric Vehicle)")),
)  # fmt: skip

# The numbers that the catalogue of the road safety administration gives to values; lists without them are counted.
NUMBERS: dict[str, tuple[int, ...]] = values_of("variables.numbers")

# Properties whose values are names.
TEXTS = frozenset(("Engine Model", "Make", "Model"))
