// What the tests ask of a page, from inside. Each probe returns a list of places, as readers would look for them.
globalThis.probes = (() => {
  const SOURCE = "pre, code, script, style, noscript, textarea, mjx-container, svg";
  const main = () => document.querySelector("article") ?? document.querySelector("main") ?? document.body;

  // A selector of a few steps, and the first words of what stands there.
  const place = (element) => {
    const steps = [];
    for (let at = element; at && at !== document.body && steps.length < 4; at = at.parentElement) {
      const name = at.localName + (at.id ? `#${at.id}` : "") + [...at.classList].slice(0, 2).map((c) => `.${c}`).join("");
      steps.unshift(name);
      if (at.id) break;
    }
    const words = (element.getAttribute("alt") ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 60);
    return steps.join(" > ") + (words ? ` "${words}"` : "");
  };
  const places = (elements) => [...elements].map(place);
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getBoundingClientRect().width > 1;

  // Text nodes of the page's content that are prose, not source code.
  const prose = function* () {
    const walker = document.createTreeWalker(main(), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement.closest(SOURCE)) yield node;
  };
  const withText = (pattern) =>
    [...prose()].filter((node) => pattern.test(node.data)).map((node) => place(node.parentElement));

  const figures = () => document.querySelectorAll(".probml-figure");
  const mathsPlace = (element) => place(element.closest("p, td, li, dd, div") ?? element);
  // CHTML has the characters of a text in the names of classes, as their codes.
  const macro = (text) =>
    [...text.querySelectorAll("mjx-c")]
      .map((c) => String.fromCodePoint(parseInt(c.className.match(/mjx-c([0-9A-F]+)/)?.[1] ?? "3F", 16)))
      .join("") || text.textContent;

  return {

    // Until fonts and maths are in place and no image is outstanding.
    async settled() {
      await globalThis.MathJax?.startup?.promise;
      await document.fonts.ready;
      const images = [...document.images];
      images.forEach((image) => (image.loading = "eager"));
      await Promise.all(images.map((image) => image.decode().catch(() => null)));
    },

    // Until scripts have seen a change and colours no longer fade from one to the other.
    async still() {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const fading = Promise.all(document.getAnimations().map((animation) => animation.finished));
      await Promise.race([fading, new Promise((done) => setTimeout(done, 2000))]); // some never end
    },

    // Errors of TeX, and macros that MathJax does not know, which it prints in red.
    mathsErrors: () => [
      ...[...document.querySelectorAll("mjx-merror")].map((error) => `${error.dataset.mjxError}: ${mathsPlace(error)}`),
      ...[...document.querySelectorAll("mjx-mtext[style*=red]")].map((text) => `${macro(text)}: ${mathsPlace(text)}`),
    ],
    untypesetMaths: () => [
      ...places([...document.querySelectorAll(".math")].filter((math) => !math.querySelector("mjx-container"))),
      ...withText(/\\[(\[]|\$\$|\$[^$\s][^$]*\\[a-z]+[^$]*\$|\\(?:begin|frac|mathbf|boldsymbol|mathrm)\b/),
    ],
    rawMarkdown: () => withText(/\|\s*:?-{3,}|\[@\w|\]\((?:\.|http)|\*\*\w|^#{1,6} /m),
    brokenImages: () => places([...document.images].filter((image) => !(image.complete && image.naturalWidth > 0))),
    imagesWithoutText: () => places([...main().querySelectorAll("img")].filter((image) => !image.alt.trim())),
    alternativeTexts: () => [...document.images].map((image) => image.alt),

    folds: () => main().querySelectorAll("details").length,
    foldTitles: () => [...main().querySelectorAll("details > summary")].map((summary) => summary.textContent.trim()),
    openAtLoad: () => places(main().querySelectorAll("details[open] > summary")),
    foldsWithoutSummary: () => places([...main().querySelectorAll("details")].filter((fold) => !fold.querySelector(":scope > summary"))),
    // The fold of a number, with the folds around it open. Its summary has the focus then, if it can have it.
    focusFold(number) {
      const fold = main().querySelectorAll("details")[number];
      for (let at = fold.parentElement; at; at = at.parentElement) if (at.localName === "details") at.open = true;
      const summary = fold.querySelector(":scope > summary");
      if (!summary) return null;
      summary.focus();
      return { place: place(summary), focused: document.activeElement === summary, open: fold.open };
    },
    isFoldOpen(number) {
      const fold = main().querySelectorAll("details")[number];
      const content = [...fold.children].filter((child) => child.localName !== "summary");
      return fold.open && content.some(isShown);
    },

    // What makes the page scroll sideways, what juts out of the content or is cut off, and what scrolls on its own but is
    // not one of those that may, a selector.
    sideways(mayScroll) {
      const root = document.documentElement;
      const found = [];
      if (root.scrollWidth > root.clientWidth) {
        const wide = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1);
        const innermost = wide.filter((element) => !wide.includes(element.firstElementChild)).slice(0, 3);
        found.push(`the page is ${root.scrollWidth} px wide: ${places(innermost).join("; ")}`);
      }
      const edge = main().getBoundingClientRect();
      const hidden = new Set(); // elements inside of something that clips or scrolls: what lies beyond it is not seen
      const beyond = new Set(); // and inside of something that was found already
      for (const element of parts(main())) {
        const style = getComputedStyle(element);
        const parent = element.parentElement;
        if (hidden.has(parent) || (parent !== main() && getComputedStyle(parent).overflowX !== "visible")) hidden.add(element);
        if (beyond.has(parent)) beyond.add(element);
        // What is typed into a field scrolls in it, and spaces at the end of a line of code hang over.
        if (!isShown(element) || element.localName === "input" || (style.whiteSpace === "pre-wrap" && parent.closest("pre"))) continue;
        const sizes = `${element.scrollWidth} in ${element.clientWidth} px: `;
        const scrolls = ["auto", "scroll"].includes(style.overflowX) && !element.closest(mayScroll);
        const clips = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
        if ((scrolls || clips) && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && holdsMore(element))
          found.push((scrolls ? "scrolls, " : "is cut off, ") + sizes + place(element));
        if (hidden.has(element) || beyond.has(element)) continue;
        const box = element.getBoundingClientRect();
        const flows = style.position === "static" && !["inline", "contents"].includes(getComputedStyle(parent).display);
        const room = flows ? Math.min(edge.right, parent.getBoundingClientRect().right) : edge.right;
        const out = Math.max(box.right - room, edge.left - box.left);
        if (out > 2) {
          beyond.add(element);
          found.push(`juts out by ${Math.round(out)} px: ${place(element)}`);
        }
      }
      return found;
    },

    isMounted(number) {
      const figure = figures()[number];
      return [...figure.querySelectorAll("svg")].some(isShown);
    },
    figureState: (number) => figures()[number].querySelector("[role=status]")?.textContent.trim() ?? "",
    // The picture that the figure replaces: the last one before it, in the same output.
    pictureBesideFigure(number) {
      const output = figures()[number].closest(".cell_output") ?? figures()[number].parentElement;
      return places([...output.querySelectorAll("img")].filter(isShown)).join(", ");
    },
    nameOf: (handle) => handle.getAttribute("aria-label") ?? handle.labels?.[0]?.textContent ?? place(handle),

    // For the audit, which looks at each element. What is the same to it by the hundred remains in one or two examples of
    // each kind: formulas are a letter, coloured words of code one of each colour, rows of tables and items of lists two of each make.
    condense() {
      for (const formula of document.querySelectorAll("mjx-container")) formula.replaceChildren("x");
      const seen = new Map();
      const thin = (element, look, kept) => {
        seen.set(look, (seen.get(look) ?? 0) + 1);
        if (seen.get(look) > kept) element.remove();
      };
      const classes = (elements) => [...elements].map((element) => `${element.localName} ${element.className}`).join();
      for (const code of document.querySelectorAll(".highlight pre"))
        for (const word of code.querySelectorAll("span[class]"))
          thin(word, `${word.className} in ${classes([code, code.parentElement, code.parentElement.parentElement])}`, 1);
      for (const item of document.querySelectorAll("tbody > tr, li"))
        thin(item, classes([item.parentElement.parentElement, item.parentElement, item, ...item.querySelectorAll("*")]), 2);
    },

    background: () => getComputedStyle(document.body).backgroundColor,
    wordsShown: () =>
      [...main().querySelectorAll("p, li, td, dt, pre")].filter(isShown).flatMap((text) => text.innerText.match(/\w+/g) ?? []).length,
    imagesNotShown: () => places([...main().querySelectorAll("img")].filter((image) => !image.closest("details:not([open])") && !isShown(image))),
    // Milliseconds until something was shown. The browser may say so a moment later.
    async firstPaint() {
      const observed = new Promise((done) =>
        new PerformanceObserver((list) => {
          for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
        }).observe({ type: "paint", buffered: true }),
      );
      return Promise.race([observed, new Promise((done) => setTimeout(() => done(null), 5000))]);
    },
  };

  // Whether something that is meant to be seen lies beyond the right edge: MathJax keeps its text for screen readers there.
  function holdsMore(element) {
    const right = element.getBoundingClientRect().left + element.clientLeft + element.clientWidth + 4;
    const drawn = (part) => part.querySelector(":scope > mjx-math") ?? part;
    const lies = (part) => drawn(part).getBoundingClientRect().right > right && isShown(part);
    return element.childElementCount === 0 || lies(element) || [...parts(element)].some(lies);
  }

  // The elements below one, in order; formulas and drawings as a whole.
  function* parts(top) {
    const inner = (node) => (node.parentElement.matches("svg, mjx-container") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT, inner);
    while (walker.nextNode()) yield walker.currentNode;
  }
})();
