"""Health/Fitness_Calculator, first half: body formulas as published, and the energy that activities burn."""

import functools
import math
from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import invalid, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import find, read_record, read_table, values_of
from toolyard.world.kernel.types import Range, Semantic, Unit

GROUP = Group("Health/Fitness_Calculator")
Age = Annotated[int, Unit("year"), Range(1, 110)]
Gender = Literal["male", "female"]
Height = Annotated[float, Semantic("body_height"), Unit("cm"), Range(50, 272)]
Weight = Annotated[float, Semantic("body_weight"), Unit("kg"), Range(3, 500)]
Girth = Annotated[float, Unit("cm"), Range(15, 300)]
Level = Literal["level_1", "level_2", "level_3", "level_4", "level_5", "level_6"]
Goal = Literal["maintain", "mildlose", "weightlose", "extremelose", "mildgain", "weightgain", "extremegain"]
ActivityId = Annotated[str, Semantic("activity_id")]
_FACTORS: Mapping[str, float] = values_of("fitness.factors")
_ADULT = 19
# The formulas of energy and body fat were made for grown people; below this age they say nothing.
_YOUNGEST = 15
# Body mass indices that no living person has had lie beyond these.
_LEAST_BMI, _MOST_BMI = 6, 210
# Half a kilogram a week is about 500 kcal a day.
# Nobody is advised to eat less than this in a day, in kilocalories.
_LEAST_CALORIES = 800
_GOALS: dict[Goal, tuple[float, float]] = values_of("fitness.goals")
# Shares of the energy from protein, fat and carbohydrates.
_SPLITS = {"balanced": (0.25, 0.30, 0.45), "lowfat": (0.28, 0.20, 0.52), "lowcarbs": (0.35, 0.40, 0.25),
           "highprotein": (0.40, 0.25, 0.35)}  # fmt: skip
_BMI_CLASSES = ((16, "severe thinness"), (17, "moderate thinness"), (18.5, "mild thinness"), (25, "normal"),
                (30, "overweight"), (35, "obesity class I"), (40, "obesity class II"))  # fmt: skip


class GoalCalories(TypedDict):
    goal: Goal
    kg_per_week: float
    calories: int


class CaloryRequirement(TypedDict):
    """Energy in kilocalories a day."""

    basal_metabolic_rate: float
    goals: list[GoalCalories]


class Burned(TypedDict):
    activity: str
    met: float
    burned_kcal: float


class Bmi(TypedDict):
    bmi: float
    health: str
    healthy_bmi_range: str | None
    healthy_weight_range_kg: list[float] | None


class Macros(TypedDict):
    """Grams a day."""

    protein: float
    fat: float
    carbs: float


class MacroPlans(TypedDict):
    calories: int
    balanced: Macros
    lowfat: Macros
    lowcarbs: Macros
    highprotein: Macros


class BodyFat(TypedDict):
    """By the formula of the US Navy, and by that of Deurenberg from the body mass index."""

    body_fat_navy_percent: float
    body_fat_category: str
    fat_mass_kg: float
    lean_mass_kg: float
    body_fat_bmi_percent: float


class IdealWeight(TypedDict):
    """Kilograms by four formulas."""

    hamwi: Weight
    devine: Weight
    miller: Weight
    robinson: Weight


class Activity(TypedDict):
    id: ActivityId
    activity: str
    met: float


def _body_mass_index(height: float, weight: float) -> float:
    """The body mass index; a fault for one that nobody can have."""
    bmi = weight / (height / 100) ** 2
    if not _LEAST_BMI <= bmi <= _MOST_BMI:
        much = "little" if bmi < _LEAST_BMI else "much"
        raise out_of_range("weight", weight, f"nobody of {height:g} cm weighs so {much}; want kg and cm")
    return bmi


def _check_age(age: int) -> None:
    if age < _YOUNGEST:
        raise out_of_range("age", age, f"the formulas hold from {_YOUNGEST} years on")


def _requirement(age: int, gender: str, height: float, weight: float, level: str) -> tuple[float, float]:
    """Basal metabolic rate by Mifflin and St Jeor, and the need at a level of activity."""
    _check_age(age)
    _body_mass_index(height, weight)
    rate = 10 * weight + 6.25 * height - 5 * age + (5 if gender == "male" else -161)
    rate = max(300.0, rate)
    return rate, rate * _FACTORS[level]


