// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/format.h"

#include "headway/trace/byte_stream.h"

namespace headway {

void FileFormat::describe(Parameters& parameters) {
  parameters.field(
      {.name = "file",
       .help = "trace file, plain or compressed with gzip or zstd; a relative path is relative to the spec"},
      file_);
}

void FileFormat::check(Mistakes& mistakes) const {
  if (!file_.named()) mistakes.add("file", "is not given", "write file = \"PATH\"");
}

std::unique_ptr<TraceReader> FileFormat::open(const TraceOpening& how) const {
  return read(watched(open_bytes(file_), how.cancelled, how.most_bytes), file_.path(), how.skip_bad);
}

std::vector<std::string_view> file_formats() {
  std::vector<std::string_view> names;
  for (const Entry<TraceFormat>& entry : trace_formats())
    if (dynamic_cast<const FileFormat*>(entry.make().get()) != nullptr) names.push_back(entry.name);
  return names;
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
