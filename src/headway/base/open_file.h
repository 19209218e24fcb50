// SPDX-License-Identifier: Apache-2.0
// Opens and reads files given by users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "headway/base/error.h"

namespace headway {

// Opens only regular files: reading from a pipe or a device can block or never end. A name with a * is a
// series of files, in which 0, 1, 2, ... stand for the *: they are read one behind the other. All members
// throw SpecError with the path and the reason.
class OpenFile {
 public:
  explicit OpenFile(std::string path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  // Fills the whole span; reads fewer bytes only at the end of the file.
  std::size_t read(std::span<char> into);
  void go_to(std::uint64_t offset);
  std::uint64_t size() const;

 private:
  void open_part(std::size_t part);
  const std::string& path() const { return paths_[part_]; }

  std::vector<std::string> paths_;  // of the parts
  std::size_t part_ = 0;            // that is open
  int descriptor_ = -1;
};

// The largest file that is kept in memory: enough for a network of a million nodes, or for the routes of
// 10,000 nodes and 1000 switches.
inline constexpr std::size_t kMostText = std::size_t{256} << 20;

// Returns the content of a file of at most `most` bytes. Throws SpecError.
std::string read_text(const std::string& path, std::size_t most = kMostText);

// Throws a SpecError about the file.
[[noreturn]] void refuse_file(const std::string& path, std::string message, std::string hint = "");
[[noreturn]] void refuse_size(const std::string& path, std::size_t most);

}  // namespace headway
