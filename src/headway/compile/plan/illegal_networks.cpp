// SPDX-License-Identifier: Apache-2.0
// The texts of the rules of networks. The engine only says which rule a network breaks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/compile/plan/parts.h"
#include "headway/config/parameter_values.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

std::vector<std::string_view> reactions_without_marks() {
  return names_with(reactions(), [](const Reaction& reaction) {
    const auto traits = reaction.traits();
    return traits && !traits->needs_marks;
  });
}

class Report {
 public:
  Report(const EventSpec& spec, Plan& plan)
      : spec_(spec),
        graph_(*plan.graph),
        options_(plan.options),
        queues_(plan.map.queues * plan.options.lanes),
        mistakes_(plan.mistakes) {}

  void tell(IllegalNetwork rule) {
    const SwitchSpec& switches = spec_.switches;
    switch (rule) {
      using enum IllegalNetwork;
      case cell_size:
        return mistakes_.add("switch.cell",
                             fmt::format("{} is more than a packet of {}", to_string(*switches.cell),
                                         to_string(spec_.traffic.frame())),
                             fmt::format("at most {}", to_string(spec_.traffic.frame())));
      case cells_in_rings:
        return mistakes_.add("switch.cell",
                             fmt::format("the rings of topology \"{}\" need bubbles, which packets of "
                                         "different lengths would split into pieces",
                                         spec_.network.topology.name),
                             "omit it, or use lanes instead of bubbles: routing.rings = \"dateline\"");
      case input_room:
        if (options_.pause && !options_.has_cells() && options_.capacity > PauseRules::kMostOfLane)
          return mistakes_.add(switches.queue_memory ? "switch.queue_memory" : "switch.input_memory",
                               fmt::format("a lane has more than {}", in_bytes(PauseRules::kMostOfLane)));
        if (switches.queue_memory) return tell_room("switch.queue_memory", *switches.queue_memory, 1);
        return tell_room("switch.input_memory", input_memory(spec_, graph_, options_, queues_),
                         options_.has_lane_memory() ? options_.lanes : queues_);
      case output_room: {
        const std::uint32_t outputs = output_queues(switches, options_.lanes, queues_);
        return tell_room("switch.output_memory", output_memory(spec_, graph_, options_, outputs), outputs);
      }
      case injection_room:  // without it, the node has the memory of an input port, which is checked there
        if (const auto& memory = spec_.node.injection_memory)
          tell_room("node.injection_memory", *memory, queues_);
        return;
      case receive_room:
        return tell_room("node.receive_memory", receive_memory(spec_, graph_, options_, queues_), 1);
      case receive_credits:
        return mistakes_.add(
            spec_.node.receive_rate ? "node.receive_rate" : "node.receiver",
            "the credits of nodes that do not consume packets at once cannot share the links",
            "omit switch.credit_packet: credits then use no bandwidth");
      case weights:
        return mistakes_.add("switch.weights",
                             fmt::format("has {} weights for {} queues", switches.weights.size(), queues_),
                             "give one weight for each queue");
      case weighted_queues:
        return mistakes_.add(
            "switch.output_arbiter",
            fmt::format("\"{}\" needs {} queues per port in this network", switches.scheme.name, queues_),
            fmt::format("weighted round robin supports at most {}", kMostWeightedQueues));
      case turns_and_weights:
        return mistakes_.add("switch.lane_turns",
                             "classes of lanes cannot take turns with weighted round robin of queues",
                             "omit switch.output_arbiter");
      case turns_at_random:
        return mistakes_.add("switch.lane_turns", "classes of lanes cannot take turns with a random arbiter",
                             "use another switch.arbiter");
      case turns_of_late_choice:
        return mistakes_.add(
            "switch.lane_turns",
            "with routing.free_output = \"now\" a head is granted as soon as it finds a free "
            "output, so that it cannot wait for its turn",
            "use \"spare-credit\" or \"room-credit\"");
      case marks_of_late_output:
        return mistakes_.add("switch.mark_at", "\"arrival\" needs the output of a packet when it arrives",
                             "with adaptive routing use \"departure\"");
      case reaction_without_marks:
        return mistakes_.add(
            "node.reaction",
            fmt::format("\"{}\" needs marked packets, and no switch marks any", spec_.node.reaction.name),
            fmt::format("set switch.marking, or use a reaction that needs no marks: \"{}\"",
                        fmt::join(reactions_without_marks(), "\" or \"")));
      case reaction_of_fifo:
        return mistakes_.add(
            "node.admittance",
            "\"fifo\" has one queue for all destinations, and a slow flow would hold back the others",
            "use \"per-destination\" with a reaction");
      case marks_of_isolation:  // check_control tells it
        return;
      case hop_without_delay:
        return mistakes_.add("network.link.delay",
                             "a hop takes no time, because link delay and routing delay are both 0",
                             "one of them must be above 0");
      case queues_by_late_output:
        return mistakes_.add(
            key_of_output_queues(),
            fmt::format(
                "\"{}\" chooses the queue by the requested output, which adaptive routing chooses only later",
                switches.scheme.name),
            "use \"1q\", with virtual channels, or a scheme by destination");
      case late_output_of_detours:
        return mistakes_.add(
            key_of_output_queues(),
            fmt::format(
                "\"{}\" chooses the queue by the requested output, and routing \"{}\" chooses the output "
                "only when the packet has arrived",
                switches.scheme.name, spec_.routing.algorithm.name),
            "use \"1q\", with virtual channels, or a scheme by destination");
      case kept_choice_of_escapes:
        return mistakes_.add(
            "routing.none_free",
            fmt::format(
                "\"preferred\" would keep a packet from its escape, which it can need in topology \"{}\"",
                spec_.network.topology.name),
            "use \"wait\"");
      case followers_of_escapes:
        return mistakes_.add(
            "routing.choose_per",
            fmt::format(
                "a packet that follows others of its {} could not take its escape, which it can need in "
                "topology \"{}\"",
                name_of(spec_.routing.choose_per), spec_.network.topology.name),
            "use \"packet\", or choose = \"arrival\"");
      case choice_on_detours:
        return mistakes_.add("routing.algorithm", fmt::format("\"{}\" cannot choose among outputs on detours",
                                                              spec_.routing.algorithm.name));
      case pauses_in_rings:
        return tell_of_pauses(
            fmt::format("the rings of topology \"{}\" need bubbles, which are counted in credits",
                        spec_.network.topology.name),
            "use lanes instead of bubbles: routing.rings = \"dateline\"");
      case pauses_of_channels:
        return tell_of_pauses("a virtual channel is chosen by its credits", without_channels());
      case pauses_of_choices:
      case pauses_of_detours:
        return tell_of_pauses(fmt::format("routing \"{}\" compares credits", spec_.routing.algorithm.name),
                              "use another routing");
      case pauses_of_most_credits:
        return tell_of_pauses(fmt::format("selection \"{}\" compares credits", spec_.routing.selection.name),
                              "use another routing.selection");
      case pauses_without_delay:
        return mistakes_.add("switch.pause_delay", "a pause would have effect at once",
                             "set it to a time above 0");
      case pause_headroom:
        return mistakes_.add(
            "switch.headroom",
            fmt::format("with {}, packets can be lost",
                        to_string(*spec_.switches.flow_control->pauses()->headroom)),
            fmt::format("at least {}{}", in_bytes(lossless_headroom(graph_, options_)),
                        may_lose_packets(spec_) ? "; or count lost packets: switch.losses = true" : ""));
      case pause_thresholds:
        return tell_thresholds();
      case queues_of_outputs:
        return mistakes_.add(
            "switch.scheme",
            fmt::format("a switch of architecture \"oq\" has a queue for each output, and \"{}\" "
                        "lets packets for several outputs share one",
                        switches.scheme.name),
            "use \"voqsw\"");
      case outputs_with_output_unit:  // a spec has one architecture
        return;
      case lanes_of_pauses:  // a spec has one flow control
        return;
      case lanes_of_pool:
        return tell_of_lane_credits(
            fmt::format("scheme \"{}\" shares the memory of a port in its own way", switches.scheme.name),
            "use \"credits\"");
      case lanes_of_channels:
        return tell_of_lane_credits("a virtual channel is chosen by its own credits", without_channels());
      case lanes_with_output_unit:
        return tell_of_lane_credits("an output queue has the number of the queue behind its link",
                                    "set switch.output_queues to \"one\", or use architecture \"iq\"");
      case lanes_in_rings:
        return tell_of_lane_credits(fmt::format("the rings of topology \"{}\" need bubbles in every queue",
                                                spec_.network.topology.name),
                                    "use lanes instead of bubbles: routing.rings = \"dateline\"");
      case queues_of_arrivals:
        return mistakes_.add(
            key_of_output_queues(),
            fmt::format("\"{}\" has a queue for each output, which a packet chooses only on arrival, but its "
                        "sender must know the queue to count its credits",
                        switches.scheme.name),
            "switch.flow_control = \"lane-credits\" or \"pfc\" has memory that queues share");
      case arrivals_with_output_unit:
        return mistakes_.add("routing.choose",
                             "\"arrival\" goes by the packets that wait in input queues, and switches with "
                             "output queues have others",
                             "use \"head\", or switch.architecture = \"iq\"");
      case arrivals_of_pool:
        return mistakes_.add("switch.scheme",
                             fmt::format("\"{}\" chooses the queues of packets itself", switches.scheme.name),
                             "with routing.choose = \"arrival\" use another scheme");
      case changed_routes_of_late_choice:
        return mistakes_.add("routing.reroute_after",
                             "the heads of queues choose among the ports of the routes at the start",
                             "omit it: they never choose a link that is down; or use choose = \"arrival\"");
      case changed_routes_of_detours:
        return mistakes_.add("routing.reroute_after",
                             fmt::format("\"{}\" has detours over all links", spec_.routing.algorithm.name),
                             "omit it, or use \"up-down\" or \"ecmp\"");
      case changed_routes_of_isolation:
        return mistakes_.add("routing.reroute_after",
                             fmt::format("the lines of \"{}\" follow the routes", switches.scheme.name),
                             "omit it, or use another scheme");
      case losses_of_late_choice:
        return mistakes_.add("switch.down_links",
                             "the head of a queue can have taken room behind a link that then goes down",
                             "\"wait\", or choose = \"arrival\"");
      case credit_size:
        return tell_feedback_size("switch.credit_packet", switches.credit_packet);
      case credit_without_link:
        return tell_one_way("switch.credit_packet", "credits");
      case signal_size:
        return tell_feedback_size("switch.notification_packet",
                                  Bytes{switches.scheme->isolation()->rules.signal_bytes});
      case signal_without_link:
        return tell_one_way("switch.notification_packet", "notifications");
      case link_in_ticks:  // tick_of has reported the duration
        return;
      default:
        return tell_of_pool(rule);
    }
  }

