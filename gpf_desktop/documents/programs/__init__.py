"""Files of answers as other programs write them, one program a file: what its records say, as rows of plain columns."""

from typing import Final

from gpf_desktop.domain.text import tr

_NAMES: Final = (
    *("promptfoo", "Inspect", "DeepEval", "lm-evaluation-harness", "lighteval", "HELM", "OpenAI Evals", "ChainForge"),
    *("garak", "PyRIT", "Langfuse", "llm"),
    *("MLflow", "Weights & Biases", "Phoenix", "LangSmith", "Braintrust", "ChatGPT", "Claude", "Gemini", "Open WebUI"),
    *("AI Studio", "Grok", "DeepSeek", "Copilot", "LibreChat", "LM Studio", "Helicone", "MT-Bench"),
)


def files_read() -> str:
    """The sentence on the files that an import reads, whatever the method."""
    return tr(
        "Makes an audit of answers that were asked elsewhere. It reads CSV, JSON lines, XLSX, ODS, Parquet, batch"
        " jobs, pasted chats, and files of {programs}, packed (zip, gz) or not.",
        programs=", ".join(_NAMES),
    )
