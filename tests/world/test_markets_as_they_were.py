"""Addresses, jobs, mails and expressions."""

from __future__ import annotations

from typing import Any

from toolyard.world import World, call


def ask(tool: str, **arguments: Any) -> Any:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def fault(tool: str, **arguments: Any) -> str:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error is not None, observation.text
    return observation.text


def test_addresses_of_version_6_are_of_their_registry() -> None:
    assert ask("IP/IP/ip_country", ip="2a00:1450:4001:81b::200e")["registry"] == "RIPE NCC"
    assert ask("IP/IP/ip_more", ip="9.9.9.9")["network"] == "9.9.9.0/24"
    for row in ask("Anti_Malware/Anti_Malware/blacklist_ip", ipVersion=6, limit=10):
        assert ask("IP/IP/ip_country", ip=row["ipAddress"])["country_code"] == row["countryCode"]


def test_mails_of_a_sender_are_about_what_is_asked() -> None:
    run = "Zapier/Zapier/run_zapier_NLA_action"
    about = ask(run, action_id="gmail_find_email", instructions="find emails from Anna about the budget")
    assert about["result"]["found"] == 0
    about = ask(run, action_id="gmail_find_email", instructions="find emails from Anna about holiday")
    assert about["result"]["found"] == 1


def test_remainders_and_logarithms_in_one_expression() -> None:
    tool = "Calculator/Calculator/calculator"
    assert ask(tool, input_query="(17 mod 5)^3 + log10(1000)")["result"] == 11
    assert ask(tool, input_query="17 mod 5")["result"] == 2
    assert "whole numbers" in fault(tool, input_query="3 * (17 mod 0)")
    fibonacci = ask(
        "Calculator/Calculator/wolfram_alpha_calculator", input_query="what is the 20th fibonacci number"
    )
    assert fibonacci["decimal"] == 6765
