// SPDX-License-Identifier: Apache-2.0
// The files that users hand in. OpenFile is the only way in which one is opened; InputFile is one that a spec
// names, as it was when it was first read.
//
// Whatever happens to the file later, an edit in the middle of a sweep included, whoever reads an InputFile
// gets the same bytes or an error. Of a text the content is kept. A trace may be too large for that: of it
// every block is hashed when it is first read, and compared with that whenever it is read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "headway/base/error.h"

namespace headway {

// Takes plain files alone: pipes and devices may never begin, or never end. All its members throw SpecError
// with the path and the reason.
class OpenFile {
 public:
  explicit OpenFile(std::string path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  // As many bytes as there is room for; fewer only at the end of the file.
  std::size_t read(std::span<char> into);
  void go_to(std::uint64_t offset);
  std::uint64_t size() const;

 private:
  std::string path_;
  int descriptor_;
};

// The largest file that is held in memory: a network of a million nodes, or the routes of 10,000 nodes and
// 1000 switches.
inline constexpr std::size_t kMostText = std::size_t{256} << 20;

// The whole content of a file of at most that many bytes. Throws SpecError.
std::string read_text(const std::string& path, std::size_t most = kMostText);

// Copies share what was read; any number of threads may read.
class InputFile {
 public:
  InputFile() = default;                        // none
  explicit InputFile(const std::string& path);  // an empty path names none

  bool named() const { return state_ != nullptr; }
  const std::string& path() const;  // empty if none

  // The whole content, read once and kept. If it cannot be had: null, and a mistake under `key`.
  const std::string* text(const std::string& key, Mistakes& mistakes) const;

  // The bytes from the first to the last. Both throw SpecError, also if a block is not what it was before.
  class Stream {
   public:
    explicit Stream(const InputFile& file, std::size_t first_block = 0);
    std::size_t read(std::span<char> into);  // any number of them; 0 at the end
    std::span<const char> block();           // the next bytes, as many as were read at once; none at the end
    std::uint64_t size() const { return file_.size(); }

   private:
    std::shared_ptr<class InputFileState> state_;
    OpenFile file_;
    std::string buffer_;
    std::size_t next_block_;
    std::size_t taken_ = 0;  // of the buffer
    bool ended_ = false;
  };

  // Of the whole content. Reads what has not been read before and says how much of how much it has; throws
  // SpecError, and whatever `progress` throws.
  using Progress = std::function<void(std::uint64_t bytes, std::uint64_t size)>;
  std::uint64_t hash(const Progress& progress = {}) const;

 private:
  std::shared_ptr<InputFileState> state_;  // null: none
};

// The files of an experiment, each once however often it is named; any number of threads may ask.
class InputFiles {
 public:
  InputFile at(const std::string& path) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, InputFile> files_;
};

}  // namespace headway
