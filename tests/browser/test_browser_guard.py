"""What the guard answers, refuses and logs, and that a page is otherwise left as it is."""

from __future__ import annotations

import pytest

from browserkit import Visit, eventually
from pytest_appbench.browser.events import Dialog
from pytest_appbench.browser.session import Session

FULL = "position:fixed;left:0;top:0;width:200px;height:200px"


def attempts(session: Session) -> dict[str, set[str]]:
    """The addresses that were tried, by kind."""
    found: dict[str, set[str]] = {}
    for attempt in session.events.attempted:
        found.setdefault(attempt.kind, set()).add(attempt.url)
    return found


def test_dialogs_are_answered_in_the_page_and_logged(visit: Visit) -> None:
    session = visit(
        """<script>
        alert('Hello'); alert(); alert(null);
        const answers = [confirm('Sure?'), prompt('Name?', 'Ann'), prompt('Age?'), print()];
        document.title = JSON.stringify(answers);
        </script>"""
    )
    assert session.evaluate("() => document.title") == '[true,"Ann","",null]'
    assert session.events.dialogs == [
        Dialog("alert", "Hello"),
        Dialog("alert", ""),
        Dialog("alert", "null"),
        Dialog("confirm", "Sure?", "true"),
        Dialog("prompt", "Name?", "Ann"),
        Dialog("prompt", "Age?"),
        Dialog("print", ""),
    ]


def test_dialogs_of_frames_are_answered_too(visit: Visit) -> None:
    session = visit(
        """<iframe srcdoc="<script>alert('inner')</script>"></iframe>
        <iframe sandbox="allow-scripts allow-modals" srcdoc="<script>alert('sandboxed')</script>">
        </iframe><script>
        const frame = document.createElement('iframe');
        document.body.append(frame);
        frame.contentWindow.alert('borrowed');
        </script>"""
    )
    expected = {"inner", "sandboxed", "borrowed"}
    eventually(session, lambda: {d.text for d in session.events.dialogs} == expected)


def test_leaving_is_never_held_up(visit: Visit) -> None:
    session = visit(
        f"""<button style='{FULL}'>touch</button><script>addEventListener('beforeunload',
        (event) => {{ event.preventDefault(); event.returnValue = 'Stay'; }})</script>"""
    )
    session.click(50, 50)
    session.open(visit.sites.add("<title>elsewhere</title>"))
    assert session.evaluate("() => document.title") == "elsewhere"
    assert [dialog.kind for dialog in session.events.dialogs] == ["beforeunload"]


def test_console_is_capped_and_clipped(visit: Visit) -> None:
    session = visit(
        "<script>console.log('x'.repeat(1e6)); for (let i = 0; i < 5000; i++) console.info(i);"
        "document.title = 'done'</script>"
    )
    assert session.evaluate("() => document.title") == "done"
    assert len(session.events.console) == 300
    assert len(session.events.console[0].text) == 2000
    assert session.events.floods == ["console"]


def test_popups_are_closed_and_logged(visit: Visit) -> None:
    session = visit(
        f"""<a target=_blank href='linked' style='{FULL}'>link</a>
        <script>document.title = String(open('opened')); close();</script>""",
        {"linked": "popup", "opened": "popup"},
    )
    session.click(50, 50)
    site = session.url
    expected = {"popup": {f"{site}opened", f"{site}linked"}, "window-close": {""}}
    eventually(session, lambda: attempts(session) == expected)
    eventually(session, lambda: len(session.page.context.pages) == 1)
    assert session.evaluate("() => document.title") == "null"


def test_frames_are_still_opened_by_name(visit: Visit) -> None:
    session = visit(
        "<iframe name=pane></iframe><script>open('inner', 'pane')</script>", {"inner": "inner"}
    )
    with session.bounded(5):
        session.page.frame_locator("iframe").get_by_text("inner").wait_for()
    assert session.events.attempted == []


def test_pages_that_a_check_opens_are_left_alone(visit: Visit) -> None:
    session = visit("<title>one</title>")
    other = session.page.context.new_page()
    other.goto(session.url)
    assert other.title() == "one"
    assert other in session.page.context.pages


@pytest.mark.parametrize(
    "script",
    [
        "location.href = 'http://else.test/away'",
        "location.replace('http://else.test/away')",
        "document.querySelector('a').click()",
        "document.querySelector('form').submit()",
        "open('http://else.test/away', '_self')",
        "document.head.insertAdjacentHTML('beforeend', "
        "'<meta http-equiv=refresh content=\"0;url=http://else.test/away\">')",
    ],
    ids=["href", "replace", "link", "form", "open", "refresh"],
)
def test_page_stays_when_it_tries_to_leave_its_site(visit: Visit, script: str) -> None:
    session = visit(
        "<title>still here</title><a href='http://else.test/away'>link</a>"
        "<form method=post action='http://else.test/away'></form>"
    )
    with session.bounded(5):
        session.page.evaluate(f"() => {{ {script} }}")
    eventually(session, lambda: "navigation" in attempts(session))
    assert attempts(session) == {"navigation": {"http://else.test/away"}}
    assert session.evaluate("() => document.title") == "still here"


