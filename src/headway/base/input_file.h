// SPDX-License-Identifier: Apache-2.0
// Files given by users. An InputFile is a file that a spec names, with
// the content that it had when it was first read. It can also be a content in memory with a name, for specs
// that a program makes.
//
// All readers of an InputFile get the same bytes or an error, even if the file changes later, for example
// during a sweep. The content of a text is kept. A trace can be too large for that, so every block is hashed
// when it is first read, and compared with this hash whenever it is read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/open_file.h"

namespace headway {

// Adds the mistakes of reading a file. Those about the file as a whole get the key that names it, and with it
// a place in the spec.
void add_of_file(const std::vector<Mistake>& of_file, const std::string& key, Mistakes& mistakes);

// Copies share the content; any number of threads can read it.
class InputFile {
 public:
  InputFile() = default;                        // no file
  explicit InputFile(const std::string& path);  // an empty path: no file
  // A content in memory. Its path is a name, which says what the content is: STEM-HASH.SUFFIX.
  static InputFile in_memory(std::string_view stem, std::string_view suffix, std::string content);

  bool named() const { return state_ != nullptr; }
  const std::string& path() const;     // empty if there is no file
  const std::string* content() const;  // of a file in memory; otherwise null

  // Returns the whole content, which is read once and kept. If it cannot be read, returns null and adds a
  // mistake under `key`.
  const std::string* text(const std::string& key, Mistakes& mistakes) const;

  // Reads the file from the beginning. Both functions throw SpecError, also if a block has changed since it
  // was first read.
  class Stream {
   public:
    explicit Stream(const InputFile& file, std::size_t first_block = 0);
    std::size_t read(std::span<char> into);  // returns the number of bytes read; 0 at the end
    std::span<const char> block();           // the next bytes, up to a block; empty at the end
    std::uint64_t size() const;

   private:
    std::size_t read_block();

    std::shared_ptr<class InputFileState> state_;
    std::optional<OpenFile> file_;  // none: the content is in memory
    std::string buffer_;
    std::size_t next_block_;
    std::size_t taken_ = 0;  // bytes of the buffer already returned
    bool ended_ = false;
  };

  // The hash of the whole content. Reads the parts that have not been read before and reports its progress.
  // Throws SpecError, and the exceptions of `progress`.
  using Progress = std::function<void(std::uint64_t bytes, std::uint64_t size)>;
  std::uint64_t hash(const Progress& progress = {}) const;

 private:
  std::shared_ptr<InputFileState> state_;  // null: no file
};

// Files in memory by name. A spec names them like other files.
using MemoryFiles = std::map<std::string, InputFile>;

// The files of an experiment, with one object per file. Thread-safe.
class InputFiles {
 public:
  explicit InputFiles(MemoryFiles in_memory = {}) : in_memory_(std::move(in_memory)) {}

  InputFile at(const std::string& path) const;
  bool any() const;  // false if there are none in memory and `at` was never called
  const InputFile* in_memory(const std::string& name) const;  // null if there is none

 private:
  MemoryFiles in_memory_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, InputFile> files_;
};

}  // namespace headway
