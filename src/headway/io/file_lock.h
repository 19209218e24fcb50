// SPDX-License-Identifier: Apache-2.0
// Locks on bytes of an open file, between processes of all machines that share a file system. The system
// releases a lock when its process ends, however it ends. A byte that is locked need not exist.
//
// They are open file description locks (fcntl(2)), because these can be shared, can be looked at without
// being taken, and exclude two users within one process, too.
#pragma once

#include <cstdint>
#include <filesystem>

namespace headway {

struct ByteRange {
  std::int64_t first = 0;
  std::int64_t size = 0;  // 0: to the end of every file
};

enum class LockKind {
  shared,    // excludes exclusive locks; the file must be open for reading
  exclusive  // excludes all locks; the file must be open for writing
};

enum class LockAnswer { granted, refused, unsupported };  // unsupported: this file system has no locks

// An open file with its locks, which it holds to its end.
class LockableFile {
 public:
  // Creates the file if it is missing. `flags` of open(2), which open it for writing. Throws
  // std::system_error.
  LockableFile(std::filesystem::path path, int flags);
  ~LockableFile();
  LockableFile(const LockableFile&) = delete;
  LockableFile& operator=(const LockableFile&) = delete;

  // With `wait`, is never refused. Throws std::system_error for any other reason.
  LockAnswer lock(LockKind kind, const ByteRange& bytes = {}, bool wait = false);
  void unlock(const ByteRange& bytes = {});
  // Returns true if another user of the file has a lock that refuses one of this kind. Takes none. False if
  // the file system has no locks.
  bool is_locked(LockKind kind, const ByteRange& bytes = {}) const;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
  int owner_;  // the process that opened it
};

// Returns true if a file that is not open is locked; false also if it cannot be opened.
bool is_locked(const std::filesystem::path& path, LockKind kind = LockKind::exclusive);

}  // namespace headway