 private:
  std::string in_bytes(std::uint64_t credits) const {
    return to_string(Bytes{static_cast<std::int64_t>(credits) * options_.pause->unit_bytes});
  }

  // The queues of a scheme can be channels, too.
  std::string without_channels() const {
    return spec_.switches.virtual_channels > 1 ? "set switch.virtual_channels to 1" : "use another scheme";
  }
  void tell_of_pauses(const std::string& reason, const std::string& remedy) {
    mistakes_.add("switch.flow_control",
                  fmt::format("\"{}\" has no credits, but {}", spec_.switches.flow_control.name, reason),
                  remedy);
  }

  // Output-queued switches have a queue for each output by default.
  std::string key_of_output_queues() const {
    return spec_.switches.architecture == Architecture::oq ? "switch.architecture" : "switch.scheme";
  }

  void tell_of_lane_credits(const std::string& reason, const std::string& remedy) {
    mistakes_.add("switch.flow_control", fmt::format("\"lane-credits\" cannot be used here: {}", reason),
                  remedy);
  }

  // A lane must hold something before it pauses its sender, and have its headroom then.
  void tell_thresholds() {
    const PauseRules& rules = *options_.pause;
    const SwitchSpec& switches = spec_.switches;
    const std::string headroom = fmt::format("its headroom of {} for packets of {} B and more",
                                             in_bytes(rules.headroom), rules.least_bytes);
    if (options_.has_slow_nodes() && options_.receive_capacity <= rules.headroom)
      mistakes_.add("node.receive_memory",
                    fmt::format("a lane has {}, which is not more than {}",
                                in_bytes(options_.receive_capacity), headroom),
                    fmt::format("more than {} for each lane", in_bytes(rules.headroom)));
    const auto xoff = switches.flow_control->pauses()->xoff;
    const std::uint64_t least = std::uint64_t{rules.headroom} +
                                (rules.alpha > 0 ? 2 * options_.lane_credits_of(options_.packet_bytes) : 1);
    if (options_.capacity < least)
      mistakes_.add(
          switches.queue_memory ? "switch.queue_memory" : "switch.input_memory",
          fmt::format("a lane has {}, which is too little beside {}", in_bytes(options_.capacity), headroom),
          fmt::format("at least {}{}", in_bytes(least), options_.lanes > 1 ? " for each lane" : ""));
    else if (xoff && (rules.xoff == 0 || rules.xoff + rules.headroom > options_.capacity))
      mistakes_.add("switch.xoff",
                    fmt::format("{} does not fit in a lane of {} with {}", to_string(*xoff),
                                in_bytes(options_.capacity), headroom),
                    fmt::format("{} to {}", in_bytes(1), in_bytes(options_.capacity - rules.headroom)));
  }

