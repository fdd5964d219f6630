"""Row ids of an audit file. Distinct types, so that a run's id cannot be passed where a bundle's is meant."""

from typing import NewType

SourceId = NewType("SourceId", int)
ArticleId = NewType("ArticleId", int)
BatchId = NewType("BatchId", int)
ProtocolId = NewType("ProtocolId", int)
ModelId = NewType("ModelId", int)
RunId = NewType("RunId", int)
CellId = NewType("CellId", int)
BundleId = NewType("BundleId", int)
FitGroupId = NewType("FitGroupId", int)
ReviewerId = NewType("ReviewerId", int)
BatchJobId = NewType("BatchJobId", int)
