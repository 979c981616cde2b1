"""Notebooks in normal form: what they say, without the traces of when and where they were executed."""

import re

import nbformat
from nbformat import NotebookNode

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
NO_ADDRESS = "0x..."
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(notebook: NotebookNode) -> tuple[str, str]:
    """Text of an executed notebook in normal form, and what it wrote to stderr (which is not kept)."""
    notebook.metadata = nbformat.from_dict(_METADATA)
    stderr = []
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":
            stderr += [out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stderr"]
            cell.outputs = _merged([out for out in cell.outputs if out.get("name") != "stderr"])
    return _text(notebook), "".join(stderr)


def source(notebook: NotebookNode) -> str:
    """Text of a notebook as it is kept in notebooks/: no outputs, no execution counts."""
    notebook.metadata = nbformat.from_dict(_METADATA)
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return _text(notebook)


def _merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of stdout: where the kernel cuts them is a matter of timing."""
    joined: list[NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].output_type == "stream":
            joined[-1].text += output.text
        else:
            joined.append(output)
    for output in joined:
        if output.output_type == "stream":
            output.text = ADDRESS.sub(NO_ADDRESS, output.text)
        for kind, content in output.get("data", {}).items():
            if kind.startswith("text/"):
                output.data[kind] = ADDRESS.sub(NO_ADDRESS, content)
    return joined


def _text(notebook: NotebookNode) -> str:
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"
