// SPDX-License-Identifier: Apache-2.0
// The parts of a plan. `plan_...` sets its members of a plan whose earlier members are there, `check_...`
// only reports what does not fit together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/arbitration/lane_turns.h"
#include "headway/base/error.h"
#include "headway/compile/plan.h"
#include "headway/engine/network_options.h"
#include "headway/engine/workload.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/spec.h"
#include "headway/spec/spec_files.h"

namespace headway {

// What parts are planned from.
struct PlanSource {
  const EventSpec& spec;
  const Document& written;
  const Planning& planning;
  // Keys of what is planned: the texts of the tables that it reads, and the content of their files.
  std::string network = {}, routes = {};
};

// A part that plans share (Planning::memo), with the mistakes of what it is made from.
template <class T>
struct SharedPart {
  T value = {};
  std::vector<Mistake> wrong;
  std::uint64_t bytes() const { return value.bytes(); }
};
// `make` gets a Mistakes to add to and returns a T. It can also throw SpecError.
template <class T, class Make>
std::shared_ptr<const SharedPart<T>> shared_part(Memo& memo, const std::string& key, Make&& make) {
  return memo.get<SharedPart<T>>(key, [&] {
    SharedPart<T> part;
    try {
      Mistakes mistakes;
      part.value = make(mistakes);
      part.wrong = mistakes.list();
    } catch (const SpecError& error) {
      part.wrong = error.mistakes();
    }
    return part;
  });
}

// The text of a key and all below it; empty if there is none.
std::string text_of(const Document& written, std::string_view path);
// The hashes of texts. A file can have changed since another spec named it. One that is too large for a text
// is not read.
std::string contents_of(const std::vector<FileKey>& files);
// The hashes of the contents of files of any size.
std::string hashes_of(const std::vector<FileKey>& files);
// The files that parameters name. The argument is a copy, because describe needs a mutable object.
template <class T>
std::vector<FileKey> files_of(Choice<T> choice) {
  return file_keys_of([&](SpecFields& fields) { choice->describe(fields); });
}

// The nodes, and the graph with its failed links (network.cpp).
void plan_network(PlanSource& from, Plan& plan);
// Nodes with several links: what cannot be used with them, and traffic between nodes that no links of theirs
// join.
// What knows nodes by their numbers in the spec, or pairs of nodes by one path. `where`: "where nodes have
// several links"
void refuse_what_needs_one_link(const EventSpec& spec, std::string_view where, Mistakes& mistakes);
void check_links_of_nodes(const EventSpec& spec, const Plan& plan, Mistakes& mistakes);

// Sources and traces, and what is measured (traffic.cpp).
void check_frames(const TrafficSpec& traffic, Mistakes& mistakes);
void plan_traffic(const PlanSource& from, Plan& plan);
void check_pair_rows(const EventSpec& spec, const Graph& graph, Mistakes& mistakes);

// Routes with their lanes (routes.cpp). Returns false if there are none. Choice: if the spec has mistakes,
// those of routes that take long to make are reported when the others are corrected.
bool plan_routes(PlanSource& from, Plan& plan);
// The selection function of adaptive routing. Options must have all else.
void plan_selection(const PlanSource& from, Plan& plan);
void check_fairness(const EventSpec& spec, const Routes& routes, std::uint32_t nodes, Mistakes& mistakes);
// reachable_inputs of the routes.
std::shared_ptr<const std::vector<std::uint32_t>> shared_reachable_inputs(const PlanSource& from,
                                                                          const Plan& plan);

// Adds the aggregators that jobs need to the graph and the routes, if there are routes (aggregators.cpp).
void plan_aggregators(PlanSource& from, bool has_routes, Plan& plan);

// The queues of ports (queues.cpp). Returns false if there are none, or more than the engine can number.
bool plan_queues(const EventSpec& spec, Plan& plan);
void check_queues(const EventSpec& spec, Mistakes& mistakes);

// All options of the network but its selection function (options.cpp).
void plan_options(const EventSpec& spec, const Duration& tick, Plan& plan);
void check_options(const EventSpec& spec, Plan& plan);
// Adds the mistakes of the spec that break rules of networks (engine/network_options.h): their keys, and what
// would be valid (illegal_networks.cpp).
void check_legal(const EventSpec& spec, Plan& plan);
// A value too large for its integer becomes the largest integer. `map` has the queues with their virtual
// channels.
NetworkOptions network_options(const EventSpec& spec, const Graph& graph, const Routes& routes,
                               const QueueMap& map, const Duration& tick, std::span<const JobPlan> jobs = {});

// Memory of switches and nodes (memories.cpp). By default, it is 4 KiB a port, and more where the network
// needs it. `queues` are those of the port. The options must have the lanes, sizes and pauses of the network.

// Memory is split evenly over its queues and consists of whole slots or cells (docs/modelling.md, "Devices").
std::uint32_t credits_per_queue(const Bytes& memory, std::int64_t queues, const Bytes& slot);
Bytes input_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                   std::uint32_t queues);
Bytes output_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                    std::uint32_t queues);
// Per lane of a slow node. `queues`: of an input port.
Bytes receive_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                     std::uint32_t queues);
// What happens to links during the run, and the routes that then hold (events.cpp). Needs the routes and all
// other options.
void plan_events(const PlanSource& from, const Duration& tick, Plan& plan);

