// SPDX-License-Identifier: Apache-2.0
// All arbiters: how a free output chooses the input that it serves (docs/modelling.md, "Arbitrate").
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "headway/arbitration/kind.h"
#include "headway/arbitration/oldest_first.h"
#include "headway/arbitration/random_arbiter.h"
#include "headway/arbitration/round_robin.h"
#include "headway/base/type_list.h"

namespace headway {

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

// Picks as the arbiter `policy` does, whose code is its own. Unless kAny, it is kOnly, and only its code is
// compiled. `rng` gives the stream of the device.
template <bool kAny, ArbiterKind kOnly, class Arbiter, class... Others, class Inputs, class Ask, class Stream>
[[gnu::always_inline]] inline Request pick_by(TypeList<Arbiter, Others...>, ArbiterKind policy,
                                              const Inputs& inputs, std::uint32_t pointer, const Ask& ask,
                                              const Stream& rng) {
  constexpr bool kIsPolicy = std::is_same_v<Arbiter, typename Arbiter::Policy>;
  if constexpr (kIsPolicy && (kAny || kOnly == kKindOf<Arbiter>)) {
    if (policy == kKindOf<Arbiter>) {
      if constexpr (Arbiter::kDraws)
        return Arbiter::pick(inputs, ask, rng());
      else
        return Arbiter::pick(inputs, pointer, ask);
    }
  }
  if constexpr (sizeof...(Others) == 0)
    return {};
  else
    return pick_by<kAny, kOnly>(TypeList<Others...>(), policy, inputs, pointer, ask, rng);
}

constexpr auto names_in_specs(ArbiterKind) {
  return Arbiters::with_all([]<class... All>() { return std::array{All::kName...}; });
}

}  // namespace headway
