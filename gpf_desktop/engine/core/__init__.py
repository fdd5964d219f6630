"""What every part of the engine works with: threads and workers, the catalogue of plug-ins, protocol files, tasks."""
