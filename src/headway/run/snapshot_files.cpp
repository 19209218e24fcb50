// SPDX-License-Identifier: Apache-2.0
#include "headway/run/snapshot_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "headway/base/parse_number.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".snap";
constexpr std::string_view kEarlier = "earlier-";
constexpr std::size_t kDigits = 16;

std::string start_of(std::size_t point) { return fmt::format("point-{}-", point + 1); }

// The key in a name such as point-3-0123456789abcdef.snap.
std::optional<std::uint64_t> key_in(const std::string& name, std::string_view start) {
  if (name.size() != start.size() + kDigits + kSuffix.size() || !name.starts_with(start) ||
      !name.ends_with(kSuffix))
    return std::nullopt;
  return parse_number<std::uint64_t>(std::string_view(name).substr(start.size(), kDigits), 16);
}

std::optional<std::uint64_t> key_in(const std::string& name) {
  if (name.starts_with("point-")) return key_in(name, name.substr(0, name.find('-', 6) + 1));
  return key_in(name, kEarlier);
}

}  // namespace

std::optional<fs::path> snapshots_of(const fs::path& directory, std::size_t point) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory / "snapshots", error))
    if (key_in(entry.path().filename().string(), start_of(point))) return entry.path();
  return std::nullopt;
}

SnapshotFiles::SnapshotFiles(const fs::path& directory) : folder_(directory / "snapshots") {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (const auto key = key_in(entry.path().filename().string())) files_.emplace(*key, entry.path());
}

void SnapshotFiles::arrange(const std::vector<std::optional<std::uint64_t>>& runs) {
  std::set<fs::path> in_place;
  const auto stands = [&](const fs::path& path, std::uint64_t key) {
    const auto [first, last] = files_.equal_range(key);
    return std::any_of(first, last, [&](const auto& file) { return file.second == path; });
  };
  for (std::size_t point = 0; point < runs.size(); ++point)
    if (runs[point])
      if (const fs::path path = place_for(point, *runs[point]); stands(path, *runs[point]))
        in_place.insert(path);
  for (std::size_t point = 0; point < runs.size(); ++point) {
    if (!runs[point] || !has(*runs[point])) continue;
    const fs::path path = place_for(point, *runs[point]);
    if (in_place.contains(path)) continue;
    const auto [first, last] = files_.equal_range(*runs[point]);
    const auto free =
        std::find_if(first, last, [&](const auto& file) { return !in_place.contains(file.second); });
    if (free != last) {
      fs::rename(free->second, path);
      free->second = path;
    } else {  // two points have the same run
      fs::copy_file(first->second, path);
      files_.emplace(*runs[point], path);
    }
    in_place.insert(path);
  }
  for (auto& [key, path] : files_) {
    const fs::path earlier = folder_ / fmt::format("{}{:016x}{}", kEarlier, key, kSuffix);
    if (in_place.contains(path) || path == earlier) continue;
    fs::rename(path, earlier);
    path = earlier;
  }
}

fs::path SnapshotFiles::place_for(std::size_t point, std::uint64_t key) const {
  fs::create_directories(folder_);
  return folder_ / fmt::format("{}{:016x}{}", start_of(point), key, kSuffix);
}

}  // namespace headway
