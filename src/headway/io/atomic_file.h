// SPDX-License-Identifier: Apache-2.0
// Files that are never partially written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headway {

// Replaces the file's content atomically: readers see the old or the new content, even after a crash. A link
// stays, and the file that it leads to is replaced. A pipe or a device is not replaced; the content is
// written to it. Throws std::system_error with the path and the reason (no space, no permission).
void write_file(const std::filesystem::path& path, std::string_view content);

// A file that grows line by line, each on the disk when `append` returns. One process at a time.
class AppendFile {
 public:
  // Creates the file if it is missing. Throws std::system_error, also if another process has locked it.
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void append(std::string_view text);  // writes all of the text, or nothing and throws std::system_error

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace headway
