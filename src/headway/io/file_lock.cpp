// SPDX-License-Identifier: Apache-2.0
#include "headway/io/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace headway {
namespace {

struct flock request(short type, const ByteRange& bytes) {
  struct flock lock{};  // its process must be 0
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = bytes.first;
  lock.l_len = bytes.size;
  return lock;
}

short type_of(LockKind kind) { return kind == LockKind::shared ? F_RDLCK : F_WRLCK; }

// What file systems answer that have no locks, or whose lock service cannot be reached.
bool means_unsupported(int error) {
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

bool is_refused(int descriptor, LockKind kind, const ByteRange& bytes) {
  struct flock lock = request(type_of(kind), bytes);
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace

LockableFile::LockableFile(std::filesystem::path path, int flags)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), flags | O_CREAT | O_CLOEXEC, 0666)),
      owner_(::getpid()) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write " + path_.string());
}

// A child of this process that was made by fork shares the locks, and can live on.
LockableFile::~LockableFile() {
  if (::getpid() == owner_) unlock();
  ::close(descriptor_);
}

LockAnswer LockableFile::lock(LockKind kind, const ByteRange& bytes, bool wait) {
  struct flock lock = request(type_of(kind), bytes);
  int answer = 0;
  do answer = ::fcntl(descriptor_, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
  while (answer != 0 && errno == EINTR);
  if (answer == 0) return LockAnswer::granted;
  if (errno == EAGAIN || errno == EACCES) return LockAnswer::refused;
  if (means_unsupported(errno)) return LockAnswer::unsupported;
  throw std::system_error(errno, std::generic_category(), "cannot lock " + path_.string());
}

void LockableFile::unlock(const ByteRange& bytes) {
  struct flock lock = request(F_UNLCK, bytes);
  ::fcntl(descriptor_, F_OFD_SETLK, &lock);
}

bool LockableFile::is_locked(LockKind kind, const ByteRange& bytes) const {
  return is_refused(descriptor_, kind, bytes);
}

bool is_locked(const std::filesystem::path& path, LockKind kind) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = is_refused(descriptor, kind, {});
  ::close(descriptor);
  return locked;
}

}  // namespace headway
