"""Animal/Animal: breeds and facts of cats and dogs, and pictures of dogs."""

import functools
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case, plain, read_record, read_table, sample_rows, table_words
from toolyard.world.kernel.types import CountryName, Prose, Range, Semantic, Url, Within
from toolyard.world.reference import wordnet

GROUP = Group("Animal/Animal")
PICTURES = "https://images.dogs.example/breeds"
DogBreed = Annotated[str, Semantic("dog_breed")]
SubBreed = Annotated[str, Semantic("dog_sub_breed")]
Limit = Annotated[int, Range(1, 50)]


class CatBreed(TypedDict):
    breed: str
    country: CountryName
    origin: str
    coat: str
    pattern: str


class CatFact(TypedDict):
    fact: Prose
    length: int


class DogFacts(TypedDict):
    facts: list[Prose]
    success: bool


class DogBreeds(TypedDict):
    breed: DogBreed
    sub_breeds: list[str]


class RandomPictures(TypedDict):
    message: list[Url]
    breeds: list[DogBreed]


class BreedPictures(TypedDict):
    breed: DogBreed
    count: int
    images: list[Url]


class SomePictures(TypedDict):
    of_breed: DogBreed
    random_images: list[Url]


class SubBreedRow(TypedDict):
    breed: DogBreed
    sub_breed: SubBreed
    pictures: int


class SubBreedPictures(TypedDict):
    breed: DogBreed
    sub_breed: SubBreed
    count: int
    images: list[Url]


class SomeSubBreedPictures(TypedDict):
    of_breed: DogBreed
    of_sub_breed: SubBreed
    random_images: list[Url]


@functools.cache
def cat_breeds() -> tuple[CatBreed, ...]:
    """All breeds of cats."""
    return tuple(read_record(CatBreed, row) for row in read_table("cat_breeds.tsv"))


@functools.cache
def dog_breeds() -> Mapping[str, list[str]]:
    """Breeds of dogs with their sub-breeds."""
    return {
        row["breed"]: [part for part in row["sub_breeds"].split(",") if part]
        for row in read_table("dog_breeds.tsv")
    }


# Breeds that have pictures and no sub-breeds, beside those that the list shows.
_MORE_DOGS = frozenset(table_words("animal.more_dogs"))


@functools.cache
def _animal_facts(animal: str) -> tuple[str, ...]:
    return tuple(row["fact"] for row in read_table("animal_facts.tsv") if row["animal"] == animal)


def _find_breed(text: str) -> str:
    wanted = plain(text).replace(" ", "").replace("-", "")
    if wanted not in dog_breeds() and wanted not in _MORE_DOGS:
        raise not_found("dog breed", text[:40], known=list(dog_breeds()))
    return wanted


def _breed_and_part(text: str) -> tuple[str, str]:
    """The breed that people call so and its sub-breed: a French bulldog is a bulldog of the kind french.

    What no list names but the dictionary has among dogs is a breed too.
    """
    parts = [part for part in plain(text).replace("-", " ").split() if part not in ("dog", "dogs")]
    if not parts:
        return _find_breed(text), ""
    for breed, kinds in dog_breeds().items():
        own = next((kind for kind in kinds if kind in parts), "")
        if breed in parts and len(parts) > 1 and own:
            return breed, own
    joined = ["".join(parts), *parts] if len(parts) > 1 else ["".join(parts)]
    known = [form for form in joined if form in dog_breeds() or form in _MORE_DOGS]
    if known:
        return known[0], ""
    return ("".join(parts), "") if _is_dog(" ".join(parts)) else (_find_breed(text), "")


def _is_dog(name: str) -> bool:
    senses = (sense for form in (name, f"{name} dog") for sense in wordnet.senses(form))
    return any("dog" in above.words for sense in senses for above in wordnet.hypernyms(sense))


