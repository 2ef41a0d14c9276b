"""The settings: each with its default, and one line that names what is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config import NAMES, Address, BadSetting, Config, RelaySettings, check_platforms, parse_config, read_config
from engine.fairness.beacon import CHAIN
from tests.patience import PATIENCE_S


def test_defaults() -> None:
    assert parse_config({}) == Config()
    assert (Config().data, Config().web, Config().guests) == (Path("data"), Address("127.0.0.1", 8080), 2)
    assert (Config().language, Config().log, Config().web_password) == ("en", "info", None)


@pytest.mark.parametrize(
    ("given", "web"),
    [
        ("127.0.0.1:0", Address("127.0.0.1", 0)),
        ("localhost:9000", Address("localhost", 9000)),
        ("[::1]:8080", Address("::1", 8080)),
        ("off", None),
    ],
)
def test_the_lounges_address(given: str, web: Address | None) -> None:
    assert parse_config({"RIDOTTO_WEB": given}).web == web


A_HASH = "ab" * 32


@pytest.mark.parametrize(
    ("given", "relays"),
    [
        ("https://api.drand.sh", RelaySettings(CHAIN, ("https://api.drand.sh",))),
        ("https://a.example/, http://[::1]:9000 ", RelaySettings(CHAIN, ("https://a.example", "http://[::1]:9000"))),
        (f"https://a.example/drand/{CHAIN}", RelaySettings(CHAIN, ("https://a.example/drand",))),
        (f"http://127.0.0.1:9000/{A_HASH}/", RelaySettings(A_HASH, ("http://127.0.0.1:9000",))),
    ],
)
def test_the_beacons_relays_and_the_chain_that_they_name(given: str, relays: RelaySettings) -> None:
    assert parse_config({"RIDOTTO_BEACON": given}).beacon == relays


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("quicknet", "must be an https address"),
        ("ftp://a.example", "must be an https address"),
        (",", "one to 8 relay addresses"),
        (",".join(f"https://{number}.example" for number in range(9)), "one to 8 relay addresses"),
        ("https://a.example,https://a.example/", "must list each relay once"),
        (f"https://a.example,https://b.example/{A_HASH}", "relays of one chain"),
        ("https://anna:geheim@a.example", "without a password"),
        ("https://a.example/?key=geheim", "without a password"),
    ],
)
def test_what_names_no_relays_is_told_without_quoting_it(given: str, why: str) -> None:
    with pytest.raises(BadSetting, match=why) as refused:
        parse_config({"RIDOTTO_BEACON": given})
    assert str(refused.value).startswith("RIDOTTO_BEACON ")
    assert "geheim" not in str(refused.value)


def test_an_address_as_a_browser_takes_it() -> None:
    assert Address("::1", 8080).url == "http://[::1]:8080"
    assert Address("::1", 8080).is_loopback
    assert Address("127.3.2.1", 1).is_loopback
    assert not Address("0.0.0.0", 1).is_loopback
    assert not Address("example.org", 1).is_loopback


def test_beyond_loopback_needs_a_password() -> None:
    with pytest.raises(BadSetting, match="RIDOTTO_WEB_PASSWORD"):
        parse_config({"RIDOTTO_WEB": "0.0.0.0:8080"})
    config = parse_config({"RIDOTTO_WEB": "0.0.0.0:8080", "RIDOTTO_WEB_PASSWORD": "Bauta"})
    assert config.guests == 0, "nobody is kept company on a public address unless it is asked for"


def test_the_budget_of_rule_scripts_is_a_second_unless_it_is_set() -> None:
    assert parse_config({}).script_budget_s == 1.0
    assert parse_config({"RIDOTTO_SCRIPT_BUDGET": "2.5"}).script_budget_s == 2.5


def test_guests_come_to_a_lone_visitor_only() -> None:
    assert parse_config({"RIDOTTO_DISCORD_TOKEN": "abc"}).guests == 0
    assert parse_config({"RIDOTTO_DISCORD_TOKEN": "abc", "RIDOTTO_GUESTS": "3"}).guests == 3
    assert parse_config({"RIDOTTO_GUESTS": "0"}).guests == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RIDOTTO_COLOUR", "green"),
        ("RIDOTTO_WEB", "9090"),
        ("RIDOTTO_WEB", "127.0.0.1:99999"),
        ("RIDOTTO_WEB", ":9090"),
        ("RIDOTTO_GUESTS", "-1"),
        ("RIDOTTO_GUESTS", "many"),
        ("RIDOTTO_GUESTS", "2000"),
        ("RIDOTTO_SCRIPT_BUDGET", "0.0"),
        ("RIDOTTO_SCRIPT_BUDGET", "1e3"),
        ("RIDOTTO_SCRIPT_BUDGET", "-1"),
        ("RIDOTTO_LANGUAGE", "xx"),
        ("RIDOTTO_LOG", "loud"),
        ("RIDOTTO_ROLE", "back"),
        ("RIDOTTO_DISCORD_API", "not a url"),
        ("RIDOTTO_TELEGRAM_WEBHOOK", "http://example.org/hook"),
        ("RIDOTTO_TELEGRAM_TOKEN", "12 34"),
        ("RIDOTTO_DISCORD_TOKEN", "tök"),
    ],
)
def test_a_wrong_or_unknown_setting_is_named_and_its_value_is_not(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as refused:
        parse_config({name: value})
    sentence = str(refused.value)
    assert name in sentence
    assert "\n" not in sentence
    assert value not in sentence or name == "RIDOTTO_LANGUAGE"


def test_no_secret_stands_in_a_repr() -> None:
    secrets = {"RIDOTTO_WEB_PASSWORD": "Bauta", "RIDOTTO_DISCORD_TOKEN": "Moretta", "RIDOTTO_TELEGRAM_TOKEN": "Gnaga"}
    assert not any(secret in repr(parse_config(secrets)) for secret in secrets.values())


def test_the_environment_goes_before_the_file_and_arguments_before_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".env").write_text("RIDOTTO_LANGUAGE=it\nRIDOTTO_LOG=debug\nRIDOTTO_DATA=here\nOTHER=1\n", "utf-8")
    monkeypatch.setenv("RIDOTTO_LOG", "error")
    config = read_config(data="there", guests=1, folder=tmp_path)
    assert (config.language, config.log, config.data, config.guests) == ("it", "error", Path("there"), 1)


GOOD_FILES = {
    "a mark and CRLF": b"\xef\xbb\xbfRIDOTTO_LOG=debug\r\n# RIDOTTO_WEB: off\r\n",
    "export and blanks": b"\n\n export RIDOTTO_LOG = 'debug'\nother: 1\nOTHER line\n",
}
BAD_FILES = {
    "UTF-16": ("RIDOTTO_LOG=debug\r\n".encode("utf-16"), " is in UTF-16, as PowerShell writes it: save it in UTF-8."),
    "UTF-16 without a mark": ("RIDOTTO_LOG=debug\n".encode("utf-16-le"), " is in UTF-16"),
    "latin-1": ("RIDOTTO_LOG=debug\nNAME=Zo\xeb\n".encode("latin-1"), ", line 2 is not in UTF-8"),
    "a colon": (b"OTHER=1\n\nRIDOTTO_WEB: secret\n", ", line 3: write RIDOTTO_WEB=VALUE, with an equals sign."),
    "no sign": (b"OTHER=1\nRIDOTTO_WEB secret\n", ", line 2: write RIDOTTO_WEB=VALUE, with an equals sign."),
    "small letters": (b"ridotto_web=secret\n", ", line 1: write RIDOTTO_WEB in capitals."),
    "an open quote": (b'OTHER=1\nRIDOTTO_WEB="secret\n', ", line 2: RIDOTTO_WEB has an unreadable value"),
}


@pytest.mark.parametrize("data", GOOD_FILES.values(), ids=GOOD_FILES)
def test_a_file_of_settings_is_read_however_its_lines_end(tmp_path: Path, data: bytes) -> None:
    (tmp_path / ".env").write_bytes(data)
    assert read_config(folder=tmp_path).log == "debug"


@pytest.mark.parametrize(("data", "sentence"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_of_settings_that_would_be_misread_is_refused_by_its_line(
    tmp_path: Path, data: bytes, sentence: str
) -> None:
    (tmp_path / ".env").write_bytes(data)
    with pytest.raises(BadSetting) as raised:
        read_config(folder=tmp_path)
    assert f"{tmp_path / '.env'}{sentence}" in str(raised.value)
    assert "secret" not in str(raised.value)


def run(tmp_path: Path, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
    root = str(Path(__file__).parent.parent.parent)
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        capture_output=True,
        text=True,
        env={**clean, "PYTHONPATH": root, **settings},
        cwd=tmp_path,
        timeout=PATIENCE_S,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "status", "named"),
    [
        ({"RIDOTTO_COLOUR": "green"}, 2, "RIDOTTO_COLOUR"),
        ({"RIDOTTO_WEB": "off"}, 2, "RIDOTTO_WEB"),
        ({"RIDOTTO_DATA": "/dev/null/books"}, 1, "/dev/null/books"),
    ],
)
def test_a_house_that_cannot_open_says_why_in_one_line(
    tmp_path: Path, settings: dict[str, str], status: int, named: str
) -> None:
    ended = run(tmp_path, "run", **settings)
    assert ended.returncode == status
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert named in ended.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "needs RIDOTTO_BOOKS"),
        ({"RIDOTTO_BOOKS": "postgresql:///x", "RIDOTTO_GUESTS": "3"}, "RIDOTTO_GUESTS is a setting of the writer"),
        ({"RIDOTTO_BOOKS": "postgresql:///x", "RIDOTTO_WEB": "off"}, "nothing to start"),
    ],
)
def test_a_front_refuses_what_belongs_to_the_writer(more: dict[str, str], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        check_platforms(parse_config({"RIDOTTO_ROLE": "front"} | more))
