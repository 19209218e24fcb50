// SPDX-License-Identifier: Apache-2.0
// One choice of an output among the inputs of a switch of radix 8, half of them blocked.
#include "headway/arbitration/arbiters.h"

#include <benchmark/benchmark.h>

#include "headway/engine/port_set.h"

namespace headway {
namespace {

template <class Pick>
void choice(benchmark::State& state, Pick&& pick) {
  using Set = PortSet<false>;
  std::uint64_t requests = 0, free = 0xff;
  std::uint32_t pointer = 0, blocked = 0;
  for (auto _ : state) {
    requests = requests * 5 + 0x5d;
    blocked = blocked * 13 + 7;
    const std::uint64_t asking = requests >> 16 & 0xff;
    std::uint64_t candidates = asking;
    const Request won =
        pick(Set::Common(Set(&candidates, 1), Set(&free, 1)), pointer, [&](std::uint32_t input) {
          const bool has_room = (blocked >> (8 + input) & 1) == 0;
          return has_room ? Request{input, 0, static_cast<Tick>(requests >> input & 15)} : Request{};
        });
    if (won) pointer = (won.input + 1) & 7;
    benchmark::DoNotOptimize(pointer);
  }
  state.SetItemsProcessed(state.iterations());
}
void round_robin(benchmark::State& state) {
  choice(state, [](const auto& inputs, std::uint32_t pointer, const auto& request) {
    return RoundRobin::pick(inputs, pointer, request);
  });
}
void oldest_first(benchmark::State& state) {
  choice(state, [](const auto& inputs, std::uint32_t pointer, const auto& request) {
    return OldestFirst::pick(inputs, pointer, request);
  });
}
void random_arbiter(benchmark::State& state) {
  Rng rng(1, 0);
  choice(state, [&](const auto& inputs, std::uint32_t, const auto& request) {
    return RandomArbiter::pick(inputs, request, rng);
  });
}
BENCHMARK(round_robin);
BENCHMARK(oldest_first);
BENCHMARK(random_arbiter);

}  // namespace
}  // namespace headway
