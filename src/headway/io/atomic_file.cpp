// SPDX-License-Identifier: Apache-2.0
// Writes the content to a file beside the target, forces it to the disk, and renames the file to the target
// (rename(2) is atomic). A link is followed. A device or a pipe is written directly.
#include "headway/io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

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

int opened(const std::filesystem::path& path, int flags, const std::filesystem::path& for_user) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) fail("cannot write", for_user);
  return descriptor;
}

constexpr std::size_t kWrittenAtOnce = 1 << 16;  // bytes written at once

}  // namespace

NewFile::NewFile(const std::filesystem::path& path) {
  std::error_code error;
  const bool special = std::filesystem::is_other(std::filesystem::status(path, error));  // behind links
  path_ = special ? path : behind_links(path);
  if (special) {
    descriptor_ = opened(path_, 0, path_);
    return;
  }
  draft_ = path_;
  draft_ += ".tmp";
  ::unlink(draft_.c_str());  // left by a program that was killed, or a pipe or a link with this name
  descriptor_ = opened(draft_, O_CREAT | O_EXCL, path_);
}

NewFile::~NewFile() {
  ::close(descriptor_);
  if (!draft_.empty()) ::unlink(draft_.c_str());
}

void NewFile::write(std::string_view part) {
  buffer_ += part;
  if (buffer_.size() >= kWrittenAtOnce) flush();
}

void NewFile::flush() {
  write_all(descriptor_, buffer_, path_);
  buffer_.clear();
}

void NewFile::commit() {
  flush();
  if (draft_.empty()) return;
  sync(descriptor_, path_);
  if (::rename(draft_.c_str(), path_.c_str()) != 0) fail("cannot write", path_);
  draft_.clear();
  sync_directory_of(path_);
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  NewFile file(path);
  file.write(content);
  file.commit();
}

AppendFile::AppendFile(std::filesystem::path path)
    : file_(std::move(path), O_WRONLY | O_APPEND | O_NONBLOCK) {
  const LockAnswer answer = file_.lock(LockKind::exclusive);
  if (answer == LockAnswer::refused)
    throw std::system_error(EBUSY, std::generic_category(),
                            "another process is writing to " + this->path().string());
  locked_ = answer == LockAnswer::granted;
}

// If a text does not fit, its written part is removed, so that the next text does not follow half a line.
void AppendFile::append(std::string_view text) {
  const off_t end = ::lseek(file_.descriptor(), 0, SEEK_END);
  try {
    write_all(file_.descriptor(), text, path());
  } catch (const std::system_error&) {
    if (end >= 0 && ::ftruncate(file_.descriptor(), end) != 0) throw;
    throw;
  }
}

void AppendFile::sync() const { headway::sync(file_.descriptor(), path()); }

}  // namespace headway
