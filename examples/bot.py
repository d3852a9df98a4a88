#!/usr/bin/env python3
"""A bot for Parlor, written from docs/protocol.md: the standard library and `pip install websockets`.

    python3 bot.py http://127.0.0.1:7777 TOKEN roulette            makes a table and plays both seats
    python3 bot.py http://127.0.0.1:7777 TOKEN roulette TABLE      sits down at a table somebody made

It knows one simple thing to do at every moment of each of the five games. Make it stronger in `choose`.
"""
import asyncio, hashlib, json, random, secrets, sys
import websockets


def choose(game, seat, view):
    """What this seat does now, from the public view; nothing to wait."""
    if game == "roulette":
        me = view["players"][seat]
        return None if me["ready"] else {"do": "ready"} if me["slip"] or not view["chips"][seat] else {"do": "lay", "bets": [random.choice(["red", "black", "15"]) + "=1"]}
    if game == "contact":
        start, end = random.choice(view["legal"] or ["-"]).split("-")
        return {"do": "move", "from": start, "to": end} if start else {"do": "pass"}
    if game == "cubo":
        me, phase = view["seats"][seat], view["phase"]["is"]
        if phase == "pause":
            return None if seat in view["phase"]["ready"] else {"do": "ready"}
        if phase == "scoring":
            return {"do": "keep"}
        if me["stage"]["is"] == "thrown":
            return {"do": "call"} if me["placed"] == 9 else {"do": "arrange", "grid": [[0, 1, 2], [3, 8, 4], [5, 6, 7]]}
        return {"held": {"do": "roll"}, "called": {"do": "take", "die": next((at for at, die in enumerate(view["centre"]) if die), 0)}}.get(me["stage"]["is"])
    stage = view["turn"]["stage"]["is"]  # I-Qubes and Scribbage
    return {"cup": {"do": "throw"}, "arranging": {"do": "done"}, "voting": {"do": "vote", "good": True}}.get(stage, {"do": "pass"})


def new_chain():
    """4,097 links, each the hash of the next: we say the first, and for every throw one more (docs/fair-dice.md)."""
    links = [secrets.token_bytes(32)]
    for _ in range(4096):
        links.append(hashlib.sha256(b"parlor link 1" + links[-1]).digest())
    return links[::-1]


async def play(house, token, game, table=None):
    url = house.replace("http", "ws", 1) + "/ws"
    async with websockets.connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        number = 0

        async def say(cmd, **fields):
            nonlocal number
            number += 1
            await socket.send(json.dumps({"cmd": cmd, "id": number, **fields}))

        await socket.send(json.dumps({"cmd": "hello", "protocol": 2, "client": secrets.token_hex(8)}))
        you = json.loads(await socket.recv())["you"]["id"]
        seed = secrets.token_hex(16)  # what we add to the dice
        if table:
            await say("join", table=table, seed=seed)
        else:
            await say("create", game=game, seats=[{"for": "me"}, {"for": "here", "name": "My other hand"}], seed=seed)
        mine, view, host, chain, sums = [], None, not table, new_chain(), {}
        async for text in socket:
            heard = json.loads(text)
            if heard["msg"] == "refused":
                print("refused:", heard["says"], file=sys.stderr)
            if "room" in heard:  # in every view, and in events that may move seats
                mine = [seat for seat, place in enumerate(heard["room"]["seats"]) if place.get("person") == you]
            # Dice are thrown: nobody can know them without our link. Never the same link for two different games.
            if heard["msg"] == "ask" and sums.setdefault(heard["throw"], heard["sum"]) == heard["sum"]:
                await socket.send(json.dumps({"cmd": "link", "table": table, "throw": heard["throw"], "seat": heard["seat"], "link": chain[heard["link"]].hex()}))
            if heard["msg"] == "unchained":  # we were too slow once: go on with a new chain
                chain = new_chain()
                await say("chain", table=table, anchor=chain[0].hex())
            if heard["msg"] == "view":
                if table != heard["table"] or not view:
                    table = heard["table"]
                    await say("chain", table=table, anchor=chain[0].hex())
                await (say("start", table=table) if host else say("ready", table=table, ready=True))
            if heard["msg"] in ("view", "event"):
                if heard["msg"] == "event" and heard["why"]["what"] == "over":
                    return heard["why"]["outcome"]
                view = heard.get("public", view)
                acts = [(seat, choose(game, seat, view)) for seat in heard.get("awaits", []) if seat in mine]
                for seat, act in [(seat, act) for seat, act in acts if act][:1]:  # one at a time: the next event tells what came of it
                    await say("act", table=table, seat=seat, act=act)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(*sys.argv[1:]))))
