// SPDX-License-Identifier: Apache-2.0
#include "headway/base/paths.h"

#include <filesystem>

namespace headway {

namespace fs = std::filesystem;

std::string path_named_at(const std::string& where, const std::string& named) {
  fs::path path = named;
  if (named.empty() || path.is_absolute()) return named;
  const std::size_t column = where.rfind(':');
  const std::size_t line = column == std::string::npos ? column : where.rfind(':', column - 1);
  if (line != std::string::npos) path = fs::path(where.substr(0, line)).parent_path() / path;
  return fs::absolute(path).lexically_normal().string();
}

std::string short_path(const std::string& path) {
  const std::string below = fs::path(path).lexically_relative(fs::current_path()).string();
  return below.empty() || below.starts_with("..") ? path : below;
}

}  // namespace headway
