"""Uses the page of `pql play` and of `pql serve --playground` as a person would; see run.sh."""

import base64
import glob
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

from browser import Browser

CITIES = "Tests/Data/us-cities.ndjson"


class Served:
    """A process of pql that serves the page on a free port."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        self.url = next(found.group(1) for line in self.process.stdout
                        if (found := re.match(r"playground at (\S+)", line)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait() == 0


class Test:
    """A page with the steps that the tests share."""

    def __init__(self, browser, url, pictures):
        self.page, self.url, self.pictures = browser.page(url), url, pictures

    def text(self, selector):
        return self.page.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def settled(self):
        """Waits for the answer to what was typed last."""
        self.page.wait("!isAsking && !isWaiting")

    def write(self, text):
        self.page.evaluate("text.focus()")
        self.page.press("a", modifiers=2)
        self.page.type(text)
        self.page.press("Escape")
        self.settled()

    def fill(self, field, text):
        self.page.evaluate(f"(() => {{ const e = $('{field}'); e.focus(); e.value = '';"
                           " e.dispatchEvent(new Event('input')); })()")
        if text:
            self.page.type(text)
        self.settled()

    def choose(self, name):
        """Chooses loaded data by the name that the page shows."""
        self.page.evaluate(f"(() => {{ const e = $('source'); e.value = [...e.options].find(o => o.textContent"
                           f".startsWith({json.dumps(name)})).value; e.dispatchEvent(new Event('change')); }})()")
        self.settled()

    def tab(self, name):
        self.page.click(f"#tab-{name}")
        self.page.wait(f"tab === {json.dumps(name)} && !isAsking && !isWaiting")
        return self.text("#panel")

    def picture(self, name):
        self.page.picture(os.path.join(self.pictures, name + ".png"))

    def is_named(self, *wanted):
        """Every control has a name for a screen reader; and what is wanted, as role and name, is there."""
        nodes = self.page.spoken()
        controls = {"button", "textbox", "combobox", "checkbox", "radio", "switch", "link", "tab", "spinbutton",
                    "listbox", "option", "tabpanel", "radiogroup", "tablist", "image", "DisclosureTriangle"}
        unnamed = [node for node in nodes if node[0] in controls and not node[1].strip()]
        assert not unnamed, unnamed
        for each in wanted:
            assert each in [node[:2] for node in nodes], (each, [node[:2] for node in nodes if node[0] in controls])

    def is_quiet(self):
        assert not self.page.messages, self.page.messages


def typing(test):
    """Colours are the lexer's, a mistake has its place, and its fix is a button."""
    test.page.wait("document.querySelectorAll('tbody tr').length > 5")
    test.write("state == 'MA' AND population >= 50000")
    assert test.text("#status").startswith("30 rows"), test.text("#status")
    assert test.text(".t-logical") == "AND" and test.text(".t-string") == "'MA'"
    test.picture("rows")
    test.write("name STARTSWITH 'Bos'")
    assert test.text(".bad") == "STARTSWITH" and test.text(".problem button") == "Fix: BEGINSWITH"
    test.picture("error")
    test.page.click(".problem button")
    test.page.wait("text.value === \"name BEGINSWITH 'Bos'\" && !isAsking && !isWaiting")
    assert "Boston" in test.text("#panel") and test.text("#problems") == ""
    test.write("naem == 'Boston'")
    assert "no row has a field naem" in test.text(".warning") or "has a field naem" in test.text(".warning")
    test.page.click(".problem button")
    test.page.wait("text.value === \"name == 'Boston'\"")
    # A place behind signs of several bytes, and one at the end.
    test.write("name == '🌍é' AND naem == 1")
    assert test.text(".warn") == "naem", test.text(".warn")
    test.write("population >")
    assert test.page.evaluate("document.querySelector('.bad.gap') !== null")


