// SPDX-License-Identifier: Apache-2.0
// Programs one after the other. A rank begins the next program when its operations of the previous one are
// complete, whatever the other ranks do.
#include <algorithm>
#include <string>
#include <vector>

#include "headway/programs/parts.h"

namespace headway {
namespace {

class Sequence final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        count_parameter("repeat", "number of times that the list of programs runs in an iteration"), repeat_);
  }
  std::optional<std::uint32_t> ranks() const override {
    for (const Choice<ProgramKind>& part : parts_)
      if (const std::optional<std::uint32_t> fixed = part->ranks()) return fixed;
    return std::nullopt;
  }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override {
    if (parts_.empty())
      mistakes.add(
          "programs", "is missing",
          "list the programs, as in programs = [{ program = \"barrier\" }, { program = \"all-reduce\" }]");
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string key = "programs[" + std::to_string(i) + "].";
      Mistakes of_part;
      const std::optional<std::uint32_t> fixed = parts_[i]->ranks();
      if (parts_[i].name == "sequence")
        mistakes.add(key + "program", "a sequence in a sequence", "list its programs here, or use repeat");
      else if (fixed && *fixed != ranks)
        mistakes.add(key + "program", "has " + std::to_string(*fixed) + " ranks",
                     "the job has " + std::to_string(ranks));
      else
        parts_[i]->check(ranks, of_part);
      mistakes.add_all(of_part.list(), key);
    }
  }
  void build(ProgramBuilder& builder) const override {
    for (std::int64_t i = 0; i < repeat_; ++i)
      for (const Choice<ProgramKind>& part : parts_) {
        part->build(builder);
        builder.end_part();
      }
  }
  bool can_stand_still() const override {
    return std::ranges::any_of(parts_,
                               [](const Choice<ProgramKind>& part) { return part->can_stand_still(); });
  }
  void use_servers(std::uint32_t ranks_per_server) override {
    for (Choice<ProgramKind>& part : parts_) part->use_servers(ranks_per_server);
  }
  bool take_parts(std::span<const Choice<ProgramKind>> parts) override {
    parts_.assign(parts.begin(), parts.end());
    return true;
  }

 private:
  std::vector<Choice<ProgramKind>> parts_;
  std::int64_t repeat_ = 1;
};

}  // namespace

Entry<ProgramKind> sequence() {
  return {"sequence", "a list of programs, one after the other", "Headway",
          make_entry<ProgramKind, Sequence>};
}

}  // namespace headway
