// Small helps for readers; every page reads without them.
(() => {
  "use strict";

  // From the disk, no page may read another one: the search then lists titles, without the lines that were found.
  if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }

  // A formula that is too wide for its line is set smaller, down to a limit.
  const SMALLEST = 0.62;
  const fit = () => {
    const formulas = [...document.querySelectorAll(".math:has(> mjx-container)")].filter((box) => !box.closest("table"));
    formulas.forEach((box) => box.style.removeProperty("font-size"));
    const shares = formulas.map((box) => {
      const line = box.matches("div") ? box.parentElement : box.closest("p, li, dd, div");
      return line.clientWidth / box.querySelector("mjx-math").getBoundingClientRect().width;
    });
    formulas.forEach((box, k) => {
      if (shares[k] > 0 && shares[k] < 1) box.style.fontSize = `${Math.floor(Math.max(shares[k], SMALLEST) * 100)}%`;
    });
  };

  // Code keeps its lines.
  for (const code of document.querySelectorAll(".bd-article div.highlight pre")) {
    if (code.closest(".scroll-x, .prose")) continue;
    code.classList.add("scroll-x");
    code.dataset.label = "Code";
  }

  // A box that is wider than the page can be scrolled by keyboard, and says so; it fades out where there is more. All are
  // measured before any is changed: each change would have the browser lay out the page anew for the next one.
  const ends = (box) => [box.scrollLeft < 2, box.scrollLeft + box.clientWidth > box.scrollWidth - 2];
  const fade = (box, [atStart, atEnd]) => {
    box.classList.toggle("at-start", atStart);
    box.classList.toggle("at-end", atEnd);
  };
  const scrolled = ({ target }) => target.matches?.(".scrolls") && fade(target, ends(target));
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  const mark = (boxes) => {
    const wide = boxes.map((box) => box.scrollWidth > box.clientWidth + 1);
    const at = boxes.map(ends);
    boxes.forEach((box, k) => {
      box.classList.toggle("scrolls", wide[k]);
      fade(box, at[k]);
      if (wide[k]) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", `${box.dataset.label}, scrolls sideways`);
      } else if (!box.matches(".ledger")) {
        ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
      }
    });
  };
  if ("ResizeObserver" in window) {
    const observer = new ResizeObserver((entries) => mark(entries.map((entry) => entry.target)));
    document.querySelectorAll(".scroll-x").forEach((box) => observer.observe(box));
  }
  const isTooWide = (formula) => {
    const drawn = formula.querySelector("mjx-math"); // its twin for screen readers would count in scrollWidth
    return drawn && drawn.getBoundingClientRect().width > formula.clientWidth + 2;
  };
  const release = (formula) => {
    formula.classList.remove("scroll-x", "scrolls", "at-start", "at-end");
    ["tabindex", "role", "aria-label"].forEach((name) => formula.removeAttribute(name));
  };
  const arrange = () => {
    document.querySelectorAll("span.math.scroll-x").forEach(release); // the page may have become wider
    fit();
    for (const formula of [...document.querySelectorAll("span.math:not(.scroll-x)")].filter(isTooWide)) {
      formula.classList.add("scroll-x");
      formula.dataset.label = "Formula";
    }
    mark([...document.querySelectorAll(".scroll-x")]);
  };
  let asked = false;
  const arrangeSoon = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      arrange();
    });
  };
  window.addEventListener("load", () => {
    const typeset = window.MathJax && window.MathJax.startup && window.MathJax.startup.promise;
    Promise.resolve(typeset).then(arrange);
  });
  document.addEventListener("toggle", arrangeSoon, true);
  window.addEventListener("resize", arrangeSoon);

  // What an address leads to is opened, and everything is on paper.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let box = target && target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  };
  window.addEventListener("hashchange", reveal);
  reveal();
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.fold:not([open])")];
    closed.forEach((box) => (box.open = true));
  });
  window.addEventListener("afterprint", () => closed.forEach((box) => (box.open = false)));

  // Ledgers: rows that meet all filters are shown. A row of class "below" goes with the one above it.
  for (const form of document.querySelectorAll("form.filters")) {
    const rows = [...form.nextElementSibling.querySelectorAll("tbody tr:not(.below)")].map((row) => {
      const below = row.matches(".above") ? row.nextElementSibling : null;
      return { row, below, text: `${row.id} ${row.textContent} ${below?.textContent ?? ""}`.toLowerCase() };
    });
    const selects = [...form.querySelectorAll("select")];
    const input = form.querySelector("input");
    const count = form.querySelector(".filter-count span");
    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const { row, below, text } of rows) {
        const fits =
          selects.every((select) => !select.value || row.dataset[select.dataset.filter] === select.value) &&
          words.every((word) => text.includes(word));
        row.hidden = !fits;
        if (below) below.hidden = !fits;
        shown += fits;
      }
      count.textContent = shown;
    };
    const asked = new URLSearchParams(location.search);
    selects.forEach((select) => (select.value = asked.get(select.dataset.filter) || ""));
    input.value = asked.get("text") || "";
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    filter();
  }
})();
