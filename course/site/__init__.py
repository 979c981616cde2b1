"""The site: the notes, the ledgers, the data cards and the API of `probml` as static pages.

Everything comes from the committed results; nothing is executed. `staging` writes the pages that Sphinx reads,
`extension` is what Sphinx does with them beyond its own, `build` runs it and turns its warnings into messages.
"""
