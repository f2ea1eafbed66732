"""Of which kind performers and shows are, where such are shown, and who comes only where it was announced."""

from __future__ import annotations

GENRES = {
    "post-punk": ("Rock", "Post-Punk"), "post-rock": ("Rock", "Post-Rock"), "rock": ("Rock", "Rock"),
    "metal": ("Rock", "Heavy Metal"), "punk": ("Rock", "Punk"), "grunge": ("Rock", "Grunge"), "jazz": ("Jazz", "Jazz"),
    "blues": ("Blues", "Blues"), "classical": ("Classical", "Symphony"), "film": ("Classical", "Film Music"),
    "tango": ("World", "Tango"), "ragtime": ("Jazz", "Ragtime"), "country": ("Country", "Country"),
    "folk": ("Folk", "Folk"), "trip hop": ("Dance/Electronic", "Trip Hop"), "hip hop": ("Hip-Hop/Rap", "Rap"),
    "electronic": ("Dance/Electronic", "Electronic"), "soul": ("R&B", "Soul"), "r&b": ("R&B", "R&B"),
    "funk": ("R&B", "Funk"), "disco": ("R&B", "Disco"), "latin": ("Latin", "Latin Pop"), "k-pop": ("Pop", "K-Pop"),
    "synth-pop": ("Pop", "Synth-Pop"), "reggae": ("Reggae", "Reggae"), "bossa nova": ("Latin", "Bossa Nova"),
    "chanson": ("World", "Chanson"), "arabic": ("World", "Arabic Music"), "afro": ("World", "Afrobeats"),
    "world": ("World", "World Music"),
}  # fmt: skip
SPORTS = {
    "football": ("Soccer", "League"), "basketball": ("Basketball", "League"), "baseball": ("Baseball", "League"),
    "ice hockey": ("Hockey", "League"), "american football": ("Football", "League"),
}  # fmt: skip
SEGMENTS = {
    "Theatre": "Arts & Theatre", "Opera": "Arts & Theatre", "Dance": "Arts & Theatre", "Comedy": "Arts & Theatre",
    "Family": "Miscellaneous", "Tennis": "Sports", "Wrestling": "Sports", "Motorsport": "Sports", "Soccer": "Sports",
    "Olympics": "Sports", "Mixed Martial Arts": "Sports",
}  # fmt: skip
# Where such things are shown.
STAGES = {
    "Theatre": ("theatre",), "Comedy": ("theatre",), "Dance": ("opera house", "theatre"), "Opera": ("opera house",),
    "Classical": ("concert hall",), "Jazz": ("concert hall",), "Family": ("arena",), "Basketball": ("arena",),
    "Hockey": ("arena",), "Wrestling": ("arena",),
}  # fmt: skip
# Magicians, shows of Christmas and of winter, and circuses that stay in one country.
ANNOUNCED_ONLY = frozenset((
    "David Copperfield", "Penn & Teller", "Derren Brown", "Criss Angel", "Dynamo", "Siegfried & Roy",
    "Radio City Christmas Spectacular", "Trans-Siberian Orchestra", "Big Apple Circus", "Circus Roncalli", "Circus Knie",
    "Monte-Carlo Circus Festival", "Cavalia", "Slava's Snowshow", "Blue Man Group", "Stars on Ice", "Holiday on Ice",
))  # fmt: skip
# Artists who have died and bands that play no more: what comes of them is a tribute.
GONE = frozenset((
    "The Beatles;Pink Floyd;Led Zeppelin;The Doors;The Velvet Underground;Creedence Clearwater Revival;Rush;"
    "Dire Straits;The Clash;Ramones;Joy Division;The Smiths;Bee Gees;The Supremes;The Cranberries;Nirvana;"
    "Soundgarden;The White Stripes;Daft Punk;INXS;One Direction;Destiny's Child;OutKast;Beastie Boys;N.W.A;Run-DMC;"
    "A Tribe Called Quest;The Mamas & the Papas;Simon & Garfunkel;Van Halen;Talking Heads;Kiss;Slayer;Roxette;"
    "Michael Jackson;Prince;David Bowie;Elvis Presley;Bob Marley;John Lennon;George Harrison;Freddie Mercury;"
    "Jimi Hendrix;Janis Joplin;Leonard Cohen;Jeff Buckley;Marvin Gaye;Aretha Franklin;Ray Charles;James Brown;"
    "Otis Redding;Sam Cooke;Ben E. King;Bill Withers;Nina Simone;Tina Turner;Donna Summer;Whitney Houston;"
    "George Michael;Sinéad O'Connor;Johnny Cash;Kenny Rogers;John Denver;Frank Sinatra;Dean Martin;Nat King Cole;"
    "Louis Armstrong;Ella Fitzgerald;Billie Holiday;Miles Davis;John Coltrane;Dave Brubeck;Duke Ellington;"
    "Charlie Parker;Thelonious Monk;B.B. King;Muddy Waters;Chuck Berry;Little Richard;Buddy Holly;Roy Orbison;"
    "Édith Piaf;Charles Aznavour;Jacques Brel;Serge Gainsbourg;Falco;Selena;Celia Cruz;Mercedes Sosa;João Gilberto;"
    "Luciano Pavarotti;Fela Kuti;Miriam Makeba;Cesária Évora;Umm Kulthum;Lata Mangeshkar;Ravi Shankar;Kyu Sakamoto;"
    "Teresa Teng;Amy Winehouse;Tupac Shakur;The Notorious B.I.G.;Coolio;Avicii;Ennio Morricone;Ludwig van Beethoven;"
    "Wolfgang Amadeus Mozart;Johann Sebastian Bach;Frédéric Chopin;Antonio Vivaldi;Claude Debussy;"
    "Pyotr Ilyich Tchaikovsky;Franz Schubert;Johannes Brahms;Erik Satie;Johann Strauss II;Maurice Ravel;"
    "Giuseppe Verdi;Giacomo Puccini;Richard Wagner;Edvard Grieg;Gustav Mahler;Igor Stravinsky;Dmitri Shostakovich;"
    "Sergei Rachmaninoff;George Gershwin;Scott Joplin;Astor Piazzolla;Lou Reed;Tom Petty;The Monkees;LMFAO;"
    "Israel Kamakawiwoʻole"
).split(";"))  # fmt: skip
# Theatres where nobody plays but comedians.
# Houses of plays, of opera, of revues and of Kabuki, and what else is never shown there.
_PLAYHOUSES = frozenset((
    "Comédie-Française", "Deutsches Theater", "Berliner Ensemble", "Münchner Kammerspiele", "Burgtheater", "Abbey Theatre",
    "Shakespeare's Globe", "Royal Shakespeare Theatre", "Young Vic", "Old Vic", "National Theatre", "Theatre of Epidaurus",
    "New National Theatre Tokyo",
))  # fmt: skip
_OPERA_ALONE = frozenset(("Glyndebourne", "Bayreuth Festspielhaus"))
# Houses of concerts and of comedy rather than of plays.
_VARIETY = frozenset((
    "The Colosseum at Caesars Palace", "Chicago Theatre", "Apollo Theater", "Enmore Theatre", "Dolby Theatre",
    "Folies Bergère",
))  # fmt: skip
_REVUES = frozenset(("Moulin Rouge", "Friedrichstadt-Palast", "Kabuki-za", "Takarazuka Grand Theater"))
_OF_MUSIC = frozenset(("Théâtre des Champs-Élysées",))
UNSUITED = {
    "Ballet": _PLAYHOUSES | _OPERA_ALONE | _REVUES | _VARIETY | frozenset(("London Palladium",)),
    "Dance Show": _PLAYHOUSES | _OPERA_ALONE | _REVUES,
    "Musical": _PLAYHOUSES | _REVUES | _VARIETY | _OF_MUSIC,
    "Stand-up": _PLAYHOUSES | _REVUES | _OF_MUSIC,
    "Drama": _REVUES | _VARIETY | _OF_MUSIC | frozenset(("Sadler's Wells", "London Palladium")),
}  # fmt: skip
# Opera houses that play in the summer alone; whatever their next season brings is not made up.
FESTIVAL_HOUSES = frozenset(
    ("Bayreuth Festspielhaus", "Santa Fe Opera", "Großes Festspielhaus", "Glyndebourne")
)
# Where nothing louder than a jazz band plays, and small clubs that keep to what they are known for.
_QUIET_HALLS = frozenset((
    "David Geffen Hall;Symphony Hall;Walt Disney Concert Hall;Davies Symphony Hall;Orchestra Hall;"
    "Severance Hall;Wigmore Hall;Philharmonie de Paris;Elbphilharmonie;Laeiszhalle;Berliner Philharmonie;"
    "Konzerthaus Berlin;Gewandhaus;Isarphilharmonie;Auditorio Nacional de Música;Musikverein;Konzerthaus;"
    "Tonhalle;Victoria Hall;Concertgebouw;Stockholm Concert Hall;Helsinki Music Centre;Rudolfinum;"
    "Tchaikovsky Concert Hall;Moscow Conservatory;Romanian Athenaeum;Suntory Hall;The Symphony Hall;"
    "Lotte Concert Hall;National Concert Hall;National Centre for the Performing Arts Mumbai;Sala São Paulo;"
    "Palacio de Bellas Artes;Morton H. Meyerson Symphony Center;Benaroya Hall;Cincinnati Music Hall;Sheldonian Theatre;"
    "Kulturpalast Dresden;Tonhalle Düsseldorf;Die Glocke;Stefaniensaal;Brucknerhaus;National Forum of Music;"
    "Warsaw Philharmonic Hall;Philharmonie Luxembourg;Auditorium di Milano;CSO Ada Ankara;Kyoto Concert Hall;"
    "Shenzhen Concert Hall;Xi'an Concert Hall;Chengdu City Concert Hall;Yokohama Minato Mirai Hall;"
    "Sapporo Concert Hall Kitara;Dewan Filharmonik Petronas;Joseph Meyerhoff Symphony Hall;Abravanel Hall;Winspear Centre;"
    "Charles Bronfman Auditorium;Queen Elisabeth Hall Antwerp;Stadtcasino Basel;National Concert Hall Dublin;"
    "Chowdiah Memorial Hall;The Music Academy Madras"
).split(";"))  # fmt: skip
# Halls of all music.
_OPEN_HALLS = frozenset((
    "Roy Thomson Hall;Place des Arts;National Arts Centre;Royal Festival Hall;Barbican Centre;Usher Hall;"
    "Bridgewater Hall;Symphony Hall Birmingham;Philharmonic Hall;Auditorium de Lyon;Kölner Philharmonie;"
    "Alte Oper;Palau de la Música Catalana;Casa da Música;Auditorium Parco della Musica;KKL Luzern;De Doelen;"
    "Bozar;Tivoli Concert Hall;Grieg Hall;Finlandia Hall;Harpa;Municipal House;Orchard Hall;"
    "Seoul Arts Center;Theatro Municipal do Rio de Janeiro;Carnegie Hall;Kennedy Center;Royal Albert Hall;"
    "Sejong Center;Esplanade;NHK Hall;Blaisdell Concert Hall;Rebecca Cohn Auditorium;Orpheum Theatre Vancouver;"
    "Bristol Beacon;Cambridge Corn Exchange;Liederhalle;Amare;Thessaloniki Concert Hall;Musikhuset Aarhus;Malmö Live;"
    "Cankarjev dom;National Palace of Culture;Ahmed Adnan Saygun Arts Center;Christchurch Town Hall;"
    "Hong Kong Cultural Centre;Perth Concert Hall;Auckland Town Hall;Centennial Concert Hall;Sava Centar;Ulster Hall;"
    "ICE Kraków;Tampere Hall"
).split(";"))  # fmt: skip
JAZZ_CLUBS = frozenset(
    ("Blue Note", "Village Vanguard", "Ronnie Scott's", "Preservation Hall", "Porgy & Bess Vienna")
)
_CLUBS = {
    **dict.fromkeys(JAZZ_CLUBS, ("Jazz", "Blues")),
    **dict.fromkeys(("Ryman Auditorium", "Grand Ole Opry House"), ("Country", "Folk", "Blues")),
    "Berghain": ("Dance/Electronic",), "The Cavern Club": ("Rock",),
}  # fmt: skip
_QUIET = frozenset(("Classical", "Jazz", "World"))
_LOUD = frozenset(("Rock", "Hip-Hop/Rap", "Dance/Electronic", "Reggae"))
_LOUD_TOO = frozenset(("Royal Albert Hall", "Sejong Center", "Esplanade", "NHK Hall", "Harpa", "Bozar"))


