// SPDX-License-Identifier: Apache-2.0
// The bytes of a file from its beginning to its end, a chunk at a time: plain, or compressed by gzip or zstd,
// which is seen from the first bytes when reading and from the name when writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/base/input_file.h"

namespace headway {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // As many bytes as there are, up to the size of `into`; 0 at the end. Throws SpecError if the file cannot
  // be read or has changed (input_file.h), TraceError if its compression is damaged.
  virtual std::size_t read(std::span<char> into) = 0;
};
// Throws SpecError if it cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const InputFile& file);
// The same of bytes in memory, for tests; `name` stands for the file's.
std::unique_ptr<ByteSource> bytes_of(std::string content, const std::string& name);

// The bytes of a source as long as nobody cancels that, and no more than about `most` of them: what is read
// further throws Cancelled or EnoughRead.
struct EnoughRead {};
std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, CancelFlag cancelled,
                                    std::uint64_t most);

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void close() = 0;  // once, after everything; throws TraceError if something could not be written
};
// Compresses if the name ends in .gz or .zst.
std::unique_ptr<ByteSink> create_bytes(const std::filesystem::path& path);

// Reads bytes through a buffer: whole lines or a number of bytes.
class ByteReader {
 public:
  explicit ByteReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kChunk) {}

  // The next bytes without taking them, as many as asked for (up to kMostAhead) unless the file ends before.
  std::string_view ahead(std::size_t count);
  void take(std::size_t count) { begin_ += count; }  // not more than `ahead` showed

  static constexpr std::size_t kMostAhead = 1 << 16;

 private:
  static constexpr std::size_t kChunk = 1 << 18;

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace headway
