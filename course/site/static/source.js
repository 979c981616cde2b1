// Pages of source code, before they are shown: the choice that the reader made on the other pages, or else the system's.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const chosen = localStorage.getItem("mode");
    document.documentElement.dataset.theme = ["dark", "light"].includes(chosen) ? chosen : system.matches ? "dark" : "light";
  };
  system.addEventListener("change", show);
  show();
})();
