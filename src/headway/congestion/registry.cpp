// SPDX-License-Identifier: Apache-2.0
// The families of markings and reactions, from the lists of markings.h and reactions.h; "none" is the base
// class.
#include <array>
#include <string>

#include "headway/config/parameter_values.h"
#include "headway/congestion/marking.h"
#include "headway/congestion/markings.h"
#include "headway/congestion/reaction.h"
#include "headway/congestion/reactions.h"

namespace headway {

std::optional<MarkingRules> Marking::build(const MarkingContext&) const { return std::nullopt; }
std::optional<ReactionRules> Reaction::build(const ReactionContext&) const { return std::nullopt; }

void check_isolation(std::string_view marking, const MarkingContext& context, Mistakes& mistakes) {
  if (context.stop_threshold == 0)
    mistakes.add("switch.marking", '"' + std::string(marking) + "\" marks packets in congested-flow queues",
                 "use it with scheme " + list_text(context.isolating_schemes, "or"));
}

Registry<Marking> markings() {
  static const auto entries =
      entries_of<Marking, Markings>({"none", "no packet is marked", "Headway", make_entry<Marking, Marking>});
  return entries;
}

Registry<Reaction> reactions() {
  static const auto entries = entries_of<Reaction, Reactions>(
      {"none", "sources do not react to congestion", "Headway", make_entry<Reaction, Reaction>});
  return entries;
}

}  // namespace headway
