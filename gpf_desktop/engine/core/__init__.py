"""Common parts of the engine: threads and workers, the catalogue of plug-ins, protocol files, tasks."""
