// SPDX-License-Identifier: Apache-2.0
// How much memory a run takes at its start, known before taking it: so that a network that is too large is
// refused with a number instead of being killed. Packets and waiting messages come on top, as many as the
// traffic makes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "headway/base/ids.h"
#include "headway/experiment/spec.h"

namespace headway {

// Of the network alone, without queues: known before anything is built.
std::uint64_t network_memory(const Topology& topology);

// How many pairs of an input and a destination there are that packets for it can enter: schemes with a queue
// per destination keep only such. Extrapolated from a sample of destinations, whose traffic is followed.
std::uint64_t reachable_inputs(const Graph& graph, const RouteTable& routes);

// Of a run, in bytes. `reachable` gives reachable_inputs, where they are needed; `horizon` is the longest hop
// in ticks.
std::uint64_t estimate_memory(const Graph& graph, const std::function<std::uint64_t()>& reachable,
                              const SwitchSpec& switches, const QueueMap& map, Tick horizon);

// Of the valid spec; builds its graph and routes.
std::uint64_t estimate_memory(const Spec& spec);

// The most rows that measure.pair_series can have: a pair with a row in a bin has had a packet delivered in
// it, at a destination whose link is no faster than `fastest`.
double most_pair_rows(const Spec& spec, Rate fastest);

// Bytes of main memory that this machine has.
std::uint64_t machine_memory();

// "5.6 GiB".
std::string memory_text(std::uint64_t bytes);

}  // namespace headway
