// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/trace.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/base/rng.h"
#include "headway/trace/byte_stream.h"

namespace headway {
namespace {

constexpr double kSteps = 10'000;  // of the compression, per 1

void read_beginning(TraceWindow window) {
  window.most_records = 1000;
  window.most_bytes = 1 << 20;
  try {
    TracePass pass(window);
    while (pass.next()) continue;
  } catch (const EnoughRead&) {  // no mistake so far
  }
}

double compression_of(const TraceSpec& spec, const TraceWindow& window, const Rate& link,
                      Mistakes& mistakes) {
  if (!spec.target_load) return std::round(spec.compression * kSteps) / kSteps;
  const TraceLoad load = load_of(window);
  if (load.bytes == 0 || load.length <= 0) {
    mistakes.add("target_load", "the window of the trace contains no traffic, so its load cannot be scaled",
                 "choose another window, or omit it");
    return 1;
  }
  const bool of_link = spec.target_of == LoadTarget::hottest_link;
  const double bytes = static_cast<double>(of_link ? load.hottest_bytes : load.bytes);
  const double capacity = link.bytes_per_ns.to_double() * static_cast<double>(load.length) / kNanosecond *
                          (of_link ? 1 : window.rules.nodes);
  const double compression = std::round(*spec.target_load * capacity / bytes * kSteps) / kSteps;
  constexpr double kMost = 1e12;
  if (compression < 1 / kSteps || compression > kMost)
    mistakes.add("target_load",
                 fmt::format("a load of {} needs a compression of {:.3g}, which is out of range",
                             *spec.target_load, compression));
  return compression;
}

}  // namespace

EndpointRules endpoints_of(const TraceSpec& spec, std::uint32_t nodes, std::uint64_t seed,
                           const std::string& key, Mistakes& mistakes) {
  EndpointRules rules;
  rules.nodes = nodes;
  rules.wrap_nodes = spec.node_numbers == NodeNumbers::modulo;
  const auto chosen = choose_sources({{spec.storage, key + "storage"}, {spec.hosts, key + "hosts"}}, nodes,
                                     mix64(seed), mistakes);
  rules.storage = chosen[0];
  rules.hosts = chosen[1];
  rules.devices = spec.device_nodes;
  rules.processes = spec.process_nodes;
  rules.request = static_cast<std::uint64_t>(spec.request.count);
  rules.acknowledgement = static_cast<std::uint64_t>(spec.acknowledgement.count);
  rules.service = picoseconds(spec.service);
  return rules;
}

TraceWindow window_of(const TraceSpec& spec, std::uint32_t nodes, std::uint64_t seed, CancelFlag cancelled) {
  Mistakes mistakes;
  TraceWindow window;
  window.rules = endpoints_of(spec, nodes, seed, "traffic.trace.", mistakes);
  mistakes.throw_if_any();
  window.format = spec.format.shared();
  window.seed = seed;
  window.skip_bad = spec.skip_bad;
  window.cancelled = cancelled;
  window.reorder = picoseconds(spec.reorder);
  window.begin = picoseconds(spec.begin);
  if (spec.end) window.end = picoseconds(*spec.end);
  return window;
}

double look_into(const TraceSpec& spec, const TraceWindow& window, const Rate& link, Mistakes& mistakes) {
  try {
    read_beginning(window);
    return compression_of(spec, window, link, mistakes);
  } catch (const SpecError& wrong) {
    add_of_file(wrong.mistakes(), "file", mistakes);
    return 1;
  }
}

Trace build_trace(TraceWindow window, double compression, Tick start, const Duration& tick) {
  const TraceClock clock(window.begin, to_four_decimals(compression), tick, start);
  Trace trace;
  trace.senders = Endpoints::senders(window.rules);
  trace.compression = compression;
  trace.messages = std::make_shared<Replay>(std::move(window), clock);
  return trace;
}

}  // namespace headway
