// SPDX-License-Identifier: Apache-2.0
// All arbiters: how a free output chooses the input that it serves (docs/modelling.md, "Arbitrate").
#pragma once

#include <array>
#include <cstddef>

#include "headway/arbitration/oldest_first.h"
#include "headway/arbitration/random_arbiter.h"
#include "headway/arbitration/round_robin.h"
#include "headway/base/type_list.h"

namespace headway {

// The enumerators are in the order of the list.
enum class ArbiterKind : std::uint8_t { round_robin, oldest_first, oldest_injected, random };
using Arbiters = TypeList<RoundRobin, OldestFirst, OldestInjected, RandomArbiter>;

struct ArbiterTraits {
  Age age;
  bool draws, serves_groups;
  ArbiterKind policy;  // the arbiter whose code it shares
};

template <class Arbiter>
inline constexpr auto kKindOf = static_cast<ArbiterKind>(Arbiters::index_of<Arbiter>());

inline constexpr auto kArbiterTraits = Arbiters::with_all([]<class... All>() {
  return std::array{
      ArbiterTraits{All::kAge, All::kDraws, All::kServesGroups, kKindOf<typename All::Policy>}...};
});
constexpr const ArbiterTraits& traits_of(ArbiterKind kind) {
  return kArbiterTraits[static_cast<std::size_t>(kind)];
}

constexpr auto names_in_specs(ArbiterKind) {
  return Arbiters::with_all([]<class... All>() { return std::array{All::kName...}; });
}

}  // namespace headway