def is_music_house(name: str, genre: str) -> bool:
    """Whether a concert hall or club has evenings of a genre: no rap at a philharmonic, no symphony in a rock club."""
    if name in _CLUBS:
        return genre in _CLUBS[name]
    if name in _QUIET_HALLS:
        return genre in _QUIET
    if name in _OPEN_HALLS:
        return genre not in _LOUD or name in _LOUD_TOO
    return genre != "Classical"


# Shows that are made for children and those who bring them.
FOR_CHILDREN = frozenset((
    "The Lion King", "Aladdin", "Frozen", "Matilda", "Beauty and the Beast", "Annie", "Oliver!", "Mary Poppins",
    "Joseph and the Amazing Technicolor Dreamcoat", "Charlie and the Chocolate Factory", "Shrek the Musical",
))  # fmt: skip
# Singers of film songs, who are no composers.
SUNG = {
    **dict.fromkeys(("Arijit Singh", "Lata Mangeshkar"), ("World", "Indian Music")),
    "Idina Menzel": ("Pop", "Pop"),
}
COMEDY_CLUBS = frozenset(("The Comedy Store", "Comedy Cellar", "The Second City"))
# The trades of people who come to a stage with music, and of what kind that is.
PLAYED = {
    **dict.fromkeys(
        ("composer", "conductor", "opera singer", "pianist", "violinist", "cellist"),
        ("Classical", "Symphony"),
    ),
    **dict.fromkeys(
        ("singer", "musician", "songwriter", "singer-songwriter", "guitarist", "drummer"), ("Pop", "Pop")
    ),
    **dict.fromkeys(("jazz musician", "saxophonist", "trumpeter"), ("Jazz", "Jazz")),
    **dict.fromkeys(("disc jockey", "dj", "record producer"), ("Dance/Electronic", "Electronic")),
    "rapper": ("Hip-Hop/Rap", "Rap"),
}
