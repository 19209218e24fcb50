// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/flow_agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <tuple>
#include <utility>

namespace headway::reference {
namespace {

std::vector<std::uint64_t> values_of(const TrafficCounters& c) {
  return {c.packets_generated, c.bytes_generated, c.packets_delivered,    c.bytes_delivered,
          c.payload_delivered, c.latency_ticks,   c.network_latency_ticks};
}

}  // namespace

std::string difference_of_flows(const Record& record, const Network& network, const FlowNumbers& flows,
                                const Reference& naive) {
  std::vector<TrafficRecord> expected(flows.flows);
  for (std::size_t generator = 0; generator < naive.generated().size(); ++generator) {
    TrafficCounters& counters = expected[flows.of_generator[generator]].counters;
    counters.packets_generated += naive.generated()[generator].packets;
    counters.bytes_generated += naive.generated()[generator].bytes;
  }
  for (const Delivery& d : naive.deliveries()) {
    TrafficRecord& flow = expected[flows.of_generator[d.generator]];
    ++flow.counters.packets_delivered;
    flow.counters.bytes_delivered += network.framing().frame(d.bytes);
    flow.counters.payload_delivered += d.bytes;
    flow.counters.latency_ticks += static_cast<std::uint64_t>(d.tick - d.generated);
    flow.counters.network_latency_ticks += static_cast<std::uint64_t>(d.tick - d.injected);
    flow.latencies.latency.add(static_cast<std::uint64_t>(d.tick - d.generated));
    flow.latencies.network_latency.add(static_cast<std::uint64_t>(d.tick - d.injected));
  }
  for (std::uint32_t f = 0; f < flows.flows; ++f) {
    const TrafficRecord& here = record.flows[f];
    if (values_of(here.counters) != values_of(expected[f].counters))
      return fmt::format("flow {}: {} to the engine, {} to the reference", f, values_of(here.counters),
                         values_of(expected[f].counters));
    if (!(here.latencies.latency == expected[f].latencies.latency) ||
        !(here.latencies.network_latency == expected[f].latencies.network_latency))
      return fmt::format("flow {}: its latencies differ", f);
  }
  return "";
}

std::string difference_of_messages(const MessageTimes& messages, const Network& network,
                                   const Workload& workload, const FlowNumbers& flows,
                                   const Reference& naive) {
  std::map<std::pair<NodeId, std::uint32_t>, std::vector<Delivery>> packets_of;  // by source and message
  for (const Delivery& d : naive.deliveries()) packets_of[{d.source, d.message}].push_back(d);
  using Values = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;     // messages, ticks, slowdowns
  std::map<std::pair<std::uint32_t, std::uint64_t>, Values> expected, found;  // by flow and largest size
  AloneTime alone(network);
  for (const auto& [key, packets] : packets_of) {
    const Delivery& one = packets.front();
    if (packets.size() < one.packets || one.generator >= workload.first_job_generator()) continue;
    Tick completed = 0;
    std::uint64_t bytes = 0;
    for (const Delivery& d : packets) {
      completed = std::max(completed, d.tick);
      bytes += d.bytes;
    }
    std::uint64_t largest = 1;
    while (largest < bytes) largest *= 2;
    const std::uint32_t most = network.packet_bytes - network.header_bytes;
    const auto last = static_cast<std::uint32_t>(bytes - (one.packets - 1) * most);
    const auto ticks = static_cast<std::uint64_t>(completed - one.generated);
    const auto least = static_cast<std::uint64_t>(alone.of(one.source, one.destination, {one.packets, last}));
    auto& [count, sum, slowdowns] = expected[{flows.of_generator[one.generator], largest}];
    ++count;
    sum += ticks;
    slowdowns += (ticks << 20) / least;
  }
  for (const MessageClass* each : messages.classes())
    found[{each->flow, std::uint64_t{1} << each->size_class}] = {each->sums.messages, each->sums.ticks,
                                                                 each->sums.slowdowns};
  return found == expected ? ""
                           : fmt::format("messages by flow and size: {} to the engine, {} to the reference",
                                         found, expected);
}

}  // namespace headway::reference
