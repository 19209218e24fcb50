// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/format.h"

namespace headway {

void FileFormat::describe(Parameters& parameters) {
  parameters.field(
      {.name = "file",
       .help = "the trace; gzip and zstd are read directly; a relative path is relative to the spec"},
      file_);
}

void FileFormat::check(bool skip_bad, Mistakes& mistakes) const {
  if (!file_.named()) return mistakes.add("file", "is not given", "write file = \"PATH\"");
  try {
    const auto reader = open(0, skip_bad);
    if (!skip_bad) reader->next();  // a wrong format shows at once
  } catch (const SpecError& wrong) {
    for (const Mistake& mistake : wrong.mistakes())
      mistakes.add("file", mistake.where + ": " + mistake.message, mistake.hint);
  }
}

std::unique_ptr<TraceReader> FileFormat::open(std::uint64_t, bool skip_bad) const {
  return read(open_bytes(file_), file_.path(), skip_bad);
}

std::optional<std::string_view> recognised_format(const InputFile& input) {
  ByteReader bytes(open_bytes(input));
  const std::string_view beginning = bytes.ahead(1 << 12);
  for (const Entry<TraceFormat>& entry : trace_formats()) {
    const auto format = entry.make();
    const auto* file = dynamic_cast<const FileFormat*>(format.get());
    if (file != nullptr && file->recognises(beginning)) return entry.name;
  }
  return std::nullopt;
}

}  // namespace headway
