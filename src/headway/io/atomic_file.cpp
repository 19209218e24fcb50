// SPDX-License-Identifier: Apache-2.0
// Writes the content to a file beside the target, forces it to the disk, and renames the file to the target
// (rename(2) is atomic). A link is followed. A device or a pipe is written directly.
#include "headway/io/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace headway {
namespace {

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), what + " " + path.string());
}

void write_all(int descriptor, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Pipes and devices cannot be synchronised to a disk, and need not be.
void sync(int descriptor, const std::filesystem::path& path) {
  if (::fdatasync(descriptor) != 0 && errno != EINVAL && errno != EROFS) fail("cannot write", path);
}

// After a rename, the directory must reach the disk, too. Some file systems cannot synchronise directories.
void sync_directory_of(const std::filesystem::path& path) {
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// A link that leads to itself is not followed any further.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, error); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the path
  }
  return path;
}

void write_directly(const std::filesystem::path& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail("cannot write", path);
  try {
    write_all(descriptor, content, path);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

}  // namespace

void write_file(const std::filesystem::path& given, std::string_view content) {
  std::error_code error;
  const std::filesystem::file_status status =
      std::filesystem::status(given, error);  // of what a link leads to
  if (std::filesystem::is_other(status)) return write_directly(given, content);
  const std::filesystem::path path = behind_links(given);
  std::filesystem::path draft = path;
  draft += ".tmp";
  ::unlink(draft.c_str());  // left by a program that was killed, or a pipe or a link with this name
  const int descriptor = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("cannot write", path);
  try {
    write_all(descriptor, content, path);
    sync(descriptor, path);
  } catch (...) {
    ::close(descriptor);
    ::unlink(draft.c_str());
    throw;
  }
  ::close(descriptor);
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(draft.c_str());
    errno = reason;
    fail("cannot write", path);
  }
  sync_directory_of(path);
}

AppendFile::AppendFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("cannot write", path_);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(descriptor_);
  if (reason == EWOULDBLOCK)
    throw std::system_error(EBUSY, std::generic_category(),
                            "another process is writing to " + path_.string());
  throw std::system_error(reason, std::generic_category(), "cannot lock " + path_.string());
}

AppendFile::~AppendFile() { ::close(descriptor_); }

// If a text does not fit, its written part is removed, so that the next text does not follow half a line.
void AppendFile::append(std::string_view text) {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  try {
    write_all(descriptor_, text, path_);
    sync(descriptor_, path_);
  } catch (const std::system_error&) {
    if (end >= 0 && ::ftruncate(descriptor_, end) != 0) throw;
    throw;
  }
}

}  // namespace headway
