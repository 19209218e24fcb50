// SPDX-License-Identifier: Apache-2.0
// Reads or writes the bytes of a file in chunks: plain, or compressed with gzip or zstd. Reading recognises
// the compression from the first bytes, writing from the file name.
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
  // Reads up to the size of `into`; returns 0 at the end. Throws SpecError if the file cannot be read or has
  // changed (input_file.h), and TraceError if the compressed data are damaged.
  virtual std::size_t read(std::span<char> into) = 0;
};
// Throws SpecError if the file cannot be opened. `progress` gets the bytes of the file that are read, before
// they are decompressed.
std::unique_ptr<ByteSource> open_bytes(const InputFile& file, InputFile::Progress progress = {});
// A source of bytes in memory; `name` replaces the file name.
std::unique_ptr<ByteSource> bytes_of(std::string content, const std::string& name);

// Reads a source until the run is cancelled or about `most` bytes are read; then throws Cancelled or
// EnoughRead.
struct EnoughRead {};
std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, CancelFlag cancelled,
                                    std::uint64_t most);

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void close() = 0;  // call once, at the end; throws TraceError if something could not be written
};
// Compresses if the name ends in .gz or .zst.
std::unique_ptr<ByteSink> create_bytes(const std::filesystem::path& path);

// Reads lines or numbers of bytes through a buffer.
class ByteReader {
 public:
  explicit ByteReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kChunk) {}

  // The next `count` bytes without consuming them; fewer at the end of the file.
  std::string_view ahead(std::size_t count);
  // The next bytes that are in the buffer already.
  std::string_view buffered() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void take(std::size_t count) { begin_ += count; }  // at most as many as these functions returned

 private:
  static constexpr std::size_t kChunk = 1 << 18;

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace headway
