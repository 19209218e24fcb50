// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "headway/spec/key_paths.h"
#include "headway/spec/sweep_range.h"

namespace headway {
namespace {

using KeyNames = std::vector<std::string>;

bool is_within(std::string_view path, std::string_view whole) {
  return path.size() > whole.size() && path.starts_with(whole) &&
         (path[whole.size()] == '.' || path[whole.size()] == '[');
}

// Returns true if the value for `whole` contains a value at `path`.
bool says(const Document& value, std::string_view whole, std::string_view path) {
  const std::string_view name = whole.substr(whole.rfind('.') + 1);
  const std::string plain(name.substr(0, name.find('[')));
  const Document table(Document::Table{{plain, "", value}});
  return table.find(plain + std::string(path.substr(whole.size()))) != nullptr;
}

// Returns true if setting `swept` would change `set`, the paths that the override has set.
bool undoes(const Override& change, const KeyNames& set, const KeyNames& swept) {
  return std::ranges::any_of(set, [&](const std::string& here) {
    return std::ranges::any_of(swept, [&](const std::string& there) {
      return here == there || is_within(here, there) ||
             (is_within(there, here) && says(change.value, here, there));
    });
  });
}

}  // namespace

bool is_sweep(const Override& change, const Document& document) {
  if (change.key == "sweep" || change.key.starts_with("sweep.")) return false;
  return is_range(change.value) || is_list_of_values(document.with_indices(change.key), change.value);
}

void apply(const std::vector<Override>& overrides, Document& document, Mistakes& mistakes) {
  for (const Override& change : overrides)
    if (auto problem = document.set(change.key, change.value))
      mistakes.add({change.key, *problem, "", change.value.where});
}

void replace_swept(const std::vector<Override>& overrides, const Document& document, SweepAxes& axes,
                   Mistakes& mistakes) {
  KeyNames set;
  for (const Override& change : overrides) {
    const KeyNames meant = document.meant_by(change.key);
    set.insert(set.end(), meant.begin(), meant.end());
  }
  axes.drop([&](const SweepAxis::Key& key) {
    const KeyNames meant = document.meant_by(key.name);
    return !meant.empty() && std::ranges::all_of(meant, [&](const std::string& path) {
      return std::ranges::find(set, path) != set.end();
    });
  });
  for (const Override& change : overrides)
    for (const std::string& swept : axes.keys())
      if (undoes(change, document.meant_by(change.key), document.meant_by(swept)))
        mistakes.add({change.key, fmt::format("has no effect: the sweep over {} sets this key again", swept),
                      fmt::format("setting {} replaces that sweep", swept), change.value.where});
}

}  // namespace headway
