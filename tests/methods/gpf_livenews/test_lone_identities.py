from pathlib import Path

from gpf_desktop.methods.gpf_livenews.importing import study_in


def test_that_an_identity_with_none_beside_it_spoils_no_table(tmp_path: Path) -> None:
    rows = [("Faith", faith) for faith in ("Hindu", "Jewish")] + [("Fiath", "Muslim")]
    table = tmp_path / "t.csv"
    lines = [f"a/x,Council decides,{dimension},{identity},Yes." for dimension, identity in rows]
    table.write_text("\n".join(["model,headline,dimension,identity,response", *lines]), encoding="utf-8")
    study = study_in([table], {}, lambda _doing, _done, _of: None)
    assert len(study.answers) == 2
    assert [(each.line, each.why) for each in study.problems] == [
        (4, "the protocol has no group of readers “Fiath” with two readers or more")
    ]
