// SPDX-License-Identifier: Apache-2.0
// Networks without congestion control between the ends.
#include "headway/congestion/marking.h"
#include "headway/congestion/reaction.h"

namespace headway {
namespace {

class NoMarking final : public Marking {
 public:
  std::optional<MarkingRules> build(const MarkingContext&) const override { return std::nullopt; }
};

class NoReaction final : public Reaction {
 public:
  std::optional<ReactionRules> build(const ReactionContext&) const override { return std::nullopt; }
};

}  // namespace

Entry<Marking> no_marking() {
  return {"none", "no packet is marked", "Headway", make_entry<Marking, NoMarking>};
}

Entry<Reaction> no_reaction() {
  return {"none", "sources do not react to congestion", "Headway", make_entry<Reaction, NoReaction>};
}

}  // namespace headway
