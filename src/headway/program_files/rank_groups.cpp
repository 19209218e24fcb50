// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/rank_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/paths.h"
#include "headway/programs/program_text.h"

namespace headway {
namespace {

class GroupsReader {
 public:
  GroupsReader(std::string_view text, std::uint32_t ranks) : words_(text), ranks_(ranks) {}

  RankGroups read() {
    expect("{");
    for (bool first = true; !words_.take("}"); first = false) {
      if (!first) expect(",");
      expect("\"");
      const std::string_view rest = words_.rest();
      const std::string name(rest.substr(0, rest.find('"')));
      words_.skip(name.size());
      expect("\"");
      expect(":");
      if (!groups_.emplace(name, members()).second)
        throw WrongLine{rest, fmt::format("the group \"{}\" is here twice", name)};
    }
    if (!words_.at_end()) throw WrongLine{words_.rest(), "the groups should end here"};
    return std::move(groups_);
  }

 private:
  void expect(std::string_view what) {
    if (!words_.take(what))
      throw WrongLine{words_.rest(), fmt::format("{} is missing, {}", what, found_text(words_.rest())),
                      "{\"0\": [0, 1], \"1\": [2, 3]}"};
  }

  std::vector<std::uint32_t> members() {
    std::vector<std::uint32_t> members;
    expect("[");
    do {
      const std::string_view at = words_.rest();
      const std::uint64_t rank = words_.number("a rank");
      if (rank >= ranks_)
        throw WrongLine{at, fmt::format("there is no rank {}", rank), fmt::format("0 to {}", ranks_ - 1)};
      members.push_back(static_cast<std::uint32_t>(rank));
    } while (words_.take(","));
    const std::string_view end = words_.rest();
    expect("]");
    std::vector<std::uint32_t> sorted = members;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      throw WrongLine{end, "a rank is twice in this group"};
    return members;
  }

  Words words_;
  std::uint32_t ranks_;
  RankGroups groups_;
};

}  // namespace

RankGroups read_rank_groups(const InputFile& file, std::uint32_t ranks, const std::string& key,
                            Mistakes& mistakes) {
  const std::string* const content = file.text(key, mistakes);
  if (content == nullptr) return {};
  std::string text = *content;  // Words skips blanks and tabs only
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  try {
    return GroupsReader(text, ranks).read();
  } catch (const WrongLine& wrong) {
    const std::size_t at =
        wrong.at.data() == nullptr ? text.size() : static_cast<std::size_t>(wrong.at.data() - text.data());
    const std::string_view before = std::string_view(*content).substr(0, at);
    mistakes.add(
        {.key = key,
         .message = wrong.message,
         .hint = wrong.hint,
         .where = fmt::format("{}:{}:{}", short_path(file.path()), std::ranges::count(before, '\n') + 1,
                              at - (before.rfind('\n') + 1) + 1)});
    return {};
  }
}

}  // namespace headway