def completing(test):
    test.page.evaluate("text.focus()")
    test.page.press("a", modifiers=2)
    test.page.type("popu")
    test.page.wait("!$('words').hidden")
    assert test.text("#words [aria-selected=true] code") == "population"
    assert test.page.evaluate("text.getAttribute('aria-activedescendant')") == "word-0"
    test.picture("completion")
    test.page.press("Tab")
    test.page.wait("text.value === 'population' && $('words').hidden")
    test.page.type(" > 5 AND name BEG")
    test.page.wait("!$('words').hidden")
    test.page.press("Enter")
    test.page.wait("text.value.endsWith('BEGINSWITH')")
    test.page.type(" 'popu")
    test.settled()
    assert test.page.evaluate("$('words').hidden"), "nothing is completed in a text"


def tabs(test):
    test.write("state == 'MA' AND NOT (population < 50000 OR ANY aliases LIKE 'x*')")
    assert test.page.evaluate("$('tab-rows').getAttribute('aria-selected')") == "true"
    tree = test.tab("tree")
    assert all(word in tree for word in ["AND", "NOT", "OR", "ANY LIKE"]), tree
    test.picture("tree")
    assert '"$and"' in test.tab("mongo") or '"state": "MA"' in test.text("#panel")
    test.picture("mongo")
    test.write("state == 'MA' AND NOT (population < 50000 OR name BEGINSWITH[cd] 'x')")
    for name in ["sqlite", "postgresql", "duckdb"]:
        panel = test.tab(name)
        assert 'FROM "us-cities"' in panel and "Bindings" in panel, panel
        test.picture(name)
    assert "keep rows where" in test.tab("plan")
    test.picture("plan")
    assert "population holds single values" in test.tab("assumptions")
    test.picture("assumptions")
    # From tab to tab by the keyboard, around the end.
    test.page.press("ArrowRight")
    test.page.wait("document.activeElement.id === 'tab-rows' && !isAsking")
    test.page.press("End")
    test.page.wait("document.activeElement.id === 'tab-assumptions' && !isAsking")
    test.tab("rows")


def groups(test):
    test.write("population > 100000")
    for field, value in [("by", "state"), ("compute", "count, sum:population"), ("order", "-count"), ("limit", "12")]:
        test.fill(field, value)
    assert test.text("#status").startswith("12 groups"), test.text("#status")
    assert test.page.evaluate("document.querySelectorAll('.chart .fill').length") == 12
    test.picture("groups")
    # A link has the whole question.
    link = test.page.evaluate("location.href")
    assert "by=state" in link and "q=population" in link
    test.fill("order", "count[zz]")
    assert test.page.evaluate("$('order').getAttribute('aria-invalid')") == "true"
    assert "Sort by" in test.text("#problems")
    test.page.open("about:blank")
    test.page.open(link)
    test.page.wait("document.querySelectorAll('.chart .fill').length === 12")
    for field in ["by", "compute", "order", "limit"]:
        test.page.evaluate(f"$('{field}').value = ''")


def mongo(test):
    test.page.click("input[name=mode][value=mongo] + span")
    test.write('{"population": {"$gt": 3000000}}')
    assert test.text(".found code") == "ANY population > 3000000"
    test.picture("filter")
    test.write('{"population": {"$gtt": 3000000}}')
    assert "$gtt" in test.text(".problem"), test.text("#problems")
    test.write('{"population": {"$gt": 3000000}}')
    test.page.click(".found button")
    test.page.wait("mode() === 'format' && text.value === 'ANY population > 3000000' && !isAsking && !isWaiting")
    assert test.text("#status").startswith("2 rows"), test.text("#status")


