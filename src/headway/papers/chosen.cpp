// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/chosen.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "headway/config/nearest.h"
#include "headway/papers/paper_file.h"

namespace headway {

namespace fs = std::filesystem;

Paper find_paper(const fs::path& papers, const std::string& key) {
  std::error_code error;
  if (fs::exists(fs::path(key) / "paper.toml", error)) return read_paper(fs::canonical(key));
  std::vector<std::string> keys;
  for (const fs::path& folder : paper_folders(papers)) {
    keys.push_back(folder.filename().string());
    if (keys.back() == key) return read_paper(folder);
  }
  throw UnknownName(unknown("paper", key, std::vector<std::string_view>(keys.begin(), keys.end())));
}

std::vector<const FigureSpec*> chosen_figures(const Paper& paper, const std::vector<std::string>& ids) {
  std::vector<std::string_view> valid;
  for (const FigureSpec& figure : paper.figures) {
    const std::string_view name = name_without_reading(figure.id);
    if (std::ranges::find(valid, name) == valid.end()) valid.push_back(name);
    if (!figure.reading.empty()) valid.push_back(figure.id);
  }
  for (const std::string& id : ids)
    if (std::ranges::find(valid, id) == valid.end()) throw UnknownName(unknown("figure", id, valid));
  std::vector<const FigureSpec*> chosen;
  for (const FigureSpec& figure : paper.figures)
    if (ids.empty() || std::ranges::any_of(ids, [&](std::string_view id) {
          return id == figure.id || id == name_without_reading(figure.id);
        }))
      chosen.push_back(&figure);
  return chosen;
}

fs::path default_directory(const Paper& paper, bool trace, bool quick) {
  return fmt::format("out/{}{}{}", paper.key, trace ? "-trace" : "", quick ? "-quick" : "");
}

}  // namespace headway
