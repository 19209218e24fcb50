// SPDX-License-Identifier: Apache-2.0
#include "headway/base/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "headway/base/parse_number.h"
#include "headway/base/paths.h"

namespace headway {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

[[noreturn]] void cannot_read(const std::string& path) {
  refuse_file(path, std::string("cannot be read: ") + std::strerror(errno));
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// Without O_NONBLOCK, opening a pipe waits for a writer.
int open_plain_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) cannot_read(path);
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
  ::close(descriptor);
  refuse_file(path, "is " + std::string(kind_of(status.st_mode)), "it must be a regular file");
}

std::size_t read_some(int descriptor, std::span<char> into, const std::string& path) {
  for (;;) {
    const ssize_t count = ::read(descriptor, into.data(), into.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) cannot_read(path);
  }
}

std::uint64_t size_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) cannot_read(path);
  return static_cast<std::uint64_t>(status.st_size);
}

// The paths of a series, in order; the path itself if it is none.
std::vector<std::string> files_of_series(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string name = whole.filename().string();
  const std::size_t star = name.find('*');
  std::error_code none;
  if (star == std::string::npos || std::filesystem::exists(whole, none)) return {path};
  const std::string before = name.substr(0, star), after = name.substr(star + 1);
  std::map<std::uint64_t, std::string> found;  // number -> path
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string here = entry.path().filename().string();
    if (here.size() <= before.size() + after.size() || !here.starts_with(before) || !here.ends_with(after))
      continue;
    const auto number = parse_number<std::uint64_t>(
        std::string_view(here).substr(before.size(), here.size() - before.size() - after.size()));
    if (!number) continue;
    if (!found.emplace(*number, (whole.parent_path() / here).string()).second)
      refuse_file(path, fmt::format("there are two files with number {}", *number),
                  "0, 1, 2, ... stand for the *");
  }
  std::vector<std::string> paths;
  for (const auto& [number, file] : found) {
    if (number != paths.size())
      refuse_file(path, fmt::format("the file with number {} is missing", paths.size()),
                  "0, 1, 2, ... stand for the *");
    paths.push_back(file);
  }
  if (paths.empty()) refuse_file(path, "there are no such files", "0, 1, 2, ... stand for the *");
  return paths;
}

}  // namespace

OpenFile::OpenFile(std::string path) : paths_(files_of_series(path)) { open_part(0); }

OpenFile::~OpenFile() { ::close(descriptor_); }

void OpenFile::open_part(std::size_t part) {
  const int descriptor = open_plain_file(paths_[part]);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = descriptor;
  part_ = part;
}

std::size_t OpenFile::read(std::span<char> into) {
  std::size_t all = 0;
  while (all < into.size()) {
    const std::size_t count = read_some(descriptor_, into.subspan(all), path());
    if (count == 0 && part_ + 1 == paths_.size()) break;
    if (count == 0) open_part(part_ + 1);
    all += count;
  }
  return all;
}

void OpenFile::go_to(std::uint64_t offset) {
  std::size_t part = 0;
  for (; part + 1 < paths_.size(); ++part) {
    const std::uint64_t size = size_of(paths_[part]);
    if (offset < size) break;
    offset -= size;
  }
  if (part != part_) open_part(part);
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) cannot_read(path());
}

std::uint64_t OpenFile::size() const {
  std::uint64_t all = 0;
  for (const std::string& path : paths_) all += size_of(path);
  return all;
}

std::string read_text(const std::string& path, std::size_t most) {
  OpenFile file(path);
  std::string text;
  for (std::size_t room = std::min<std::uint64_t>(file.size(), most) + 1;; room = kReadAtOnce) {
    const std::size_t before = text.size();
    text.resize(before + room);
    text.resize(before + file.read({text.data() + before, room}));
    if (text.size() > most) refuse_size(path, most);
    if (text.size() < before + room) return text;
  }
}

void refuse_file(const std::string& path, std::string message, std::string hint) {
  throw SpecError("", std::move(message), std::move(hint), short_path(path));
}

void refuse_size(const std::string& path, std::size_t most) {
  refuse_file(path, "is larger than " + std::to_string(most >> 20) + " MiB",
              "this is the maximum size of such a file");
}

}  // namespace headway
