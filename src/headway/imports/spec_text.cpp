// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/spec_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "headway/base/visible.h"
#include "headway/base/wrapped.h"

namespace headway::imports {

void SpecText::table(std::string_view head) { lines_.emplace_back(head, ""); }

void SpecText::set(std::string_view key, const Document& value, std::string_view why) {
  lines_.emplace_back(fmt::format("{} = {}", key, to_text(value)), visible(why));
}

void SpecText::without(std::string_view what, std::string_view why) {
  const auto same = std::ranges::find(without_, why, &std::pair<std::string, std::string>::second);
  if (same == without_.end())
    without_.emplace_back(what, why);
  else
    same->first += fmt::format(", {}", what);
}

bool SpecText::mentions(std::string_view name) const {
  const std::string all = text("");
  const auto is_part = [&](std::size_t at) {
    return at < all.size() && (std::isalnum(static_cast<unsigned char>(all[at])) != 0 || all[at] == '_');
  };
  for (std::size_t at = all.find(name); at != std::string::npos; at = all.find(name, at + 1))
    if (!is_part(at + name.size()) && (at == 0 || !is_part(at - 1))) return true;
  return false;
}

std::string SpecText::text(std::string_view made_from) const {
  std::string text =
      fmt::format("#:schema headway.schema.json\n# Made by headway import from {}.\n", visible(made_from));
  if (!without_.empty()) text += "# Without counterpart, or otherwise in Headway (docs/coming-from.md):\n";
  for (const auto& [what, why] : without_) {
    const std::string lines = wrapped(visible(fmt::format("{}: {}", what, why)), 0, 124);
    for (std::size_t start = 0; start < lines.size();) {
      const std::size_t end = lines.find('\n', start);
      text += fmt::format("#{}{}\n", start == 0 ? " - " : "   ", lines.substr(start, end - start));
      start = end == std::string::npos ? lines.size() : end + 1;
    }
  }
  for (const auto& [line, comment] : lines_) {
    if (line.starts_with('[')) text += '\n';
    text += comment.empty() ? fmt::format("{}\n", line) : fmt::format("{:<40} # {}\n", line, comment);
  }
  return text;
}

void set_output_queued(SpecText& spec, std::string_view why) {
  spec.set("architecture", "oq", why);
  spec.set("scheme", "voqsw", "a queue for each output");
  spec.set("arbiter", "oldest-first", "in the order in which packets have come");
  spec.set("switching", "store-and-forward", "");
}

Document list_of(const std::vector<std::int64_t>& numbers) {
  Document::Array elements;
  for (const std::int64_t number : numbers) elements.emplace_back(number);
  return Document(std::move(elements));
}

}  // namespace headway::imports