// Sets the memory of the options. `queues`: of an input port.
void plan_room(const EventSpec& spec, const Graph& graph, std::uint32_t queues, NetworkOptions& options);

// Service levels (service_levels.cpp).

// Reads the tables that the spec names. Reports their mistakes, and lanes that nothing uses.
ServiceLevels service_levels_of(const EventSpec& spec, const Graph& graph, Mistakes& mistakes);
// The service levels that flows, traces, jobs and notifications name, ascending.
std::vector<std::uint8_t> named_service_levels(const EventSpec& spec);

// Classes of traffic, and how they take turns (classes.cpp). All but check_classes need a spec without
// mistakes.

void check_classes(const EventSpec& spec, Mistakes& mistakes);
// The names of the classes: those of the spec, then "lane 2" for every lane that is in none of them. Empty if
// the spec has neither classes nor turns.
std::vector<std::string> class_names(const EventSpec& spec);
// The classes of service levels and lanes in results.
ClassNumbers class_numbers(const EventSpec& spec);
void plan_classes(const EventSpec& spec, Plan& plan);
// `lanes`: of a port. None if lanes take no turns.
std::optional<LaneTurns> lane_turns_of(const EventSpec& spec, std::uint32_t lanes);

// Slow nodes: those that consume packets at a rate of their own (receivers.cpp).

// [node] the fraction of its link's rate at which it consumes packets; 0: it consumes them at once. Empty if
// all nodes do.
std::vector<Rational> receive_rates(const EventSpec& spec, std::uint32_t nodes, Mistakes& mistakes);

// Congestion control (control.cpp).

// Sets the marking and the reaction of a network that has all other options.
void plan_control(const EventSpec& spec, const Graph& graph, const QueueMap& map, NetworkOptions& options);
void check_control(const EventSpec& spec, const QueueMap& map, const NetworkOptions& options,
                   Mistakes& mistakes);

// Pauses (pauses.cpp).

// The lengths of packets of the spec's traffic, in bytes. Traces are read during the run, so that their
// packets can have any length.
struct PacketLengths {
  std::uint32_t shortest = 1;
  std::uint32_t unit = 1;  // the largest size of which all packets are multiples
};
PacketLengths packet_lengths(const EventSpec& spec, std::span<const JobPlan> jobs);
// The rules of pauses without their thresholds, for a network that has all other options but its memory.
std::optional<PauseRules> pause_rules(const EventSpec& spec, const Graph& graph, const PacketLengths& lengths,
                                      NetworkOptions options);
// Sets the thresholds of a network with pauses.
void set_thresholds(const EventSpec& spec, NetworkOptions& options);
// Jobs, and flows with a window, would wait for ever for a packet that is lost.
bool may_lose_packets(const EventSpec& spec);
void check_pauses(const EventSpec& spec, const NetworkOptions& options, Mistakes& mistakes);

}  // namespace headway