@GROUP.tool(
    examples=[{"age": 25, "gender": "male", "height": 180, "weight": 70, "activitylevel": "level_3"}],
    phrase=(
        "calculate the daily calorie requirement for an age in years of {age}, the gender {gender}, a height "
        "in cm of {height}, a weight in kg of {weight} and an activity level of {activitylevel}"
    ),
    noun="the daily calorie requirement",
    listed_as="DailyCalorieRequirement",
)
def get_daily_calory_requirement(
    *, age: Age, gender: Gender, height: Height, weight: Weight, activitylevel: Level
) -> CaloryRequirement:
    """Daily energy need of a person, to keep, lose or gain weight, from the Mifflin-St Jeor basal rate; without
    goals that leave less than 800 kcal a day.

    age: Age in years, 15 or more: the formula is not for children.
    gender: male or female.
    height: Height in centimetres, e.g. 180.
    weight: Weight in kilograms.
    activitylevel: level_1 hardly any exercise, level_2 exercise 1-3 times a week, level_3 4-5 times a week,
        level_4 daily or intense 3-4 times a week, level_5 intense 6-7 times a week, level_6 very intense daily.
    """
    rate, need = _requirement(age, gender, height, weight, activitylevel)
    goals: list[GoalCalories] = [
        {"goal": goal, "kg_per_week": change, "calories": round(need + energy)}
        for goal, (energy, change) in _GOALS.items()
        if energy >= 0 or need + energy >= _LEAST_CALORIES
    ]
    return {"basal_metabolic_rate": round(rate, 1), "goals": goals}


@functools.cache
def _all_activities() -> tuple[Activity, ...]:
    return tuple(read_record(Activity, row) for row in read_table("activities.tsv"))


@GROUP.tool(
    examples=[{"activityid": "bi_1", "activitymin": 25, "weight": 75}],
    phrase=(
        "calculate the calories burned at a body weight in kg of {weight} by {activitymin} minutes of the "
        "activity whose id is {activityid}"
    ),
    noun="the burned calories figure",
)
def get_calories_burned(
    *, activityid: ActivityId, activitymin: Annotated[float, Unit("min"), Range(0, 1440)], weight: Weight
) -> Burned:
    """Energy that an activity burns: MET times 3.5 times kilograms over 200, for each minute.

    activityid: Id of the activity, as the list of MET values names it, e.g. bi_1.
    activitymin: How long it lasts, in minutes.
    weight: Weight of the person in kilograms.
    """
    row = find(_all_activities(), activityid, "id", "activity")
    burned = row["met"] * 3.5 * weight / 200 * activitymin
    return {"activity": row["activity"], "met": row["met"], "burned_kcal": round(burned, 1)}


@GROUP.tool(
    examples=[{"age": 42, "height": 180, "weight": 90}],
    phrase=(
        "calculate the body mass index for an age in years of {age}, a height in cm of {height} and a weight "
        "in kg of {weight}"
    ),
    noun="the body mass index result",
)
def get_bmi(*, age: Age, height: Height, weight: Weight) -> Bmi:
    """Body mass index, its class, and the healthy range of weight at this height.

    age: Age in years; the classes hold for adults.
    height: Height in centimetres.
    weight: Weight in kilograms.
    """
    metres = height / 100
    bmi = _body_mass_index(height, weight)
    if age < _ADULT:
        words = "the classes hold for adults; judge children by percentiles of their age"
        return {
            "bmi": round(bmi, 2),
            "health": words,
            "healthy_bmi_range": None,
            "healthy_weight_range_kg": None,
        }
    health = next((name for limit, name in _BMI_CLASSES if bmi < limit), "obesity class III")
    return {
        "bmi": round(bmi, 2),
        "health": health,
        "healthy_bmi_range": "18.5 - 25",
        "healthy_weight_range_kg": [round(18.5 * metres**2, 1), round(25 * metres**2, 1)],
    }


@GROUP.tool(
    examples=[
        {
            "age": 30,
            "gender": "female",
            "height": 165,
            "weight": 60,
            "activitylevel": "level_2",
            "goal": "maintain",
        }
    ],
    phrase=(
        "calculate the daily grams of protein, fat and carbohydrates for an age in years of {age}, the "
        "gender {gender}, a height in cm of {height}, a weight in kg of {weight}, an activity level of "
        "{activitylevel} and the weight goal {goal}"
    ),
    noun="the daily macronutrient amounts",
)
def get_macro_nutrients_amount(
    *, age: Age, gender: Gender, height: Height, weight: Weight, activitylevel: Level, goal: Goal
) -> MacroPlans:
    """Grams of protein, fat and carbohydrates a day for a goal, in four kinds of diet.

    age: Age in years, 15 or more.
    gender: male or female.
    height: Height in centimetres.
    weight: Weight in kilograms.
    activitylevel: Level of activity from level_1 (hardly any) to level_6 (very intense daily).
    goal: Keep the weight (maintain), lose or gain a quarter (mild), half (weight) or whole (extreme) kilogram a week.
    """
    _, need = _requirement(age, gender, height, weight, activitylevel)
    energy = need + _GOALS[goal][0]
    if _GOALS[goal][0] < 0 and energy < _LEAST_CALORIES:
        left = f"{round(energy)} kcal a day, less than {_LEAST_CALORIES}" if energy > 0 else "nothing to eat"
        wanted = f"it would leave {left}; want a milder goal"
        raise out_of_range("goal", goal, wanted)
    plans: dict[str, Macros] = {
        name: {
            "protein": round(energy * protein / 4, 1),
            "fat": round(energy * fat / 9, 1),
            "carbs": round(energy * carbs / 4, 1),
        }
        for name, (protein, fat, carbs) in _SPLITS.items()
    }
    return {
        "calories": round(energy),
        "balanced": plans["balanced"],
        "lowfat": plans["lowfat"],
        "lowcarbs": plans["lowcarbs"],
        "highprotein": plans["highprotein"],
    }


