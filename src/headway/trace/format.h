// SPDX-License-Identifier: Apache-2.0
// The trace-format family: the source of the records of a trace. Most formats are files; one generates
// records from a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/trace/reader.h"

namespace headway {

class ByteSink;  // byte_stream.h
class ByteSource;

// How a trace is read.
struct TraceOpening {
  std::uint64_t seed = 1;  // seed of generated records
  bool skip_bad = false;
  CancelFlag cancelled = nullptr;         // polled while records are read
  std::uint64_t most_bytes = UINT64_MAX;  // maximum number of bytes of the file; throws EnoughRead beyond
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  virtual void describe(Parameters&) {}
  // Reports mistakes of the parameters; keys are relative to the trace's table ("file").
  virtual void check(Mistakes&) const {}
  virtual std::unique_ptr<TraceReader> open(const TraceOpening& how) const = 0;
};

Registry<TraceFormat> trace_formats();

// A format that is a file.
class FileFormat : public TraceFormat {
 public:
  void describe(Parameters& parameters) override;
  void check(Mistakes& mistakes) const override;
  std::unique_ptr<TraceReader> open(const TraceOpening& how) const override;

  // Returns true if a file with this beginning can be of this format.
  virtual bool recognises(std::string_view beginning) const = 0;
  virtual std::unique_ptr<TraceReader> read(std::unique_ptr<ByteSource> source, std::string name,
                                            bool skip_bad) const = 0;

 private:
  InputFile file_;
};

// A format with a class that reads its files.
template <class Reader>
class FileFormatOf : public FileFormat {
 public:
  std::unique_ptr<TraceReader> read(std::unique_ptr<ByteSource> source, std::string name,
                                    bool skip_bad) const final {
    return std::make_unique<Reader>(std::move(source), std::move(name), skip_bad);
  }
};

// The names of the formats that are files.
std::vector<std::string_view> file_formats();

// The name of the first format that recognises the file's beginning; nullopt if there is none. Throws
// TraceError if the file cannot be read.
std::optional<std::string_view> recognised_format(const InputFile& file);

// Writes all records of the reader in the format csv, with exact times, and closes the sink.
struct WrittenTrace {
  std::uint64_t records = 0;  // including those that the reader skips
  std::uint64_t bytes = 0;    // of the messages or requests
  TraceTime length = 0;       // up to the last record
};
WrittenTrace write_csv(TraceReader& reader, ByteSink& sink);

}  // namespace headway