  void tell_of_pool_of_lanes(const std::string& scheme) {
    const bool asked_for = spec_.switches.lanes == options_.lanes;  // the routing needs only one lane
    mistakes_.add(
        asked_for ? "switch.lanes" : "switch.scheme",
        fmt::format(
            "{} shares the memory of a port among its queues, so its {} lanes would not be separate{}",
            scheme, options_.lanes,
            asked_for ? ""
                      : fmt::format(", and routing \"{}\" could deadlock", spec_.routing.algorithm.name)),
        asked_for ? "set it to 1 with this scheme" : "use routing with one lane, or another scheme");
  }

  // Reports features and networks that cannot be combined with a scheme that allocates queues during the run.
  void tell_of_pool(IllegalNetwork rule) {
    const std::string scheme = fmt::format("scheme \"{}\"", spec_.switches.scheme.name);
    switch (rule) {
      using enum IllegalNetwork;
      case pool_of_queues:
        return mistakes_.add("switch.virtual_channels", scheme + " allocates its queues itself",
                             "set it to 1 with this scheme");
      case pool_of_lanes:
        return tell_of_pool_of_lanes(scheme);
      case weights_of_pool:
        return mistakes_.add("switch.output_arbiter",
                             scheme + " serves the queues of a port in round-robin order");
      case pool_with_output_unit:
        return mistakes_.add("switch.architecture", scheme + " supports only input-queued switches",
                             "use \"iq\"");
      case pool_of_late_output:
        return mistakes_.add("switch.scheme",
                             fmt::format("\"{}\" needs routing that chooses the output when a packet arrives",
                                         spec_.switches.scheme.name),
                             "with adaptive routing use \"1q\" or a scheme by destination");
      case signal_without_delay:
        return mistakes_.add("switch.notification_delay",
                             "a notification would have no delay, because the links have none",
                             "set it to a time above 0");
      case isolation_routes:
        return mistakes_.add(
            "routing.algorithm",
            fmt::format("{} needs routes that depend only on the destination; those of \"{}\" do not", scheme,
                        spec_.routing.algorithm.name),
            fmt::format(
                "{} have such routes with their default parameters",
                list_text(routings_for(graph_.shape(),
                                       [](const Routing& routing) { return routing.by_destination(); }),
                          "or")));
      case isolation_in_rings:
        return mistakes_.add("switch.scheme",
                             fmt::format("{} could block the rings of topology \"{}\" forever", scheme,
                                         spec_.network.topology.name),
                             "use a topology without rings, such as mesh");
      default:  // excluded by the ranges of the fields, by what a scheme returns, and by plan_queues
        return;
    }
  }