def test_what_was_tried_over_the_network_is_logged(visit: Visit) -> None:
    session = visit(
        """<img src='http://else.test/image'><link rel=stylesheet href='http://else.test/style'>
        <script src='http://else.test/script'></script><iframe src='http://else.test/frame'></iframe>
        <script>
        const ignore = () => {};
        fetch('http://else.test/fetch').catch(ignore);
        const request = new XMLHttpRequest();
        request.open('GET', 'http://else.test/xhr'); request.send();
        new WebSocket('ws://else.test/socket');
        new EventSource('http://else.test/stream');
        navigator.sendBeacon('http://else.test/beacon');
        new RTCPeerConnection({ iceServers: [{ urls: ['stun:else.test:3478'] }] });
        new WebTransport('https://else.test/transport').closed.catch(ignore);
        const code = `fetch('http://else.test/worker').catch(() => 0);`;
        new Worker(URL.createObjectURL(new Blob([code])));
        </script>"""
    )
    expected = {
        "fetch": {"http://else.test/fetch", "http://else.test/worker"},
        "image": {"http://else.test/image"},
        "stylesheet": {"http://else.test/style"},
        "script": {"http://else.test/script"},
        "frame": {"http://else.test/frame"},
        "xhr": {"http://else.test/xhr"},
        "eventsource": {"http://else.test/stream"},
        "beacon": {"http://else.test/beacon"},
        "websocket": {"ws://else.test/socket"},
        "webrtc": {"stun:else.test:3478"},
        "webtransport": {"https://else.test/transport"},
    }
    eventually(session, lambda: attempts(session) == expected)


def test_own_requests_are_no_attempts(visit: Visit) -> None:
    session = visit(
        "<img src='missing.png'><script>fetch('data'); location.hash = 'there';"
        "history.pushState(0, '', '?page=2'); new Image().src = 'data:image/gif;base64,R0';"
        "fetch('/never', { signal: AbortSignal.timeout(50) }).catch(() => 0);</script>",
        {"data": "{}"},
    )
    session.settle(500)
    assert attempts(session) == {}


def test_downloads_and_file_choosers_are_refused_and_logged(visit: Visit) -> None:
    session = visit(
        f"""<input type=file style='{FULL}'><script>
        const link = document.createElement('a');
        link.download = 'data.csv';
        link.href = URL.createObjectURL(new Blob(['1,2']));
        link.click();
        </script>"""
    )
    session.click(50, 50)
    eventually(session, lambda: [d.kind for d in session.events.dialogs] == ["filechooser"])
    eventually(session, lambda: "download" in attempts(session))
    assert [url.startswith("blob:") for url in attempts(session)["download"]] == [True]


def test_permissions_are_denied_without_a_prompt(visit: Visit) -> None:
    session = visit(
        """<script>
        const failed = (error) => error.name ?? 'code ' + error.code;
        Promise.all([
            Notification.requestPermission(),
            new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no)).then(
                () => 'given', failed),
            navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', failed),
        ]).then((answers) => { document.title = answers.join(' '); });
        </script>"""
    )
    with session.bounded(10):
        session.page.wait_for_function("document.title")
    assert session.evaluate("() => document.title") in (
        "denied code 1 NotAllowedError",
        "denied code 1 NotFoundError",
    )


def test_copying_to_the_clipboard_works(visit: Visit) -> None:
    session = visit(
        f"""<button style='{FULL}'>Copy</button><script>
        document.querySelector('button').onclick = () => navigator.clipboard.writeText('x').then(
            () => {{ document.title = 'copied'; }}, (error) => {{ document.title = error.name; }});
        </script>"""
    )
    session.click(50, 50)
    with session.bounded(10):
        session.page.wait_for_function("document.title")
    assert session.evaluate("() => document.title") == "copied"


def test_service_workers_are_refused_and_logged(visit: Visit) -> None:
    session = visit(
        """<script>
        delete navigator.serviceWorker.register;
        navigator.serviceWorker.register('worker.js').then((own) => own.scope,
            (error) => { document.title = error.name; });
        </script>""",
        {"worker.js": ""},
    )
    eventually(session, lambda: session.evaluate("() => document.title") == "SecurityError")
    count = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    assert session.evaluate(count) == 0
    assert attempts(session) == {"service-worker": {"worker.js"}}


def test_windows_that_no_script_opens_stay_shut_too(visit: Visit) -> None:
    session = visit(f"<a style='{FULL}' href='/x' target=_blank>link</a>")
    with session.bounded(10):
        for keys, button in (("", "left"), ("", "middle"), ("Control", "left"), ("Shift", "left")):
            if keys:
                session.page.keyboard.down(keys)
            session.page.mouse.click(50, 50, button=button)  # type: ignore[arg-type]
            if keys:
                session.page.keyboard.up(keys)
        session.page.evaluate("documentPictureInPicture?.requestWindow().catch(() => 0)")
    eventually(session, lambda: len(session.page.context.pages) == 1)
    eventually(session, lambda: "picture in picture" in attempts(session).get("popup", set()))