def files(test, folder, count):
    """What is dropped: hostile rows, a large file, a database, and what holds no rows."""
    hostile = "<script>window.broken = true</script>"
    image = "<img src=x onerror='window.broken = true'>"
    rows = [{hostile: image, "age": 1, "large": 9007199254740993}, {"age": "\u202e</td>", image: [hostile, {image: 1}]}]
    path = os.path.join(folder, "<b>hostile.ndjson")
    with open(path, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    test.page.choose("#file", path)
    test.page.wait("source()?.name.includes('hostile') && !isAsking && !isWaiting")
    for name in ["rows", "tree", "mongo", "sqlite", "postgresql", "duckdb", "plan", "assumptions"]:
        test.tab(name)
    test.tab("rows")
    assert hostile in test.text("#panel") and "9007199254740993" in test.text("#panel")
    test.write(f'age == "{image}" OR #script == "{hostile}"')
    test.write("age == 1")
    test.page.evaluate("document.querySelector('tbody tr').focus()")
    test.page.press("Enter")
    assert '"large": {"$numberLong": "9007199254740993"}' in test.text("tr.whole")
    test.picture("hostile")
    assert test.page.evaluate("window.broken === undefined && !document.querySelector('main img, main script')")

    # A file that is dragged over the page, away again, and back, and dropped.
    path = os.path.join(folder, "dropped.json")
    with open(path, "w") as file:
        json.dump([{"fruit": "apple"}, {"fruit": "pear"}], file)
    test.page.drag("dragEnter", path)
    test.page.drag("dragOver", path)
    test.page.wait("!$('drop').hidden")
    test.picture("drag")
    # DevTools has no drag that leaves the window.
    test.page.evaluate("document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))")
    test.page.wait("$('drop').hidden")
    test.page.drag("dragOver", path)
    test.page.wait("!$('drop').hidden")
    # Over what is shown now, as a hand that goes on moving.
    test.page.drag("dragOver", path)
    test.page.drag("drop", path)
    test.page.wait("$('drop').hidden")
    test.page.wait("source()?.name === 'dropped.json' && !isAsking && !isWaiting && $('drop').hidden")
    test.write("fruit == 'pear'")
    assert test.text("#status").startswith("1 row "), test.text("#status")

    path = os.path.join(folder, "large.ndjson")
    with open(path, "w") as file:
        for number in range(count):
            file.write(json.dumps({"n": number, "text": "row %d" % number, "even": number % 2 == 0}) + "\n")
    test.page.choose("#file", path)
    test.page.wait("source()?.name.includes('large') && !isAsking && !isWaiting", seconds=120)
    assert f"{count:,} rows" in test.text("#source"), test.text("#source")
    test.write("n < 1000")
    assert test.text(".more").startswith("100 of 1,000 rows shown"), test.text(".more")
    test.page.click(".more button")
    test.page.wait("document.querySelectorAll('tbody tr').length === 200")

    path = os.path.join(folder, "shop.sqlite")
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE goods (id INTEGER PRIMARY KEY, title TEXT, price REAL);"
                           "INSERT INTO goods VALUES (1, 'lamp', 20.5), (2, 'desk', 120);")
    database.close()
    test.page.choose("#file", path)
    test.page.wait("source()?.name.includes('goods') && !isAsking && !isWaiting")
    test.write("price > 100")
    assert "desk" in test.text("#panel") and "lamp" not in test.text("#panel")
    assert 'FROM "goods"' in test.tab("sqlite")
    assert "SCAN goods" in test.tab("plan") and "CREATE INDEX" in test.text("#panel"), test.text("#panel")
    test.picture("plan-sqlite")
    test.tab("rows")

    path = os.path.join(folder, "table.csv")
    with open(path, "w") as file:
        file.write('title,size.width,price\n"a ""small"" lamp",12,20.5\n<b>desk</b>,140,120\n')
    test.page.choose("#file", path)
    test.page.wait("source()?.name.includes('table') && !isAsking && !isWaiting")
    test.write("size.width > 100")
    assert "<b>desk</b>" in test.text("#panel") and "lamp" not in test.text("#panel")
    assert test.page.evaluate("document.querySelector('#colours .t-reserved') === null"), "size is a field here"
    test.picture("csv")

    path = os.path.join(folder, "ragged.csv")
    with open(path, "w") as file:
        file.write("a,b\n1,2\n3\n")
    test.page.choose("#file", path)
    test.page.wait("$('status').textContent.includes('was not loaded')")
    assert "ragged.csv:3:2: the record has 1 cell, the header 2" in test.text("#problems"), test.text("#problems")
    # The refusal of the file, which the test asked for.
    test.page.messages[:] = [each for each in test.page.messages if "422" not in each]


