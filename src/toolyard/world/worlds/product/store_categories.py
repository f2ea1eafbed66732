"""The categories under which the App Store files apps."""

from __future__ import annotations

from toolyard.world.shared.media import Work
from toolyard.world.shared.store_apps import is_made_up

# Category -> apps whose genres do not tell it.
_FILED = {
    "Social Networking": "WhatsApp;Facebook;Messenger;Telegram;Signal;Discord;WeChat;Skype;Viber;KakaoTalk;"
    "Clubhouse;Mastodon;Bluesky;Threads;BeReal;GroupMe",
    "Photo & Video": "Instagram;YouTube;Snapchat;Snapseed;Canva;Twitch;Google Photos;VSCO;CapCut",
    "Entertainment": "Netflix;TikTok;Disney+;Hulu;Max;Roku;Amazon Prime Video;Prime Video",
    "News": "Twitter;X;Reddit;Google News;Apple News",
    "Productivity": "ChatGPT;Gmail;Google Docs;Google Sheets;Google Drive;Dropbox;Notion;Evernote;Trello;Microsoft Word;"
    "Microsoft Excel;Microsoft Outlook",
    "Business": "LinkedIn;Slack;Zoom;Microsoft Teams;Google Meet",
    "Navigation": "Google Maps;Waze;Apple Maps;HERE WeGo",
    "Utilities": "Google Chrome;Google;Firefox;Truecaller",
    "Lifestyle": "Pinterest;Tinder;Bumble;Hinge",
    "Travel": "Uber;Airbnb;Lyft;Booking.com;Expedia",
    "Education": "Duolingo;Babbel;Khan Academy;Quizlet",
    "Health & Fitness": "Strava;Headspace;MyFitnessPal;Calm",
    "Music": "Spotify;Shazam;SoundCloud",
    "Finance": "PayPal;Venmo;Cash App",
    "Food & Drink": "Starbucks;DoorDash;Uber Eats;McDonald's;Grubhub;Deliveroo;Swiggy;Zomato;Domino's Pizza;Instacart;"
    "Just Eat;Glovo;Foodpanda;HelloFresh;Yummly;Chick-fil-A;KFC;Burger King",
    "Graphics & Design": "Procreate",
    "Developer Tools": "TestFlight",
}
_BY_TITLE = {title: category for category, titles in _FILED.items() for title in titles.split(";")}
_BY_GENRE = {
    "social": "Social Networking", "communication": "Social Networking", "messaging": "Social Networking",
    "video": "Entertainment", "streaming": "Entertainment", "photography": "Photo & Video",
    "photo editing": "Photo & Video", "video editing": "Photo & Video", "tools": "Utilities", "browser": "Utilities",
    "vpn": "Utilities", "travel": "Travel", "navigation": "Navigation", "productivity": "Productivity",
    "music": "Music", "music making": "Music", "health": "Health & Fitness", "finance": "Finance",
    "education": "Education", "shopping": "Shopping", "dating": "Lifestyle", "weather": "Weather",
    "developer tools": "Developer Tools", "sports": "Sports", "reading": "Books",
}  # fmt: skip


def store_category(row: Work) -> str:
    """The category of an app in the App Store; of a made-up one its main genre."""
    if is_made_up(row):
        return row["genres"][0]
    if row["kind"] == "game":
        return "Games"
    if {"mail", "assistants"} & set(row["genres"]) and row["title"] not in _BY_TITLE:
        return "Productivity"
    return _BY_TITLE.get(row["title"]) or _BY_GENRE.get(row["genres"][0], row["genres"][0].capitalize())


def description(row: Work) -> str:
    """What an app does, and who makes it where that is not its name."""
    maker = "" if row["creator"] == row["title"] else f" by {row['creator']}"
    return f"{row['title']}{maker}: {row['about']}."


# What the store of Android calls the categories that it calls otherwise.
_ON_ANDROID = {
    "Social Networking": "social", "Photo & Video": "photography", "News": "news & magazines",
    "Navigation": "maps & navigation", "Utilities": "tools", "Travel": "travel & local", "Music": "music & audio",
    "Books": "books & reference", "Graphics & Design": "art & design", "Developer Tools": "tools",
}  # fmt: skip
_TALK = frozenset(("communication", "messaging"))
_FILED_THERE = {
    "YouTube": "video players & editors", "VLC": "video players & editors", "CapCut": "video players & editors",
    "InShot": "video players & editors", "KineMaster": "video players & editors", "Instagram": "social", "TikTok": "social",
    "Snapchat": "communication", "Reddit": "social", "Canva": "art & design", "Twitch": "entertainment",
    "Gmail": "communication",
    "Google Chrome": "communication", "Firefox": "communication", "LinkedIn": "business",
}  # fmt: skip


def play_category(row: Work) -> str:
    """The category of an app in the store of Android."""
    category = store_category(row)
    if row["title"] in _FILED_THERE:
        return _FILED_THERE[row["title"]]
    if category == "Social Networking" and _TALK & set(row["genres"]):
        return "communication"
    if "dating" in row["genres"]:
        return "dating"
    return _ON_ANDROID.get(category, category.lower())
