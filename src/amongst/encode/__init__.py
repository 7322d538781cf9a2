"""Values to ordered integer codes and back; the frequency set."""

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import encode
from amongst.encode.frequency import FrequencySet, frequency_set, mostly_distinct, tuples_of

__all__ = ["CodedColumn", "CodedTable", "FrequencySet", "encode", "frequency_set", "mostly_distinct", "tuples_of"]
