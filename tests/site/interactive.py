"""Interactive figures: whether they come to life, and do what they should by key, mouse, finger and text."""

from visit import Visit

FIGURE = ".probml-figure"
HANDLES = "[role=slider][tabindex='0'], input[type=range]"
KEYS = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]  # one that stands at an end moves the other way


def operate(visit: Visit) -> None:
    """Move everything that can be moved in each figure of the page."""
    for number in range(visit.tab.locator(FIGURE).count()):
        _Figure(visit, number).operate()


class _Figure:
    def __init__(self, visit: Visit, number: int) -> None:
        self.visit, self.number = visit, number
        self.node = visit.tab.locator(FIGURE).nth(number)
        self.name = self.node.get_attribute("data-figure") or f"figure {number + 1}"

    def operate(self) -> None:
        self.node.scroll_into_view_if_needed()
        self.visit.probe("still")
        if not self.visit.probe("isMounted", self.number):
            self.visit.found("figure not mounted", [self.name])
            return
        if not self.visit.probe("figureState", self.number):
            self.visit.found("figure without text of its state", [self.name])
        if picture := self.visit.probe("pictureBesideFigure", self.number):
            self.visit.found("picture shown beside its figure", [f"{self.name}: {picture}"])
        handles = self.node.locator(HANDLES)
        if not handles.count():
            self.visit.found("figure without handles", [self.name])
        for k in range(handles.count()):
            handle = handles.nth(k)
            if handle.is_visible() and handle.is_enabled():
                place = f"{self.name}: {self.visit.tab.evaluate('(id) => probes.nameOf(id)', handle.element_handle())}"
                for device, act in (("arrow keys", self._press), ("mouse", self._drag), ("touch", self._swipe)):
                    if not act(handle):
                        self.visit.found(f"figure does not follow {device}", [place])
        fields = self.node.locator("input[type=text]")
        for k in range(fields.count()):
            before = self._state()
            fields.nth(k).fill("Tokyo")
            if self._state() == before:
                self.visit.found("figure does not follow typed text", [f"{self.name}: field {k + 1}"])
        for button in self.node.locator("button:visible:enabled").all():
            button.click()
            self.visit.probe("still")

    def _state(self) -> str:
        self.visit.probe("still")
        return self.visit.probe("figureState", self.number)

    def _press(self, handle) -> bool:
        handle.focus()
        before = self._state()
        for key in KEYS:
            self.visit.tab.keyboard.press(key)
            if self._state() != before:
                return True
        return False

    def _places(self, handle) -> tuple[tuple[float, float], list[tuple[float, float]]]:
        """Where the handle is, and places near it."""
        # In the middle of the screen, where no button of the theme floats over it.
        handle.evaluate("(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })")
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return (x, y), [(x + right, y + down) for right, down in ((40, 25), (-40, -25))]

    def _drag(self, handle) -> bool:
        mouse = self.visit.tab.mouse
        before = self._state()
        start, ends = self._places(handle)
        for end in ends:
            mouse.move(*start)
            mouse.down()
            mouse.move(*end, steps=4)
            mouse.up()
            if self._state() != before:
                return True
        return False

    def _swipe(self, handle) -> bool:
        session = self.visit.tab.context.new_cdp_session(self.visit.tab)
        before = self._state()
        start, ends = self._places(handle)

        def touch(kind: str, *point: float) -> None:
            points = [{"x": point[0], "y": point[1]}] if point else []
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        for end in ends:
            touch("touchStart", *start)
            for share in (0.3, 0.6, 1):
                touch("touchMove", *(a + share * (b - a) for a, b in zip(start, end, strict=True)))
            touch("touchEnd")
            if self._state() != before:
                return True
        return False
