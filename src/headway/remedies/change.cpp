// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/change.h"

#include <algorithm>

namespace headway {
namespace {

bool adds_up(std::string_view key) { return key == "what_if.without" || key == "what_if.usual_rates"; }

}  // namespace

std::vector<Override> merged(const std::vector<Override>& first, const std::vector<Override>& second) {
  std::vector<Override> all = first;
  for (const Override& change : second) {
    const auto same = std::ranges::find(all, change.key, &Override::key);
    if (same == all.end()) {
      all.push_back(change);
    } else if (adds_up(change.key)) {
      auto& list = std::get<Document::Array>(same->value.value);
      for (const Document& name : std::get<Document::Array>(change.value.value))
        if (std::ranges::find(list, name) == list.end()) list.push_back(name);
    } else {
      same->value = change.value;
    }
  }
  return all;
}

}  // namespace headway