  // Reports that the memory, split evenly over the queues, holds too few or too many packets per queue.
  void tell_room(const std::string& key, Bytes memory, std::int64_t queues) {
    const std::int64_t least = key.starts_with("node.") ? 1 : least_packets(graph_, options_);
    const Bytes packet = spec_.traffic.frame(), slot = slot_of(spec_);
    const Bytes each{memory.count / queues};
    if (each.count / slot.count > kMostCreditsPerQueue)
      return mistakes_.add(
          key,
          fmt::format("a queue can hold more than {} {}", kMostCreditsPerQueue,
                      options_.has_cells() ? "cells" : "packets"),
          fmt::format("at most {}{}", to_string(Bytes{kMostCreditsPerQueue * slot.count * queues}),
                      options_.has_cells() ? ", or larger cells" : ""));
    const Bytes needed{slot.count * options_.credits_of_packet()};  // whole cells
    const std::string split = queues == 1 ? to_string(memory) + " is"
                                          : fmt::format("{} over {} queues is {} each,", to_string(memory),
                                                        queues, to_string(each));
    mistakes_.add(
        key,
        fmt::format(
            "{} less than {} of {}{}", split,
            least == 1 ? "a packet" : fmt::format("the {} packets that a ring needs,", least),
            to_string(packet),
            needed == packet ? "" : fmt::format(", which takes {} cells", options_.credits_of_packet())),
        fmt::format("at least {}", to_string(Bytes{needed.count * least * queues})));
  }

  // Report mistakes of the feedback; `what` is "credits" or "notifications".
  void tell_feedback_size(std::string key, Bytes size) {
    mistakes_.add(std::move(key), fmt::format("{} is more than a packet of {}", to_string(size),
                                              to_string(spec_.traffic.frame())));
  }
  void tell_one_way(std::string key, std::string_view what) {
    mistakes_.add(std::move(key), "this topology has unidirectional links",
                  fmt::format("with 0 B, {} use no bandwidth", what));
  }

  const EventSpec& spec_;
  const Graph& graph_;
  const NetworkOptions& options_;
  std::uint32_t queues_;  // per port
  Mistakes& mistakes_;
};

}  // namespace

void check_legal(const EventSpec& spec, Plan& plan) {
  Report report(spec, plan);
  for (const IllegalNetwork rule : illegal(*plan.graph, plan.map, plan.options)) report.tell(rule);
  // with too little output memory, the options describe a switch without output queues
  if (has_output_units(spec.switches) && !plan.options.has_output_units())
    report.tell(IllegalNetwork::output_room);
}

}  // namespace headway
