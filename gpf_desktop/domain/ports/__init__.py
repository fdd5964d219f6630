"""Ports, the classes that plug-ins are derived from: one for each kind, and beside it the abilities that one may have.

    port            module           object in a plug-in's file   found in
    Method          method           METHOD                       methods/*/method.py
    SetUp           set_up           SET_UP                       methods/*/set_up.py
    Scorer          scorer           SCORER                       methods/*/scorers/
    Analysis        analysis         ANALYSIS                     methods/*/analyses/
    Importer        importer         IMPORTER                     methods/*/importing.py
    MethodCheck     check            CHECK                        methods/*/check.py
    FileTables      file_tables      FILE_TABLES                  methods/*/file_tables.py
    BenchmarkMaker  benchmark_maker  BENCHMARK_MAKER              methods/*/benchmark_maker.py
    Source          source           SOURCE                       sources/
    Provider        provider         PROVIDER                     providers/, methods/*/calibration_models.py
    BatchJobs       batch_jobs       BATCH_JOBS                   providers/
    Embedder        embedder         EMBEDDER                     providers/, methods/*/calibration_models.py
    Exporter        exporter         EXPORTER                     exporters/

One file, one object, found by the catalogue (`engine.core.catalogue`). A name that no port and no ability declares is
refused when the file is imported (`plug_in`), and `docs/ports.md` lists what all of them declare.
"""
