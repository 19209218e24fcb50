// SPDX-License-Identifier: Apache-2.0
// Writes the content to a file beside the target, forces it to the disk, and renames the file to the target
// (rename(2) is atomic).
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

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
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
  if (::rename(draft.c_str(), path.c_str()) != 0) fail("cannot write", path);
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