def _sub_breed(breed: str, text: str) -> str:
    wanted, parts = fold_case(text).replace(" ", ""), dog_breeds().get(breed, [])
    if not parts:
        raise ToolFault(
            "not_found", f"{breed} has no sub-breeds; ask for its pictures by breed", parameter="subbreed"
        )
    if wanted not in parts:
        raise not_found(f"sub-breed of {breed}", text[:40], known=parts)
    return wanted


def _breed_pictures(seed: int, breed: str, sub_breed: str = "") -> list[str]:
    """The addresses of all pictures of a (sub-)breed."""
    folder = f"{breed}-{sub_breed}" if sub_breed else breed
    count = 6 + seeds.number(seed, "pictures", folder) % 15
    return [f"{PICTURES}/{folder}/n{seeds.number(seed, folder, n) % 10**8:08d}_{n}.jpg" for n in range(count)]


def _all_pictures(seed: int, breed: str) -> list[str]:
    parts = dog_breeds().get(breed) or [""]
    return [address for part in parts for address in _breed_pictures(seed, breed, part)]


@GROUP.tool(
    examples=[{"limit": 5}],
    phrase="list cat breeds with their origin, coat and pattern[, at most {limit} of them]",
    noun="the list of cat breeds",
)
def cat_breed(*, limit: Annotated[int, Range(1, 100)] = 10) -> list[CatBreed]:
    """Breeds of cats in order of the alphabet, with country, origin, coat and pattern.

    limit: Most breeds to return.
    """
    return list(cat_breeds()[:limit])


@GROUP.tool(
    examples=[{"max_length": 100, "limit": 3}],
    phrase=(
        "tell me some random cat facts whose length in characters is at most {max_length}[, at most {limit} "
        "of them]"
    ),
    noun="the cat facts",
)
def cat_facts(
    world: World, *, max_length: Annotated[int, Range(20, 1000)], limit: Limit = 5
) -> list[CatFact]:
    """Facts about cats drawn by chance, none longer than asked.

    max_length: Greatest length of a fact in characters.
    limit: Most facts to return.
    """
    facts: list[CatFact] = [
        {"fact": fact, "length": len(fact)} for fact in _animal_facts("cat") if len(fact) <= max_length
    ]
    if not facts:
        shortest = min(len(fact) for fact in _animal_facts("cat"))
        raise out_of_range("max_length", max_length, f"the shortest fact has {shortest} characters")
    return sample_rows(facts, limit, world.draw("cat facts"))


@GROUP.tool(
    phrase="list all dog breeds with their sub-breeds",
    noun="the list of dog breeds",
)
def dog_breed() -> list[DogBreeds]:
    """All breeds of dogs with their sub-breeds."""
    return [{"breed": breed, "sub_breeds": parts} for breed, parts in dog_breeds().items()]


@GROUP.tool(
    examples=[{"limit": 3}],
    phrase="show me random pictures of dogs of any breed[, {limit} of them]",
    noun="the random dog pictures",
)
def random_dog_image(world: World, *, limit: Limit = 1) -> RandomPictures:
    """Pictures of dogs of any breed, drawn by chance.

    limit: How many pictures.
    """
    chance = world.draw("dog pictures")
    breeds = [chance.choice(list(dog_breeds())) for _ in range(limit)]
    return {
        "message": [chance.choice(_all_pictures(world.seed, breed)) for breed in breeds],
        "breeds": breeds,
    }


@GROUP.tool(
    examples=[{"number": 3}],
    phrase="tell me some random dog facts[, {number} of them]",
    noun="the dog facts",
)
def dog_facts(world: World, *, number: Annotated[int, Range(1, 20)] = 5) -> DogFacts:
    """Facts about dogs drawn by chance.

    number: How many facts.
    """
    chance = world.draw("dog facts")
    return {"facts": chance.sample(_animal_facts("dog"), number), "success": True}