def test_permissions_and_pickers_are_told(visit: Visit) -> None:
    session = visit(
        f"""<button style='{FULL}'>Ask</button><script>
        const ignore = () => 0;
        document.querySelector('button').onclick = () => {{
            Notification.requestPermission();
            navigator.geolocation.watchPosition(ignore, ignore);
            navigator.mediaDevices.getUserMedia({{ audio: true }}).catch(ignore);
            showSaveFilePicker().catch(ignore);
        }};
        </script>"""
    )
    mark = session.events.mark()
    session.click(50, 50)
    expected = {"permission": {"notifications", "geolocation", "camera or microphone"}}
    eventually(session, lambda: attempts(session) == expected)
    picker = Dialog("filechooser", "showSaveFilePicker", "cancelled")
    eventually(session, lambda: session.events.since(mark).dialogs == [picker])


def test_whoever_goes_back_is_told_of_a_trap(visit: Visit) -> None:
    session = visit(
        """<title>0</title><script>
        history.pushState(0, '', '#trap');
        addEventListener('popstate', () => {
            history.pushState(0, '', '#trap');
            document.title += 1;
        });
        </script>"""
    )
    assert attempts(session) == {}
    with session.bounded(10):
        session.page.evaluate("history.back()")
    eventually(session, lambda: session.evaluate("() => document.title") == "01")
    eventually(session, lambda: "back-trap" in attempts(session))


def test_many_addresses_are_told_as_a_few(visit: Visit) -> None:
    session = visit("<script>for (let i = 0; i < 200; i++) open('http://else.test/' + i)</script>")
    eventually(session, lambda: sum(one.count for one in session.events.attempted) == 200)
    *told, others = session.events.attempted
    assert len(told) == 20
    assert (others.kind, others.url, others.count) == ("popup", "(other addresses)", 180)


@pytest.mark.parametrize("world", ["page", "frame"])
def test_reading_whether_it_is_automated_is_recorded_and_not_noticed(
    visit: Visit, world: str
) -> None:
    ask = "parent.document.title = String(navigator.webdriver) + ('webdriver' in navigator)"
    asking = f"<script>{ask}</script>"
    session = visit(asking if world == "page" else "<iframe src=inner>", {"inner": asking})
    eventually(session, lambda: session.evaluate("() => document.title") == "falsetrue")
    eventually(session, lambda: session.events.sniffed == ["navigator.webdriver"])
    assert visit("<p>no question</p>").events.sniffed == []


def test_chance_follows_the_seed(visit: Visit) -> None:
    html = """<script>document.title = [Math.random(), Math.random(), crypto.randomUUID(),
        crypto.getRandomValues(new Uint16Array(2))].join(' ')</script>"""
    titles = [visit(html, seed=seed).evaluate("() => document.title") for seed in (1, 1, 2)]
    assert titles[0] == titles[1]
    assert titles[0] != titles[2]


def test_page_that_loads_itself_again_is_dealt_anew(visit: Visit) -> None:
    session = visit("<script>document.title = Math.random()</script>")
    first = session.evaluate("() => document.title")
    session.page.reload()
    assert session.evaluate("() => document.title") != first


def test_chance_is_even(visit: Visit) -> None:
    session = visit(
        """<script>
        const counts = Array(10).fill(0);
        for (let i = 0; i < 1e4; i++) counts[Math.floor(Math.random() * 10)] += 1;
        document.title = Math.min(...counts) > 850 && Math.max(...counts) < 1150;
        </script>"""
    )
    assert session.evaluate("() => document.title") == "true"


def test_an_ordinary_page_notices_little(visit: Visit) -> None:
    session = visit(
        """<script>
        const names = new Set();
        for (let o = window; o; o = Object.getPrototypeOf(o))
            for (const key of Reflect.ownKeys(o)) names.add(String(key));
        document.title = JSON.stringify({
            ours: [...names].filter((name) => /appbench|hook|secret|guard/i.test(name)),
            driven: navigator.webdriver,
            native: [alert, console.log, open, Function.prototype.toString, Notification.requestPermission,
                Object.getOwnPropertyDescriptor(Navigator.prototype, 'webdriver').get,
                navigator.serviceWorker?.register ?? alert]
                .filter((f) => !/^function (get )?\\w+\\(\\) \\{ \\[native code\\] \\}$/.test(f)).length,
            kinds: [alert, console.log, Math.random, open]
                .map((f) => [f.name, f.length, 'prototype' in f].join()),
            enumerable: Object.keys(console).includes('log'),
            peers: new RTCPeerConnection() instanceof RTCPeerConnection,
        });
        </script>"""
    )
    assert session.evaluate("() => JSON.parse(document.title)") == {
        "ours": [],
        "driven": False,
        "native": 0,
        "kinds": ["alert,0,false", "log,0,false", "random,0,false", "open,0,false"],
        "enumerable": True,
        "peers": True,
    }


def test_traffic_of_a_page_is_not_slowed_by_routing(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    context = session.page.context
    assert context._impl_obj._routes == [], "a route would send each request through Python"
