"""What the iTunes store files where, and how it writes prices."""

from __future__ import annotations

import functools

from toolyard.world.shared.geography import currencies
from toolyard.world.tables import plain, read_table

_THOUSAND = 1000

# Series that make people laugh.
COMEDIES = frozenset(
    ("The Office", "The Office (UK)", "Friends", "Seinfeld", "Parks and Recreation", "Modern Family", "Brooklyn Nine-Nine",
     "The Big Bang Theory", "How I Met Your Mother", "Arrested Development", "30 Rock", "Curb Your Enthusiasm", "Veep",
     "Fleabag", "Ted Lasso", "Schitt's Creek", "The Simpsons", "South Park", "Family Guy", "Futurama", "Fawlty Towers",
     "Monty Python's Flying Circus", "Blackadder", "Peep Show", "The IT Crowd", "Community", "Scrubs", "Cheers", "Frasier",
     "M*A*S*H", "I Love Lucy", "The Good Place", "Abbott Elementary", "Only Murders in the Building", "The Bear",
     "Derry Girls",
     "It's Always Sunny in Philadelphia", "Silicon Valley", "Sex and the City", "Two and a Half Men", "Saturday Night Live")
)  # fmt: skip
# Albums that came out in another year than the listed song of theirs.
ALBUM_YEARS = {
    "1967-1970": 1973, "Hot Fuss": 2004, "21": 2011, "After Hours": 2020, "Discovery": 2001, "Jolene": 1974,
    "What a Wonderful World": 1968, "Stray Sheep": 2020, "Vida": 2019,
}  # fmt: skip
# Songs and albums that a store marks as explicit, by artist.
_EXPLICIT = {
    "Eminem": "Lose Yourself;Stan;The Real Slim Shady;Without Me;Love the Way You Lie;8 Mile;The Slim Shady LP;"
    "The Marshall Mathers LP;The Eminem Show",
    "Kendrick Lamar": "HUMBLE.;Humble;Alright;Not Like Us;Swimming Pools (Drank);good kid, m.A.A.d city;"
    "To Pimp a Butterfly;DAMN.;Mr. Morale & The Big Steppers",
    "Drake": "God's Plan;Started from the Bottom;Take Care;Views;Scorpion;For All the Dogs",
    "Kanye West": "Stronger;Gold Digger;The College Dropout;Graduation;My Beautiful Dark Twisted Fantasy",
    "Jay-Z": "99 Problems;Empire State of Mind;Reasonable Doubt;The Blueprint;The Black Album;The Blueprint 3",
    "Wu-Tang Clan": "C.R.E.A.M.", "N.W.A": "Straight Outta Compton", "Dr. Dre": "Still D.R.E.", "50 Cent": "In da Club",
    "Snoop Dogg": "Drop It Like It's Hot;Gin and Juice", "Tupac Shakur": "California Love;Changes",
    "Nas": "N.Y. State of Mind", "Nicki Minaj": "Starships",
    "The Notorious B.I.G.": "Juicy;Hypnotize", "Lil Wayne": "Lollipop", "Cardi B": "Bodak Yellow",
    "Macklemore": "Thrift Shop",
    "Travis Scott": "Sicko Mode", "Post Malone": "Rockstar", "Radiohead": "Creep;Pablo Honey",
    "The Weeknd": "The Hills;Starboy;Beauty Behind the Madness;After Hours;Dawn FM",
    "Beyoncé": "Lemonade;Renaissance;Cowboy Carter", "Rihanna": "Anti", "Dua Lipa": "Dua Lipa;Future Nostalgia",
    "Taylor Swift": "Folklore;Evermore;Midnights;The Tortured Poets Department", "Billie Eilish": "Happier Than Ever",
    "Green Day": "American Idiot", "Amy Winehouse": "Frank;Back to Black", "Bruno Mars": "Unorthodox Jukebox",
    "Bad Bunny": "YHLQMDLG;Un Verano Sin Ti;Dákiti;Tití Me Preguntó", "OutKast": "Ms. Jackson",
    "Beastie Boys": "Sabotage", "Rage Against the Machine": "Killing in the Name",
}  # fmt: skip
# How the store writes genres that the tables write otherwise.
_SHELVES = {
    "science fiction": "Sci-Fi", "r&b": "R&B/Soul", "soul": "R&B/Soul", "film": "Soundtrack", "hip hop": "Hip-Hop/Rap",
    "hip-hop": "Hip-Hop/Rap", "k-pop": "K-Pop", "electronic": "Electronic",
}  # fmt: skip


# Songs and albums of another style than most of their artist's.
_OTHER_STYLE = {
    "Country": {"Taylor Swift": "Taylor Swift;Fearless;Speak Now;Red;Love Story;You Belong with Me",
                "Beyoncé": "Cowboy Carter;Texas Hold 'Em"},
    "Alternative": {"Taylor Swift": "Folklore;Evermore;Cardigan"},
    "Rock": {"Bob Dylan": "Highway 61 Revisited;Blonde on Blonde;Blood on the Tracks;Like a Rolling Stone;"
             "Knockin' on Heaven's Door"},
    "Pop": {"Bee Gees": "To Love Somebody", "Shakira": "Laundry Service;Whenever, Wherever;Hips Don't Lie;Waka Waka"},
}  # fmt: skip


