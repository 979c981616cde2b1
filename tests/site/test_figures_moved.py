"""Interactive figures on a page of their own: moved by mouse, finger, keys and text, in both themes, on paper."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from course import interactive

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
DESK, PHONE, SMALL = ({"width": width, "height": 900} for width in (1000, 390, 320))
MAX_MILLISECONDS = 50  # of a redraw, at the median, on a busy machine; it takes about two on an idle one
every_figure = pytest.mark.parametrize("name", interactive.names())


def page_of(*names, attributes="", body=""):
    """A page with the outputs of cells as the site has them."""
    cells = "".join(
        f'<div class="cell_output"><img alt="picture of {name}" src="{PIXEL}">'
        f'<div class="output text_html">{interactive.html(name)}</div></div>'
        for name in names
    )
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A note</title>'
    main = f"<main><h1>A note</h1>{cells}</main>"
    return f'<!doctype html><html lang="en" {attributes}><head>{head}</head><body {body}>{main}</body></html>'


@pytest.fixture
def show(browser):
    """Opens a page with figures; errors of its scripts end the test."""
    contexts, errors = [], []

    def open_page(*names, before="", attributes="", body="", **options):
        context = browser.new_context(**{"viewport": DESK, "color_scheme": "light", **options})
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda error: errors.append(error.message))
        tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        if before:
            tab.add_init_script(before)
        tab.goto("about:blank")
        tab.set_content(page_of(*names, attributes=attributes, body=body))
        return tab

    open_page.errors = errors
    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def still(tab):
    tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def state(tab):
    still(tab)
    return tab.locator(".pf-state").first.inner_text()


def handle(tab, name):
    return tab.get_by_role("slider", name=name, exact=True)


def centre(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(tab, node, right, down):
    x, y = centre(node)
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + right, y + down, steps=5)
    tab.mouse.up()


# --- the frame ---


@every_figure
def test_the_figure_takes_the_place_of_its_picture_and_gives_it_back_on_paper(show, name):
    tab = show(name)
    picture, figure = tab.locator("img"), tab.locator(".probml-figure.mounted")
    figure.wait_for()
    assert state(tab)
    assert picture.is_hidden()
    tab.emulate_media(media="print")
    assert picture.is_visible()
    assert figure.is_hidden()


@every_figure
def test_without_scripts_the_picture_is_seen(show, name):
    tab = show(name, java_script_enabled=False)
    assert tab.locator("img").is_visible()
    assert tab.locator("main").inner_text().strip() == "A note"


@every_figure
def test_an_old_browser_shows_the_picture(show, name):
    tab = show(name, before="CSS.supports = () => false")
    assert tab.locator("img").is_visible()
    assert tab.locator(".probml-figure").inner_html() == ""


def test_a_figure_that_fails_leaves_the_picture(show):
    tab = show("smoothing", before="delete window.ResizeObserver")
    assert tab.locator("img").is_visible()
    assert tab.locator(".probml-figure").inner_html() == ""
    assert show.errors == ["ResizeObserver is not defined"]
    show.errors.clear()


def test_figures_stand_beside_each_other_and_twice(show):
    tab = show(*interactive.names(), "smoothing")
    tab.locator(".probml-figure.mounted").nth(3).wait_for()
    still(tab)
    assert tab.locator("img:visible").count() == 0
    assert all(tab.locator(".pf-state").all_inner_texts())


@every_figure
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESK, PHONE, SMALL], ids=["desk", "phone", "small"])
def test_nothing_is_inaccessible_or_too_wide(show, name, scheme, viewport):
    tab = show(name, viewport=viewport, color_scheme=scheme)
    tab.locator(".probml-figure.mounted").wait_for()
    still(tab)
    found = Axe().run(tab).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("attributes", "body", "dark"),
    [
        ("", "", True),  # the theme of the system, which is dark here
        ('data-theme="light"', "", False),
        ('data-theme="dark"', "", True),
        ("", 'data-jp-theme-light="true"', False),
        ("", 'data-jp-theme-light="false"', True),
    ],
)
def test_the_theme_of_the_page_comes_before_that_of_the_system(show, attributes, body, dark):
    tab = show("smoothing", attributes=attributes, body=body, color_scheme="dark")
    tab.locator(".probml-figure.mounted").wait_for()
    colour = tab.evaluate("getComputedStyle(document.querySelector('.probml-figure')).backgroundColor")
    red = int(re.search(r"\d+", colour)[0])
    assert (red < 60) == dark
    assert (red > 200) != dark


@every_figure
def test_every_handle_and_slider_follows_the_arrow_keys(show, name):
    tab = show(name)
    tab.locator(".probml-figure.mounted").wait_for()
    movable = tab.locator("[role=slider], input[type=range]")
    assert movable.count() > 0
    for node in movable.all():
        node.focus()
        before = state(tab)
        tab.keyboard.press("ArrowRight")
        assert state(tab) != before, node.get_attribute("aria-label")


@every_figure
def test_a_redraw_takes_milliseconds(show, name, record_property):
    tab = show(name)
    tab.locator("[role=slider], input[type=range]").first.focus()
    for _ in range(30):
        tab.keyboard.press("ArrowRight")
        still(tab)
    times = sorted(tab.evaluate("performance.getEntriesByName('probml redraw').map((each) => each.duration)"))
    record_property("redraw", (name, times[len(times) // 2]))
    assert times[len(times) // 2] < MAX_MILLISECONDS


@every_figure
def test_the_state_is_announced_once_the_reader_pauses(show, name):
    tab = show(name)
    tab.locator("[role=slider], input[type=range]").first.focus()
    words = tab.locator(".pf-state")
    assert words.get_attribute("aria-live") == "polite"
    tab.evaluate(
        """() => {
            const words = document.querySelector(".pf-state");
            const look = () => (window.held ||= words.ariaBusy === "true");
            window.held = false;
            new MutationObserver(look).observe(words, { attributes: true });
        }"""
    )
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("window.held")
    tab.wait_for_function("!document.querySelector('.pf-state').hasAttribute('aria-busy')")


@every_figure
def test_nothing_is_too_wide_wherever_the_reader_goes(show, name):
    """To either end of every slider, and ten leaps with every handle."""
    tab = show(name, viewport=SMALL)
    tab.locator(".probml-figure.mounted").wait_for()
    for key in ("End", "PageUp", "Home", "PageDown"):
        for node in tab.locator("[role=slider], input[type=range]").all():
            node.focus()
            for _ in range(10):
                tab.keyboard.press(key)
        still(tab)
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), key


# --- smoothing ---


def test_smoothing_by_slider_mouse_and_text(show):
    tab = show("smoothing")
    assert "the multinomial model says China (posterior of China 0.690)" in state(tab)
    assert "the Bernoulli model says Japan (posterior of China 0.191)" in state(tab)
    tab.get_by_role("slider", name="α").press("Home")
    assert state(tab).startswith("With α = 0, the multinomial model says Japan (posterior of China 0.000)")
    assert "−∞" in tab.locator("svg").nth(1).text_content()
    tab.get_by_role("button", name="Beijing Tokyo").click()
    assert state(tab).count("has no answer, 0/0") == 2
    chart = tab.locator("svg").first.bounding_box()
    tab.mouse.click(chart["x"] + chart["width"] - 20, chart["y"] + 100)
    assert re.match(r"With α = (1000|[789]\d\d),", state(tab))
    tab.get_by_role("textbox", name="Document").fill("paris, TOKYO")
    assert state(tab).endswith("Not in the vocabulary, and ignored: paris.")


def test_no_document_and_no_alpha_is_not_a_number(show):
    tab = show("smoothing")
    tab.get_by_label("Osaka").check()
    for text in ("", "Osaka", "Beijing Tokyo", "Chinese Japan", "x" * 200, "Tokyo " * 30):
        tab.get_by_role("textbox", name="Document").fill(text)
        for key in ("Home", "ArrowRight", "End"):
            tab.get_by_role("slider", name="α").press(key)
            state(tab)
            shown = tab.locator(".probml-figure").inner_html()
            assert not re.search("NaN|undefined|null|Infinity", shown)


# --- prior to posterior ---


def test_a_coin_is_tossed_by_buttons_and_sliders(show):
    tab = show("prior-to-posterior")
    assert state(tab).startswith("Prior Beta(2, 2), 7 heads, 3 tails: the posterior is Beta(9, 5). Its mean is 0.643")
    assert state(tab).endswith("With probability 95%, φ is between 0.386 and 0.861.")
    tab.get_by_role("button", name="+ heads").click()
    assert "8 heads, 3 tails: the posterior is Beta(10, 5)" in state(tab)
    tab.get_by_role("button", name="Clear the tosses").click()
    assert "the posterior is Beta(2, 2). Its mean is 0.500, as before the first toss" in state(tab)
    tab.get_by_role("button", name="+ tails").click()
    assert "0 heads, 1 tail: the posterior is Beta(2, 3)" in state(tab)
    tab.get_by_role("slider", name="prior a").press("End")
    tab.get_by_role("slider", name="heads").press("End")
    assert state(tab).startswith("Prior Beta(20, 2), 100 heads, 1 tail: the posterior is Beta(120, 3)")
    tab.get_by_role("button", name="+ heads").click()  # no more than the slider has
    assert "100 heads" in state(tab)
    tab.get_by_role("button", name="Start again").click()
    assert state(tab).startswith("Prior Beta(2, 2), 7 heads, 3 tails")


def test_no_prior_and_no_toss_draws_what_is_not_a_number(show):
    tab = show("prior-to-posterior")
    for name in ("prior a", "prior b", "heads", "tails"):
        tab.get_by_role("slider", name=name).press("Home")
    for key in ("Home", "End"):
        tab.get_by_role("slider", name="heads").press(key)
        state(tab)
        assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())


# --- medical test ---


def test_prevalence_and_a_second_test_change_what_a_result_says(show):
    tab = show("medical-test")
    assert "positive: about 67, of whom ill: about 18" in state(tab)
    assert state(tab).endswith("Probability of being ill: positive: 26.9 %; negative: 0.214 %.")
    tab.get_by_label("a second test").check()
    assert "positive twice: 86.9 %; positive once: 3.72 %" in state(tab)
    tab.get_by_label("half of the false positives").check()
    assert "positive twice: 39.8 %" in state(tab)
    tab.get_by_role("button", name="Start again").click()
    assert "One test." in state(tab)
    assert not tab.get_by_label("half of the false positives").is_checked()
    tab.get_by_role("slider", name="prevalence").press("End")
    assert state(tab).startswith("Prevalence 50 %")
    assert "positive: 94.7 %" in state(tab)


def test_repeated_alarms_need_a_second_test(show):
    tab = show("medical-test")
    tab.get_by_label("half of the false positives").check()
    assert "Two tests; half of the false positives come again." in state(tab)
    assert tab.get_by_label("a second test").is_checked()


def test_a_perfect_test_shows_no_number_that_is_none(show):
    tab = show("medical-test")
    tab.get_by_label("a second test").check()
    for name in ("sensitivity", "specificity"):
        tab.get_by_role("slider", name=name).press("End")
    assert "positive once: nobody" in state(tab)
    assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())
    assert tab.locator("path[stroke-linecap=round]").count() == 6  # a path for each group, not a circle for each person


# --- prior and threshold ---


def test_the_threshold_is_dragged_and_made_cheapest(show):
    tab = show("prior-and-threshold")
    assert "precision 82.2 %, recall 68.8 %, ham lost 2.2 %, cost 234" in state(tab)
    drag(tab, handle(tab, "threshold on the log odds"), 40, 0)
    still(tab)
    assert float(handle(tab, "threshold on the log odds").get_attribute("aria-valuenow")) > 1.5
    tab.get_by_role("button", name="Cheapest threshold").click()
    assert "log odds are at least 2.30, a posterior of 0.909" in state(tab)
    tab.get_by_role("slider", name="cost of a lost message").press("Home")
    assert state(tab).endswith("Cheapest: log odds of 0.00, a posterior of 0.500, at a cost of 59.9.")
    for name in ("proportion of spam", "distance of the classes", "cost of a lost message"):
        for key in ("Home", "End"):
            tab.get_by_role("slider", name=name).press(key)
            state(tab)
            assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())
    tab.get_by_role("button", name="Start again").click()
    assert "cost 234 for 1000 messages" in state(tab)


# --- discriminant ---


def test_ellipses_are_dragged_and_the_boundary_follows(show):
    tab = show("discriminant")
    assert "The covariances are equal: QDA draws the same line." in state(tab)
    drag(tab, handle(tab, "second axis of class 1"), -20, -20)  # of both classes, while they are the same
    still(tab)
    axes = [handle(tab, f"second axis of class {j}").get_attribute("aria-valuetext") for j in (0, 1)]
    assert axes[0] == axes[1] != "0.70"
    tab.get_by_role("button", name="Across").click()
    assert "QDA draws a hyperbola" in state(tab)
    assert not tab.get_by_label("one covariance").is_checked()
    tab.get_by_role("button", name="One inside the other").click()
    assert "LDA: θ = (0.00, 0.00), error 50.0 %. QDA draws an ellipse, error 16.1 %" in state(tab)
    assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())
    tab.get_by_label("one covariance").check()
    assert "The covariances are equal" in state(tab)
    tab.get_by_role("button", name="Start again").click()
    assert state(tab).startswith("Means (−1.50, −0.50) and (1.50, 0.50)")


# --- perceptron ---


def test_the_perceptron_is_walked_through_and_its_points_are_moved(show):
    tab = show("perceptron")
    assert state(tab).startswith("Before the first example w = (0, 0) and b = 0.")
    tab.get_by_role("button", name="Next example").click()
    assert "Visit 1, example A: y (w · x + b) = 0.00, a mistake. Now w = (3.0, −1.0), b = 1.0" in state(tab)
    for _ in range(30):
        tab.get_by_role("button", name="Next mistake").click()
    assert "6 mistakes so far. A whole pass without a mistake: done." in state(tab)
    tab.get_by_role("button", name="Back").click()
    assert "done" not in state(tab)
    handle(tab, "example A, class +").focus()
    for _ in range(8):
        tab.keyboard.press("Shift+ArrowLeft")
    assert "No line separates these points: mistakes never end." in state(tab)
    tab.get_by_role("slider", name="visits").press("End")
    assert "Stopped after 12 passes." in state(tab)
    assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())
    tab.get_by_role("button", name="Start again").click()
    assert state(tab).startswith("Before the first example")


# --- how many examples ---


def test_distance_features_and_examples_change_what_is_needed(show):
    tab = show("how-many-examples")
    assert "GDA needs about 187 examples, logistic regression about 238: Efron's efficiency is 0.79" in state(tab)
    drag(tab, handle(tab, "examples m"), -160, 0)
    still(tab)
    assert 20 < float(handle(tab, "examples m").get_attribute("aria-valuenow")) < 120
    assert state(tab).endswith("on: do not trust it for GDA and logistic regression.")
    tab.get_by_role("slider", name="features n").press("End")
    assert "n = 100 features" in state(tab)
    assert "GDA needs about 1870 examples" in state(tab)
    tab.get_by_role("slider", name="distance Δ").press("Home")
    assert "Efron's efficiency is 0.99" in state(tab)
    for name in ("distance Δ", "features n"):
        for key in ("Home", "End"):
            tab.get_by_role("slider", name=name).press(key)
            state(tab)
            assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())
    tab.get_by_role("button", name="Start again").click()
    assert state(tab).startswith("Δ = 2.50, n = 10 features, m = 500 examples. Best error 10.6 %")
    assert state(tab).endswith("(logistic regression) on.")


# --- weak duality ---


def test_the_line_is_tilted_and_a_gap_remains_between_two_valleys(show):
    tab = show("weak-duality")
    assert "its bound is θ_D(β) = 0.255, 0.245 below p*" in state(tab)
    assert "Complementary slackness fails" in state(tab)
    tilt = handle(tab, "tilt of the line")
    before = float(tilt.get_attribute("aria-valuenow"))
    drag(tab, tilt, 0, -40)
    still(tab)
    assert float(tilt.get_attribute("aria-valuenow")) > before
    tab.get_by_role("button", name="Best line").click()
    assert "θ_D(β) = 0.500, which is p*" in state(tab)
    assert state(tab).endswith("Complementary slackness holds: β (g − c) = 0, since g = c.")
    tab.get_by_role("slider", name="limit c").press("End")
    tab.get_by_role("button", name="Best line").click()
    assert state(tab).endswith("Complementary slackness holds: β (g − c) = 0, since β = 0.")
    tab.get_by_role("button", name="Start again").click()
    tab.get_by_role("button", name="Two valleys").click()
    drag(tab, handle(tab, "multiplier β"), 500, 0)  # no further than the chart
    still(tab)
    assert handle(tab, "multiplier β").get_attribute("aria-valuetext") == "1.50"
    tab.get_by_role("button", name="Best line").click()
    assert "touches at w = 1.000 and at w = −1.000" in state(tab)
    assert "β = 0.25 and d* = 0.000: a gap of 0.246 remains. Complementary slackness fails" in state(tab)
    assert tab.locator("td", has_text="✗").count() == 3
    for key in ("Home", "End"):
        tab.get_by_role("slider", name="limit c").press(key)
        state(tab)
        assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())


# --- separating cone ---


def test_a_cone_is_narrowed_until_it_vanishes(show):
    tab = show("separating-cone")
    assert state(tab).startswith("The cone of separating weights is 66.8° wide. The random separator, at −8.4°")
    example = handle(tab, "example E, class +")
    example.focus()
    for _ in range(8):
        tab.keyboard.press("ArrowLeft")
    assert state(tab).startswith("The cone of separating weights is 25.6° wide.")
    drag(tab, example, -120, 0)
    assert state(tab).startswith("No line through the origin separates the classes: the cone is empty.")
    assert not re.search("NaN|undefined|null|Infinity", tab.locator(".probml-figure").inner_html())
    tab.get_by_role("button", name="Start again").click()
    assert "The largest margin, γ = 0.64 at 16.4°" in state(tab)


def test_random_separators_stay_in_the_cone(show):
    tab = show("separating-cone")
    seen = set()
    for _ in range(6):
        tab.get_by_role("button", name="Draw at random").click()
        angle = float(re.search(r"separator, at (−?[\d.]+)°", state(tab))[1].replace("−", "-"))
        assert -18.5 < angle < 48.5
        seen.add(angle)
    assert len(seen) == 6


# --- two Gaussians ---


def test_means_and_widths_are_dragged(show):
    tab = show("two-gaussians")
    assert "logistic, with w = 2.00 and b = 0.00" in state(tab)
    assert state(tab).endswith("Bayes error: 15.9 %.")
    drag(tab, handle(tab, "mean of class 1"), 60, 0)
    still(tab)
    moved = float(handle(tab, "mean of class 1").get_attribute("aria-valuenow"))
    assert 2 < moved < 3
    assert "The posterior is logistic" in state(tab)
    drag(tab, handle(tab, "width of class 0"), -30, 0)  # both widths, while they are the same
    still(tab)
    widths = [handle(tab, f"width of class {j}").get_attribute("aria-valuetext") for j in (0, 1)]
    assert widths[0] == widths[1] != "1.00"
    tab.get_by_label("one width").uncheck()
    drag(tab, handle(tab, "width of class 1"), 30, 0)
    assert "so the posterior is not logistic" in state(tab)
    tab.get_by_role("button", name="Start again").click()
    assert "logistic, with w = 2.00 and b = 0.00" in state(tab)


def test_a_handle_follows_keys_as_far_as_it_may(show):
    tab = show("two-gaussians")
    mean = handle(tab, "mean of class 0")
    mean.focus()
    for key, expected in (
        ("ArrowRight", "−0.95"),
        ("ArrowUp", "−0.90"),
        ("Shift+ArrowLeft", "−1.40"),
        ("PageUp", "−0.90"),
    ):
        tab.keyboard.press(key)
        still(tab)
        assert mean.get_attribute("aria-valuetext") == expected
    for _ in range(6):
        tab.keyboard.press("PageDown")
    still(tab)
    assert mean.get_attribute("aria-valuetext") == "−3.00"


def test_a_finger_drags_a_handle(show):
    tab = show("two-gaussians", viewport=PHONE, has_touch=True, is_mobile=True)
    mean = handle(tab, "mean of class 0")
    mean.scroll_into_view_if_needed()
    before = state(tab)
    x, y = centre(mean)
    session = tab.context.new_cdp_session(tab)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x - 20, "y": y + 5}]),
        ("touchMove", [{"x": x - 40, "y": y + 5}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert state(tab) != before
    assert -3 <= float(mean.get_attribute("aria-valuenow")) < -1.5


# --- Newton v. SGD ---


def test_steps_are_taken_one_by_one_and_taken_back(show):
    tab = show("newton-v-sgd")
    assert state(tab).startswith("5 passes from b = −1.50, w = 0.50")
    tab.get_by_role("button", name="Back to the start").click()
    assert state(tab).startswith("0 passes")
    tab.get_by_role("button", name="Step").click()
    assert state(tab).startswith("1 pass from")


def test_newton_is_thrown_off_the_map_unless_its_steps_are_halved(show):
    tab = show("newton-v-sgd")
    start = handle(tab, "start: intercept and slope")
    drag(tab, start, -100, 60)
    still(tab)
    assert re.fullmatch(r"b = −[34]\.\d, w = −\d\.\d", start.get_attribute("aria-valuetext"))
    assert "overshot" in state(tab)
    tab.get_by_label("halve").check()
    assert "overshot" not in state(tab)
    start.focus()
    before = state(tab)
    tab.keyboard.press("ArrowUp")
    assert state(tab) != before


def test_play_runs_pauses_and_jumps_where_motion_is_unwelcome(show):
    tab = show("newton-v-sgd")
    tab.get_by_role("button", name="Play").click()
    tab.wait_for_function("!document.querySelector('.pf-state').textContent.startsWith('5 passes')")
    tab.get_by_role("button", name="Pause").click()
    stopped = state(tab)
    tab.wait_for_timeout(900)
    assert state(tab) == stopped
    tab = show("newton-v-sgd", reduced_motion="reduce")
    tab.get_by_role("button", name="Play").click()
    assert state(tab).startswith("40 passes")


def test_a_batch_of_all_is_gradient_ascent(show):
    tab = show("newton-v-sgd")
    tab.get_by_label("batch").press("End")
    found = re.search(r"batch 16: .*gradient ascent at (\S+), SGD at (\S+)\. ", state(tab))
    assert found[1] == found[2]