def looks(test):
    """Light and dark, and on a phone, where nothing sticks out."""
    test.page.evaluate("$('source').selectedIndex = 0; $('source').dispatchEvent(new Event('change'))")
    test.write("state == 'CA' AND population >= 300000")
    test.fill("order", "-population")
    test.page.screen(1200, 860, dark=True)
    test.picture("dark")
    for name in ["tree", "sqlite"]:
        test.tab(name)
        test.picture("dark-" + name)
    test.tab("rows")
    for dark in [False, True]:
        test.page.screen(390, 844, dark=dark, phone=True)
        assert test.page.evaluate("document.documentElement.scrollWidth") == 390
        test.picture("phone-dark" if dark else "phone")
    test.page.screen(1200, 860)
    test.is_named(("combobox", "Query text"), ("tab", "Rows"), ("tabpanel", "Rows"), ("radiogroup", "Language"),
                  ("radio", "Mongo filter"), ("button", "Open file…"), ("link", "Two devices"), ("spinbutton", "Limit"))
    test.tab("tree")
    test.is_named(("tab", "Tree"), ("image", 'AND of (== of (state; "CA"); >= of (population; 300000))'))
    test.tab("rows")


def devices(test):
    """Two stores without a network, what waits, what is sent, and who wins."""
    page = test.page

    def list_of(name):
        return page.evaluate(f"[...document.querySelectorAll('#{name}-rows .text')].map(e => e.value ?? e.innerText)")

    def done():
        """Waits until all that was asked for is drawn."""
        page.evaluate("before")

    def change(name, index, text):
        page.evaluate(f"document.querySelectorAll('#{name}-rows input.text')[{index}].focus()")
        page.press("a", modifiers=2)
        page.type(text)
        page.press("Enter")
        done()

    def add(name, text):
        page.evaluate(f"$('{name}-new').focus()")
        page.type(text)
        page.press("Enter")
        done()

    def sync(*names):
        for name in names:
            page.click(f"#{name}-sync")
            done()

    query = page.evaluate("text.value")
    page.click("#to-devices")
    page.wait("!$('devices').hidden && $('queries').hidden && document.querySelectorAll('#laptop-rows li').length === 3")
    assert list_of("phone") == list_of("laptop") == list_of("service") == ["Buy milk", "Water the plants", "Call Ann"]
    assert "POST /appdata/todos/Todo" in test.text("#wire")
    test.picture("devices")

    # The switch by the keyboard; a change without a network waits, and is seen on this device only.
    page.evaluate("$('phone-network').focus()")
    page.press(" ")
    page.wait("$('phone-network').getAttribute('aria-checked') === 'false'")
    change("phone", 0, "Buy oat milk")
    add("phone", "Pay the rent")
    assert test.text("#phone-waiting-title") == "Waiting to be sent (2)"
    assert "Buy oat milk" in test.text("#phone-waiting") and "Pay the rent" in test.text("#phone-waiting")
    assert "2 changes wait" in test.text("#news"), test.text("#news")
    assert page.evaluate("document.activeElement.id") == "phone-new", "the focus stays"
    sync("phone")
    assert "cannot be reached" in test.text("#news") and "no network" in test.text("#wire li"), test.text("#news")
    assert test.text("#phone-waiting-title") == "Waiting to be sent (2)"
    test.picture("devices-offline")
    page.click("#phone-network")
    page.wait("$('phone-network').getAttribute('aria-checked') === 'true'")
    sync("phone")
    assert test.text("#phone-waiting-title") == "Waiting to be sent (0)", test.text("#news")
    assert list_of("service") == list_of("phone") != list_of("laptop")
    sync("laptop")
    assert list_of("laptop") == list_of("phone") == ["Buy oat milk", "Water the plants", "Call Ann", "Pay the rent"]
    assert "_deltaset" in test.text("#wire li") and "200" in test.text("#wire li"), test.text("#wire li")

    # Done, and removed: the focus finds a place when its to-do goes.
    page.click("#laptop-rows li:nth-child(2) input[type=checkbox]")
    done()
    page.evaluate("document.querySelector('#laptop-rows li:nth-child(4) button').focus()")
    page.press("Enter")
    done()
    assert page.evaluate("document.activeElement.id") == "laptop-new"
    assert "removed Pay the rent" in test.text("#laptop-waiting").replace("\n", " "), test.text("#laptop-waiting")
    sync("laptop", "phone")
    assert len(list_of("phone")) == 3
    assert page.evaluate("document.querySelector('#phone-rows li:nth-child(2) input').checked")

    hostile = "<script>window.broken = true</script><img src=x onerror='window.broken = true'>"
    add("laptop", hostile)
    sync("laptop", "phone")
    assert list_of("phone")[3] == list_of("service")[3] == hostile
    page.click("#wire summary")
    assert hostile in page.evaluate("$('wire').textContent")
    test.picture("devices-wire")
    assert page.evaluate("window.broken === undefined && !document.querySelector('main img, main script')")
    change("phone", 3, "x" * 200)
    change("phone", 0, "   ")
    assert "needs a text" in test.text("#news") and list_of("phone")[0] == "Buy oat milk", list_of("phone")
    test.is_quiet()

    for rule, kept in [("clientWins", "Buy soy milk"), ("serverWins", "Buy oat milk")]:
        page.click(f"input[name=rule][value={rule}] + span")
        assert test.text("#rule-code") == "conflict: ." + rule
        page.click("#conflict")
        page.wait("isPlaying")
        page.wait("!isPlaying && document.querySelectorAll('#steps li').length === 7")
        assert [list_of(name)[0] for name in ["phone", "service", "laptop"]] == [kept] * 3, test.text("#steps")
        assert f"hold “{kept}”" in test.text("#news"), test.text("#news")
        assert ("412" in test.text("#wire")) == (rule == "serverWins")
        page.evaluate("scrollTo(0, 0)")
        test.picture("devices-" + rule)
    test.is_named(("switch", "Network of the phone"), ("button", "Sync the laptop"), ("textbox", "New to-do on the phone"),
                  ("radiogroup", "When both change one to-do"), ("link", "Queries"), ("heading", "Service"),
                  ("checkbox", "Done on the laptop: Buy oat milk"), ("button", "Remove from the phone: Call Ann"),
                  ("list", "To-dos of the service"))
    live = [node for node in page.spoken() if node[0] == "status" and node[2].get("live") == "polite"]
    assert live, "what happens is read aloud"

    for dark in [False, True]:
        page.screen(1200, 1300, dark=dark)
        test.picture("devices-dark" if dark else "devices-light")
        page.screen(390, 2600, dark=dark, phone=True)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        test.picture("devices-phone-dark" if dark else "devices-phone")
    page.screen(1200, 860)
    session = page.evaluate("session")
    # Between them is the number of the process.
    [folder] = glob.glob(os.path.join(tempfile.gettempdir(), f"pql-devices-*-{session}"))
    assert sorted(os.listdir(folder)) == ["laptop", "phone"]
    page.click("#anew")
    page.wait(f"session !== {json.dumps(session)}")
    done()
    assert list_of("phone") == ["Buy milk", "Water the plants", "Call Ann"] and test.text("#steps") == ""
    page.click("#to-queries")
    page.wait("!$('queries').hidden && $('devices').hidden && !isAsking && !isWaiting")
    assert page.evaluate("text.value") == query and "view" not in page.evaluate("location.hash")
    # A link to the devices opens them.
    page.open("about:blank")
    page.open(test.url + "#view=devices")
    page.wait("!$('devices').hidden && document.querySelectorAll('#phone-rows li').length === 3")
    return folder