def _fat_category(percent: float, gender: str) -> str:
    limits = (6, 14, 18, 25) if gender == "male" else (14, 21, 25, 32)
    names = ("essential fat", "athlete", "fitness", "average")
    return next((name for limit, name in zip(limits, names, strict=True) if percent < limit), "obese")


@GROUP.tool(
    examples=[
        {"age": 25, "gender": "male", "height": 178, "weight": 70, "neck": 50, "waist": 96, "hip": 92},
        {"age": 30, "gender": "female", "height": 165, "weight": 60, "neck": 33, "waist": 72, "hip": 98},
    ],
    phrase=(
        "calculate the body fat percentage for an age in years of {age}, the gender {gender}, a height in cm "
        "of {height}, a weight in kg of {weight}, and girths in cm of {neck} at the neck, {waist} at the "
        "waist and {hip} at the hips"
    ),
    noun="the body fat result",
)
def get_body_fat_percentage(
    *, age: Age, gender: Gender, height: Height, weight: Weight, neck: Girth, waist: Girth, hip: Girth
) -> BodyFat:
    """Body fat by the US Navy formula from girths, and by Deurenberg's from body mass index and age.

    age: Age in years, 15 or more.
    gender: male or female.
    height: Height in centimetres.
    weight: Weight in kilograms.
    neck: Girth of the neck in centimetres.
    waist: Girth of the waist in centimetres.
    hip: Girth of the hips in centimetres; counts for women only.
    """
    _check_age(age)
    bmi = _body_mass_index(height, weight)
    for name, girth in (("waist", waist), ("hip", hip)):
        if girth <= neck:
            raise invalid(name, girth, f"the {name} must be wider than the neck; measure both in centimetres")
    girth = waist - neck if gender == "male" else waist + hip - neck
    if gender == "male":
        navy = 495 / (1.0324 - 0.19077 * math.log10(girth) + 0.15456 * math.log10(height)) - 450
    else:
        navy = 495 / (1.29579 - 0.35004 * math.log10(girth) + 0.22100 * math.log10(height)) - 450
    if navy < 1.5:
        raise invalid("waist", waist, "nobody is so lean as these girths say; measure them in centimetres")
    navy = min(75.0, navy)
    deurenberg = 1.20 * bmi + 0.23 * age - 10.8 * (gender == "male") - 5.4
    fat = weight * navy / 100
    return {
        "body_fat_navy_percent": round(navy, 1),
        "body_fat_category": _fat_category(navy, gender),
        "fat_mass_kg": round(fat, 1),
        "lean_mass_kg": round(weight - fat, 1),
        "body_fat_bmi_percent": round(max(0.0, deurenberg), 1),
    }


@GROUP.tool(
    examples=[{"gender": "male", "height": 180}],
    phrase=(
        "calculate the ideal weight by the Hamwi, Devine, Miller and Robinson formulas for the gender "
        "{gender} and a height in cm of {height}"
    ),
    noun="the ideal weight result",
)
def get_ideal_weight(*, gender: Gender, height: Annotated[Height, Range(140, 230)]) -> IdealWeight:
    """Ideal weight by the formulas of Hamwi, Devine, Miller and Robinson; they hold for adults.

    gender: male or female.
    height: Height in centimetres.
    """
    inches = height / 2.54 - 60
    male = gender == "male"
    return {
        "hamwi": round((48 if male else 45.5) + (2.7 if male else 2.2) * inches, 2),
        "devine": round((50 if male else 45.5) + 2.3 * inches, 2),
        "miller": round((56.2 if male else 53.1) + (1.41 if male else 1.36) * inches, 2),
        "robinson": round((52 if male else 49) + (1.9 if male else 1.7) * inches, 2),
    }


@GROUP.tool(
    examples=[{"activitylevel": 3}, {"activitylevel": 9}],
    phrase="list the activities and their MET values at an intensity level of {activitylevel}",
    noun="the MET value list",
)
def get_acitcity_met_values(*, activitylevel: Annotated[int, Range(1, 9)]) -> list[Activity]:
    """Activities of an intensity, with their metabolic equivalents and the ids that the burn calculator takes.

    activitylevel: Intensity from 1 to 9: activities of that many MET up to the next; 1 has all
        below 2, and 9 all from 9 on.
    """
    return [row for row in _all_activities() if max(1, min(9, int(row["met"]))) == activitylevel]