@GROUP.tool(
    examples=[{"breed": "hound"}],
    phrase="get all the pictures there are of dogs whose breed is {breed}",
    noun="the full set of pictures of the dog breed",
)
def all_dog_image_by_breed(world: World, *, breed: DogBreed) -> BreedPictures:
    """All pictures of a breed (the first forty), sub-breeds included, and how many there are.

    breed: Breed as the list of breeds names it.
    """
    found, part = _breed_and_part(breed)
    pictures = _breed_pictures(world.seed, found, part) if part else _all_pictures(world.seed, found)
    return {"breed": found, "count": len(pictures), "images": pictures[:40]}


@GROUP.tool(
    examples=[{"breed": "hound", "limit": 2}],
    phrase="show me random pictures of dogs whose breed is {breed}[, at most {limit} of them]",
    noun="the random pictures of the dog breed",
)
def random_dog_image_by_breed(world: World, *, breed: DogBreed, limit: Limit = 1) -> SomePictures:
    """Pictures of a breed drawn by chance.

    breed: Breed as the list of breeds names it.
    limit: Most pictures to return.
    """
    found, part = _breed_and_part(breed)
    pictures = _breed_pictures(world.seed, found, part) if part else _all_pictures(world.seed, found)
    chosen = world.draw("breed pictures").sample(pictures, min(limit, len(pictures)))
    return {"of_breed": found, "random_images": chosen}


@GROUP.tool(
    examples=[{"breed": "hound"}],
    phrase=(
        "find out which sub-breeds the dog breed called {breed} has and how many pictures there are of each"
    ),
    noun="the list of dog sub-breeds",
)
def dog_sub_breed(world: World, *, breed: DogBreed) -> list[SubBreedRow]:
    """The sub-breeds of a breed and how many pictures there are of each; none where a breed has no sub-breeds.

    breed: Breed as the list of breeds names it.
    """
    found, _ = _breed_and_part(breed)
    return [
        {"breed": found, "sub_breed": part, "pictures": len(_breed_pictures(world.seed, found, part))}
        for part in dog_breeds().get(found, [])
    ]


@GROUP.tool(
    examples=[{"breed": "hound", "subbreed": "afghan"}],
    phrase="get all the pictures there are of dogs whose breed is {breed} and whose sub-breed is {subbreed}",
    noun="the full set of pictures of the dog sub-breed",
)
def all_dog_image_by_sub_breed(
    world: World, *, breed: DogBreed, subbreed: Annotated[SubBreed, Within("breed")]
) -> SubBreedPictures:
    """All pictures of one sub-breed.

    breed: Breed as the list of breeds names it.
    subbreed: Sub-breed of that breed.
    """
    found = _find_breed(breed)
    part = _sub_breed(found, subbreed)
    pictures = _breed_pictures(world.seed, found, part)
    return {"breed": found, "sub_breed": part, "count": len(pictures), "images": pictures}


@GROUP.tool(
    examples=[{"breed": "hound", "subbreed": "afghan", "limit": 2}],
    phrase=(
        "show me random pictures of dogs whose breed is {breed} and whose sub-breed is {subbreed}[, at most "
        "{limit} of them]"
    ),
    noun="the random pictures of the dog sub-breed",
)
def random_dog_image_by_sub_breed(
    world: World, *, breed: DogBreed, subbreed: Annotated[SubBreed, Within("breed")], limit: Limit = 1
) -> SomeSubBreedPictures:
    """Pictures of one sub-breed drawn by chance.

    breed: Breed as the list of breeds names it.
    subbreed: Sub-breed of that breed.
    limit: Most pictures to return.
    """
    found = _find_breed(breed)
    part = _sub_breed(found, subbreed)
    pictures = _breed_pictures(world.seed, found, part)
    chosen = world.draw("sub-breed pictures").sample(pictures, min(limit, len(pictures)))
    return {"of_breed": found, "of_sub_breed": part, "random_images": chosen}
