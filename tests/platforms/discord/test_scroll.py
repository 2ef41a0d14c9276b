"""Where people chat while hands are played, the table stays in sight."""

from statistics import median

from tests.platforms.discord.house import opened

LASTS_S, LINE_S, STEP_S = 100, 1.5, 0.5
LEAST_BETWEEN_S = 60


async def test_the_table_comes_down_with_the_next_hand_once_a_minute_has_passed(tmp_path, monkeypatch):
    """Hands are played one after the other, and there are 40 lines a minute beside them."""
    async with opened(tmp_path / "data", monkeypatch, stands_at_s=1_800_000_000.0) as house:
        guild = house.server.guild("Venezia")
        channel, anna, bea = guild.text_channel("tables"), guild.member("Anna"), guild.member("Bea")
        await house.table_in(channel)
        below: list[int] = []
        posts: dict[int, float] = {}
        for step in range(int(LASTS_S / STEP_S)):
            at_s = step * STEP_S
            if at_s % LINE_S == 0:
                bea.says(channel, "Did you see that?")
            await house.pass_time(STEP_S)
            table = house.table(channel)
            if table.play is not None:
                await anna.slash(channel, "fold")
            elif not table.bets and at_s % 5 == 0:
                await anna.slash(channel, "bet", amount="50")
            await house.server.until(lambda: is_shown(house, channel))
            shown = max(one.id for one in channel.messages if one.labels)
            posts.setdefault(shown, at_s)
            below.append(sum(one.id > shown for one in channel.messages))
        anew = [at_s for at_s in posts.values() if at_s]
        assert len(anew) == 1, "a hand lasts 25 seconds, and a minute is to pass"
        assert LEAST_BETWEEN_S <= anew[0] <= LEAST_BETWEEN_S + 25
        assert max(below) <= (LEAST_BETWEEN_S + 25) / LINE_S
        print(f"below the table: median {median(below)}, most {max(below)}; posted at {list(posts.values())}")


def is_shown(house, channel):
    """Whether the table's message shows the newest state, and nothing of it is on its way."""
    newest = house.client.tables.message(channel.id).newest
    return newest._task is None and newest._changed_at is None