@functools.cache
def _by_style() -> dict[tuple[str, str], str]:
    return {
        (plain(artist), plain(name)): genre
        for genre, artists in _OTHER_STYLE.items()
        for artist, names in artists.items()
        for name in names.split(";")
    }


def shelf(genre: str) -> str:
    """A genre as the store writes it."""
    return _SHELVES.get(genre.lower(), genre)


def style_of(artist: str, name: str, genre: str) -> str:
    """The genre of a song or album, which may be another one than that of its artist, as the store writes it."""
    return _by_style().get((plain(artist), plain(name)), shelf(genre))


@functools.cache
def podcasts_known() -> tuple[tuple[str, str, str, int], ...]:
    """Podcasts with who makes them, their genre and the year in which they began."""
    return tuple(
        (row["title"], row["publisher"], row["genre"], int(row["year"])) for row in read_table("podcasts.tsv")
    )


@functools.cache
def _marked() -> frozenset[tuple[str, str]]:
    return frozenset(
        (plain(artist), plain(name)) for artist, names in _EXPLICIT.items() for name in names.split(";")
    )


def is_explicit(artist: str, name: str) -> bool:
    """Whether a store marks a song or an album as explicit."""
    return (plain(artist), plain(name)) in _marked()


# What those write who write no plain fiction.
_WRITTEN = {
    "Fantasy": "J. K. Rowling;J. R. R. Tolkien;George R. R. Martin;C. S. Lewis;Terry Pratchett;Neil Gaiman;Philip Pullman;"
    "Rick Riordan;Stephenie Meyer;Susanna Clarke;Brandon Sanderson;Robert Jordan;Patrick Rothfuss;Christopher Paolini",
    "Science Fiction": "Isaac Asimov;Frank Herbert;Arthur C. Clarke;Ray Bradbury;Philip K. Dick;Ursula K. Le Guin;"
    "Douglas Adams;H. G. Wells;Jules Verne;Andy Weir;Orson Scott Card;William Gibson;Suzanne Collins;Liu Cixin;"
    "Robert A. Heinlein;Ernest Cline;Michael Crichton",
    "Mystery": "Agatha Christie;Arthur Conan Doyle;Dan Brown;Stieg Larsson;Gillian Flynn;Raymond Chandler;John Grisham;"
    "Ian Fleming;John le Carré;Paula Hawkins;Dashiell Hammett;Lee Child;Patricia Highsmith",
    "Horror": "Stephen King;Bram Stoker;H. P. Lovecraft;Mary Shelley;Shirley Jackson",
    "Biographies & Memoirs": "Michelle Obama;Barack Obama;Walter Isaacson;Anne Frank;Nelson Mandela;Malala Yousafzai;"
    "Trevor Noah;Tara Westover;Prince Harry;Mahatma Gandhi;Phil Knight;Matthew McConaughey;Maya Angelou",
    "Nonfiction": "Yuval Noah Harari;Stephen Hawking;Malcolm Gladwell;Daniel Kahneman;James Clear;Dale Carnegie;"
    "Stephen R. Covey;Stephen Covey;Carl Sagan;Charles Darwin;Plato;Aristotle;Friedrich Nietzsche;Karl Marx;Adam Smith;"
    "Sun Tzu;Niccolò Machiavelli;Marcus Aurelius;Sigmund Freud;Bill Bryson;Richard Dawkins;Jared Diamond;Thomas Piketty;"
    "Rachel Carson;Betty Friedan;Simone de Beauvoir;Robert Kiyosaki;Napoleon Hill;Mark Manson;Susan Cain;Michael Lewis;"
    "Steven Pinker;Naomi Klein;Rebecca Skloot;Siddhartha Mukherjee;Bessel van der Kolk;Viktor Frankl;Jordan Peterson;"
    "Cal Newport;Peter Thiel;Eric Ries;Steven Levitt;Nassim Nicholas Taleb;Neil deGrasse Tyson;Brené Brown;Jon Krakauer;"
    "Hannah Arendt;Jean-Jacques Rousseau;Thomas Hobbes;John Locke;Immanuel Kant;Michel Foucault",
}


def genre_by(writer: str) -> str:
    """Under which genre a store files the books of a writer."""
    return next((genre for genre, names in _WRITTEN.items() if writer in names.split(";")), "Fiction")


@functools.cache
def per_usd() -> dict[str, float]:
    """Units of a currency for a US dollar."""
    return {row["code"]: row["per_usd"] for row in currencies()}


def shelf_price(amount: float, currency: str) -> float:
    """A price as shops write it: 7.99 pounds, 200 yen."""
    if currency == "USD" or amount < 1:
        return round(amount, 2)
    if per_usd()[currency] >= 50:
        return float(max(10, round(amount, -1 if amount < _THOUSAND else -2)))
    return (
        round(max(1, round(amount + 0.01)) - 0.01, 2)
        if amount >= 2
        else round(round(amount - 0.09, 1) + 0.09, 2)
    )