def speed(test, most):
    """Each key typed on the cities, from the request to its answer drawn; `most` of 0 only measures."""
    query = "state == 'MA' AND population >= 50000 AND name BEGINSWITH[cd] 'b' AND ANY aliases CONTAINS[cd] 'b'"
    test.page.evaluate("(() => { const before = take; window.times = [];"
                       " take = (q, g, a, t) => { const s = performance.now(); before(q, g, a, t);"
                       " times.push(t + performance.now() - s); }; text.value = ''; text.focus(); })()")
    for letter in query:
        test.page.type(letter)
        test.settled()
    times = sorted(test.page.evaluate("window.times"))
    middle, worst = times[len(times) // 2], times[-1]
    print(f"answers while typing: {len(times)} answers, median {middle:.1f} ms, slowest {worst:.1f} ms")
    assert not most or times[len(times) * 95 // 100] <= most, times


def collections(browser, pql, folder, pictures):
    """The service's collections, with the login that is typed, which no link holds."""
    data = os.path.join(folder, "service.sqlite")
    with Served(pql, "serve", "--playground", "--data", data, "--listen", "127.0.0.1:0", "--app", "kid:hush:master",
                "--rights", "public", "--log", "off") as served:
        request = urllib.request.Request(
            served.url.replace("/_play/", "/appdata/kid/Book"), method="POST",
            data=json.dumps([{"title": "Emma", "pages": 474}, {"title": "Ulysses", "pages": 730}]).encode(),
            headers={"Content-Type": "application/json",
                     "Authorization": "Basic " + base64.b64encode(b"kid:hush").decode()})
        urllib.request.urlopen(request).close()
        test = Test(browser, served.url, pictures)
        test.page.screen(1200, 860)
        test.page.wait("document.querySelectorAll('tbody tr').length > 5")
        test.page.evaluate("$('source').value = 'service'; $('source').dispatchEvent(new Event('change'))")
        for field, value in [("app", "kid"), ("secret", "hush"), ("collection", "Book")]:
            test.fill(field, value)
        test.fill("order", "-pages")
        test.write("pages > 400")
        assert "Ulysses" in test.text("tbody tr"), test.text("tbody")
        assert test.text("#status").startswith("2 rows"), test.text("#status")
        test.picture("collection")
        test.fill("order", "")
        test.fill("by", "title")
        assert test.text("#status").startswith("2 groups"), test.text("#status")
        test.fill("by", "")
        test.is_quiet()
        assert "hush" not in test.page.evaluate("location.href + document.documentElement.outerHTML")
        test.fill("secret", "wrong")
        test.write("pages > 500")
        assert "the service replied" in test.text("#panel"), test.text("#panel")


def opened(test):
    """One's own files open with all rows, and no query of the cities."""
    test.page.wait("answer !== null && !isAsking")
    assert test.page.evaluate("text.value + $('order').value") == "" and test.text("#problems") == ""
    assert test.text("#status").startswith("3 rows"), test.text("#status")
    assert test.page.evaluate("$('order').placeholder") == "-_age"
    assert test.page.evaluate("$('compute').placeholder") == "count, avg:_age"
    assert test.page.evaluate("$('examples').childElementCount") == 0
    assert "books.ndjson (1 row)" in test.page.evaluate("$('source').textContent")
    test.picture("opened")


def mistaken(test):
    """Beside a mistake stands the last answer, but none of other data, of another tab or of no rows."""
    test.write("_age > 100")
    assert test.text("#panel") == "No row matches."
    test.write("_age >")
    assert test.page.evaluate("$('panel').className") == "", "what is said now is not grey"
    assert test.text("#panel") == "No answer: see above.", test.text("#panel")
    test.write("_age > 1")
    test.write("_age >")
    assert "Ann" in test.text("#panel") and test.page.evaluate("$('panel').className") == "stale"
    assert test.tab("tree") == "No answer: see above."
    test.tab("rows")
    test.write("_age > 1")
    test.write("_age >")
    test.choose("books.ndjson")
    assert test.text("#panel") == "No answer: see above.", test.text("#panel")
    assert test.text("#status") == "no answer: the query has a mistake"
    test.choose("people.csv")


def moved(test):
    """Realm's SORT and LIMIT go to the fields below, where they mean the same."""
    test.write("_age > 1 SORT(_age DESC, name ASC) LIMIT(2)")
    assert "fill in below: Sort by -_age, name; Limit 2" in test.text(".problem"), test.text(".problem")
    assert test.text(".problem button") == "Fix: Sort by and Limit"
    test.picture("moved")
    test.page.click(".problem button")
    test.page.wait("text.value === '_age > 1' && !isAsking && !isWaiting")
    assert test.page.evaluate("[$('order').value, $('limit').value]") == ["-_age, name", "2"]
    assert test.text("#status").startswith("2 rows") and test.text("tbody tr").split()[1] == "Bob", test.text("tbody")
    test.fill("order", "")
    test.fill("limit", "")
    test.write("SORT(name DESCENDING)")
    test.page.click(".problem button")
    test.page.wait("text.value === '' && $('order').value === '-name' && !isAsking && !isWaiting")
    test.fill("order", "")
    for other in ["_age > 1 LIMIT(2) SORT(name DESC)", "_age > 1 SORT(name DESC) SORT(_age ASC)", "_age > 1 LIMIT(x)",
                  "(_age > 1 SORT(name DESC)", "_age > 1 AND SORT(name DESC)", "_age > 1 SORT(name DESC) DISTINCT(name)",
                  "_age > 1 SORT(name DESC) OR _age < 3", "_age > 1 SORT(name UP)"]:
        test.write(other)
        assert test.text(".problem") and not test.text(".problem button"), (other, test.text(".problem"))


def linked(test):
    """A link has the name of its data, and says where that is not open."""
    test.choose("books.ndjson")
    test.write("pages > 1")
    link = test.page.evaluate("location.href")
    assert "source=books.ndjson" in link, link
    test.page.open("about:blank")
    test.page.open(link)
    test.page.wait("text.value === 'pages > 1' && answer !== null && !isAsking")
    assert test.text("#panel").split()[-2:] == ["Emma", "474"] and "not open" not in test.text("#problems")
    test.page.open("about:blank")
    test.page.open(link.replace("books", "gone"))
    test.page.wait("answer !== null && !isAsking")
    assert "the link is for gone.ndjson, which is not open here" in test.text("#problems"), test.text("#problems")
    test.choose("books.ndjson")
    assert test.text("#problems") == ""
    # An empty query is kept as well.
    test.write("")
    test.page.evaluate("location.hash = 'source=people.csv'")
    test.page.wait("source().name.endsWith('people.csv') && !isAsking")


def own(browser, pql, folder, pictures):
    """Files of one's own, several at once."""
    people, books = os.path.join(folder, "people.csv"), os.path.join(folder, "books.ndjson")
    with open(people, "w") as file:
        file.write("id,name,_age\n1,Ann,31\n2,Bob,45\n3,Cyd,22\n")
    with open(books, "w") as file:
        file.write('{"title": "Emma", "pages": 474}\n')
    with Served(pql, "play", people, books, "--port", "0") as served:
        test = Test(browser, served.url, pictures)
        test.page.screen(1280, 760)
        for step in [opened, mistaken, moved, linked]:
            step(test)
            test.is_quiet()
            print(f"{step.__name__}: holds")


def main():
    pql, pictures, most = sys.argv[1], sys.argv[2], float(sys.argv[3])
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        with Served(pql, "play", CITIES, "--port", "0") as served:
            test = Test(browser, served.url, pictures)
            test.page.screen(1200, 860)
            for step in [typing, completing, tabs, groups, mongo]:
                step(test)
                test.is_quiet()
                print(f"{step.__name__}: holds")
            # A debug build reads far fewer rows in the time that an answer may take.
            files(test, folder, 200_000 if most else 5_000)
            test.is_quiet()
            print("files: hold")
            looks(test)
            speed(test, most)
            test.is_quiet()
            files_of_devices = devices(test)
            test.is_quiet()
            print("devices: hold")
        assert not os.path.exists(files_of_devices), "pql ended, its files did not"
        own(browser, pql, folder, pictures)
        collections(browser, pql, folder, pictures)
        print("collections: hold")
    print(f"pictures: {pictures}")


main()
