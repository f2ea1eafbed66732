"""Writes job_titles.tsv.xz: job titles in use, by their plain form.

python recipes/world_tables/job_titles.py FOLDER_WITH_UNPACKED_PACKAGES   # find_job_titles
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

from packing import write

from toolyard.world.kernel.tables import plain

# Plain titles, and those that came up after the source was made (2017).
USUAL = """
Machine Learning Engineer, AI Engineer, Prompt Engineer, Data Engineer, Analytics Engineer, Cloud Engineer, Cloud
Architect, DevOps Engineer, Site Reliability Engineer, Platform Engineer, MLOps Engineer, Blockchain Developer, Full
Stack Developer, Front End Developer, Back End Developer, Frontend Developer, Backend Developer, Mobile Developer, iOS
Developer, Android Developer, Game Developer, QA Engineer, Test Automation Engineer, UX Designer, UI Designer, Product
Designer, UX Researcher, Product Owner, Scrum Master, Agile Coach, Growth Hacker, SEO Specialist, Social Media
Manager, Content Creator, Community Manager, Influencer Marketing Manager, Customer Success Manager, Security Analyst,
Cybersecurity Analyst, Penetration Tester, Information Security Analyst, IT Support Specialist, Help Desk Technician,
Data Protection Officer, Drone Pilot, Wind Turbine Technician, Solar Installer, Podcast Producer, Video Editor, Motion
Designer, Business Intelligence Analyst, Quantitative Analyst, Actuary, Tax Advisor, Investment Banker, Beekeeper, Dog
Walker, Dog Groomer, Pet Sitter, Yoga Teacher, Yoga Instructor, Personal Trainer, Life Coach, Nutritionist, Dietitian,
Speech Therapist, Occupational Therapist, Sommelier, Delivery Driver, Ride Share Driver, Forklift Operator, Warehouse
Worker, Call Center Agent, Virtual Assistant, Data Labeler, Technical Recruiter, Chief Executive Officer, Chief
Technology Officer, Chief Financial Officer, Kindergarten Teacher, Tutor, Tour Guide, Flight Attendant, Air Traffic
Controller, Astronaut, Park Ranger, Lifeguard, Firefighter, Locksmith, Tailor, Hair Stylist, Nail Technician, Tattoo
Artist, Makeup Artist, Event Planner, Wedding Planner, Interior Designer, Game Designer, Sound Engineer, Stunt
Performer, Voice Actor, Translator, Interpreter, Proofreader, Ghostwriter, Archivist, Museum Curator, Auditor,
Bookkeeper, Editor, Photographer, Professor, Librarian, Physician, Surgeon, Dentist, Pharmacist, Veterinarian,
Psychologist, Paramedic, Lawyer, Paralegal, Judge, Architect, Surveyor, Carpenter, Electrician, Plumber, Welder,
Mechanic, Painter, Roofer, Pilot, Chef, Cook, Baker, Barista, Waiter, Waitress, Bartender, Housekeeper, Cashier,
Janitor, Gardener, Farmer, Biologist, Chemist, Physicist, Economist, Statistician, Accountant, Recruiter,
Receptionist, Copywriter, Journalist, Teacher, Nurse, Midwife, Radiologist, Optician, Optometrist, Chiropractor,
Anesthesiologist, Cardiologist, Pediatrician, Dermatologist, Neurologist, Psychiatrist, Oncologist, Pathologist,
Geologist, Astronomer, Mathematician, Historian, Anthropologist, Archaeologist, Sociologist, Meteorologist, Zoologist,
Botanist, Ecologist, Geneticist, Microbiologist, Oceanographer, Programmer, Designer, Illustrator, Animator, Actor,
Musician, Singer, Dancer, Composer, Conductor, Director, Producer, Choreographer, Sculptor, Curator, Florist, Butcher,
Fisherman, Miner, Mason, Bricklayer, Plasterer, Glazier, Blacksmith, Machinist, Cobbler, Jeweler, Watchmaker,
Upholsterer, Barber, Hairdresser, Beautician, Masseur, Nanny, Babysitter, Butler, Maid, Concierge, Porter, Dispatcher,
Courier, Postman, Sailor, Soldier, Detective, Bailiff, Attorney, Notary, Mediator, Diplomat, Politician, Mayor,
Priest, Imam, Rabbi, Coach, Referee, Trainer, Instructor, Tutor, Lecturer, Researcher, Scientist, Engineer,
Technician, Analyst, Consultant, Manager, Administrator, Secretary, Clerk, Assistant, Supervisor, Foreman, Inspector,
Underwriter, Broker, Trader, Banker, Treasurer, Controller, Auctioneer, Realtor, Salesperson, Telemarketer, Buyer,
Merchandiser, Model, Stylist, Publicist, Lobbyist, Entrepreneur, Intern, Apprentice, Volunteer, Dietician,
Phlebotomist, Hygienist, Orthodontist, Caregiver, Electrician Apprentice, Physical Therapist, Social Worker, Police
Officer, Bus Driver, Truck Driver, Security Guard, Store Manager, Hotel Manager, Office Manager, Sales Representative,
Customer Service Representative, Administrative Assistant, Real Estate Agent, Insurance Agent, Construction Manager,
Civil Engineer, Mechanical Engineer, Electrical Engineer, Chemical Engineer, Financial Analyst, Human Resources
Manager, System Administrator, Database Administrator, Network Engineer
"""


def main(folder: str) -> None:
    """Writes titles of letters with at most six words, each plain form once."""
    text = gzip.decompress(
        (Path(folder) / "find_job_titles" / "data" / "titles_combined.txt.gz").read_bytes()
    ).decode()
    found: dict[str, str] = {}
    for title in [*(part.strip() for part in USUAL.replace("\n", " ").split(",")), *text.splitlines()]:
        name = " ".join(title.split())
        if re.fullmatch(r"[A-Za-z][A-Za-z .'/&-]{3,45}", name) and len(name.split()) <= 6:
            found.setdefault(plain(name), name if name != name.lower() else name.title())
    write("job_titles", ("key", "title"), found.items())


if __name__ == "__main__":
    main(sys.argv[1])
