// SPDX-License-Identifier: Apache-2.0
// Files that are never partially written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "headway/io/file_lock.h"

namespace headway {

// The new content of a file, which replaces the old one atomically: readers see the old or the new content,
// even after a crash. A link stays, and the file that it leads to is replaced. A pipe or a device is not
// replaced; the content is written to it. All functions throw std::system_error with the path and the reason
// (no space, no permission).
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path);
  ~NewFile();  // without `commit`, the old content stays
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view part);
  void commit();  // once, after the last part; the content is on the disk when it returns

 private:
  void flush();

  std::filesystem::path path_;
  std::filesystem::path draft_;  // a file beside it; empty for a pipe or a device
  int descriptor_;
  std::string buffer_;
};

// A new file of one part.
void write_file(const std::filesystem::path& path, std::string_view content);

// A file that grows line by line. One thread at a time in `append`.
class AppendFile {
 public:
  // Creates the file if it is missing, and locks it against other processes. Throws std::system_error, also
  // if another process has locked it. If its file system has no locks, `locked` is false.
  explicit AppendFile(std::filesystem::path path);

  bool locked() const { return locked_; }
  const std::filesystem::path& path() const { return file_.path(); }
  // Writes all of the text, or nothing and throws std::system_error. The text outlives this process, but not
  // yet the machine.
  void append(std::string_view text);
  void sync() const;  // what was appended is on the disk when it returns; throws std::system_error

 private:
  LockableFile file_;
  bool locked_ = false;
};

}  // namespace headway
