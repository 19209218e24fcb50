// SPDX-License-Identifier: Apache-2.0
// The keys of switches, classes of traffic and nodes.
#include "headway/arbitration/arbiters.h"
#include "headway/config/limits.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/spec_parts.h"

namespace headway {
namespace {

constexpr double kLeastReceiveRate = 0.0001;

// The keys of CIOQ switches.
void describe_outputs(SwitchSpec& switches, SpecFields& fields) {
  fields.field(
      {.name = "architecture",
       .help = "buffering of a switch: at the inputs (iq), at inputs and outputs (cioq), or in a memory "
               "from which all outputs can send at once what came by one input (oq; the default of "
               "scheme is then voqsw, that of arbiter oldest-first)"},
      switches.architecture);
  fields.field(
      {.name = "crossbar_speedup",
       .help = "CIOQ switch: ratio of the crossbar's rate to the rate of the link of its input or of its "
               "output, whichever is faster; rounded to four decimals",
       .bounds = Bounds::from(1, 1000)},
      switches.crossbar_speedup);
  fields.field({.name = "output_memory",
                .help = "CIOQ switch: data memory of an output port, split evenly over its queues; with 0 B "
                        "and a speed-up of 1 the switch is input-queued; default: 4 KiB, or more where each "
                        "queue needs it for a full packet (in rings two)",
                .bounds = Bounds::from(0, limits::kBytes)},
               switches.output_memory);
  fields.field(
      {.name = "output_queues",
       .help = "CIOQ switch: queues of an output port, as many as an input port has, or one for each lane"},
      switches.output_queues);
}

void describe_switching(SwitchSpec& switches, SpecFields& fields) {
  fields.field({.name = "switching", .help = "whether a packet may leave before its tail has arrived"},
               switches.switching);
  fields.field({.name = "slow_to_fast",
                .help = "how a cut-through switch forwards a packet from a slower link to a faster one: "
                        "after its tail has arrived (store-and-forward), or at once, so that it occupies the "
                        "faster link until its tail arrives (cut-through)"},
               switches.slow_to_fast);
}

void describe_queues(SwitchSpec& switches, SpecFields& fields) {
  choice(fields, {.name = "scheme", .help = "which queue of an input port a packet waits in"}, schemes(),
         switches.scheme);
  fields.field({.name = "input_memory",
                .help = "data memory of an input port, split evenly over its queues; default: 4 KiB, or more "
                        "where each queue needs it for a full packet (in rings two) or, with pauses, each "
                        "lane for twice its headroom and two full packets",
                .bounds = Bounds::from(1, limits::kBytes)},
               switches.input_memory);
  fields.field({.name = "queue_memory",
                .help = "data memory of each queue; replaces input_memory",
                .bounds = Bounds::from(1, limits::kBytes)},
               switches.queue_memory);
  fields.field({.name = "cell",
                .help = "unit in which all memory is counted: a packet takes the cells that its own length "
                        "needs; default: a slot of a full packet, whatever its length",
                .bounds = Bounds::from(1, 65535)},
               switches.cell);
  fields.field(
      {.name = "virtual_channels",
       .help = "virtual channels per queue of the scheme; the upstream port chooses one for each packet "
               "(docs/lanes.md)",
       .bounds = Bounds::from(1, 1000)},
      switches.virtual_channels);
  fields.field(
      {.name = "channel",
       .help = "virtual channel that a packet takes: the one with the most room, or the first one with room, "
               "which "
               "leaves the others empty while its own queue is deep enough for the round trip of a credit"},
      switches.channel);
}

void describe_lanes(SwitchSpec& switches, SpecFields& fields) {
  fields.field(
      {.name = "lanes",
       .help = "virtual lanes for each lane that the routing needs; every lane has all queues of the "
               "scheme, and the service level of a packet chooses among them (docs/lanes.md)",
       .bounds = Bounds::from(1, kMostServiceLevels)},
      switches.lanes);
  fields.field({.name = "service_levels_file",
                .help = "file with the service level by source or destination, of packets whose flow gives "
                        "none: text, or a NumPy array (docs/lanes.md); default: level 0"},
               switches.service_levels);
  fields.field({.name = "lane_table_file",
                .help = "file with the lane by service level, hop, input and output of a switch: text, or a "
                        "NumPy array (docs/lanes.md); default: the service level modulo switch.lanes"},
               switches.lane_table);
}

void describe_lane_turns(SwitchSpec& switches, SpecFields& fields) {
  fields.field({.name = "lane_turns",
                .help = "how lanes or classes of lanes take turns at an output: all alike (none), in strict "
                        "order, by weights, or by the tables of InfiniBand (docs/lanes.md)"},
               switches.lane_turns);
  fields.field(
      {.name = "vlarb_high",
       .help = "lane_turns \"infiniband\": high-priority table, a list of lanes and weights in 64 B, "
               "such as \"0:4,1:0\"; default: \"0:4\""},
      switches.vlarb_high);
  fields.field({.name = "vlarb_low",
                .help = "lane_turns \"infiniband\": low-priority table; default: \"0:0,1:4,2:4,...\""},
               switches.vlarb_low);
  fields.field({.name = "high_limit",
                .help = "lane_turns \"infiniband\": data in 4096 B that the high-priority table sends before "
                        "the low-priority table has a turn; 0: one packet; 255: no limit",
                .bounds = Bounds::from(0, 255)},
               switches.high_limit);
}

void describe_arbiters(SwitchSpec& switches, SpecFields& fields) {
  fields.field(
      {.name = "arbiter",
       .help =
           "input that a free output port serves: in round-robin order, the one whose packet has waited "
           "longest at this switch (oldest-first) or was injected first (oldest-injected), or a random one"},
      switches.arbiter);
  fields.field({.name = "output_arbiter",
                .help = "arbiter of the queues of a node's adapter or a CIOQ switch's output port: "
                        "switch.arbiter, or weighted round robin"},
               switches.output_arbiter);
  fields.field(
      {.name = "weights",
       .help =
           "weighted round robin: packets that queue 0, 1, ... may send in a row; default: 1 for each queue",
       .bounds = Bounds::from(1, 65535)},
      switches.weights);
}

void describe(ReceiverSpec& receiver, SpecFields& fields) {
  fields.field(
      {.name = "nodes",
       .help = "the nodes, given as a flow's sources; if several lists name a node, the last one counts"},
      receiver.nodes);
  fields.field({.name = "rate",
                .help = "rate at which the nodes consume packets, as node.receive_rate",
                .bounds = Bounds::from(kLeastReceiveRate, 1)},
               receiver.rate);
}

}  // namespace

void describe(SwitchSpec& switches, SpecFields& fields) {
  describe_outputs(switches, fields);
  describe_switching(switches, fields);
  describe_queues(switches, fields);
  describe_lanes(switches, fields);
  describe_lane_turns(switches, fields);
  describe_arbiters(switches, fields);
  choice(fields,
         {.name = "flow_control", .help = "what keeps a sender from sending more than there is room for"},
         link_flow_controls(), switches.flow_control);
  choice(fields, {.name = "marking", .help = "which packets a switch marks because of congestion"},
         markings(), switches.marking);
  fields.field(
      {.name = "credit_packet",
       .help = "size of the packets that carry credits or, with PFC, pauses upstream over the links; "
               "with 0 B, these use no bandwidth",
       .bounds = Bounds::from(0, 65535)},
      switches.credit_packet);
  fields.field({.name = "down_links",
                .help = "with events: packets whose output leads to a link that is down wait until it is up "
                        "(wait), or it takes them and they are lost (lose)"},
               switches.down_links);
  fields.field({.name = "routing_delay",
                .help = "time from the arrival of a packet's header until the packet can request its output",
                .bounds = Bounds::from(0, limits::kTime)},
               switches.routing_delay);
}

void describe(ClassSpec& of_spec, SpecFields& fields) {
  fields.field({.name = "name", .help = "name of the class in results; default: \"class 0\", by its number"},
               of_spec.name);
  fields.field(
      {.name = "lanes",
       .help = "lanes of the class, from 0 to switch.lanes - 1; default: those of its service levels",
       .bounds = Bounds::from(0, kMostServiceLevels - 1)},
      of_spec.lanes);
  fields.field({.name = "service_levels",
                .help = "service levels of the class; default: all levels whose lane it has",
                .bounds = Bounds::from(0, kMostServiceLevels - 1)},
               of_spec.service_levels);
  fields.field({.name = "strict",
                .help = "switch.lane_turns \"weighted\": true: the class is served before all classes with "
                        "a weight, and before strict classes behind it in the spec"},
               of_spec.strict);
  fields.field({.name = "weight",
                .help = "switch.lane_turns \"weighted\": share of the output, in relation to the weights of "
                        "the other classes; default: 1",
                .bounds = Bounds::from(1, 65535)},
               of_spec.weight);
}

void describe(NodeSpec& node, SpecFields& fields) {
  fields.field(
      {.name = "admittance",
       .help =
           "admission queues of a node for generated messages: one per destination, or a single FIFO queue"},
      node.admittance);
  fields.field(
      {.name = "admittance_limit",
       .help =
           "a node generates no messages while this amount of data waits for admission; default: unlimited",
       .bounds = Bounds::from(1, limits::kBytes)},
      node.admittance_limit);
  fields.field(
      {.name = "injection_memory",
       .help = "data memory of a node's injection queues; default: that of a switch's input port, and a "
               "full packet for each queue; with node.reaction, a full packet for each queue",
       .bounds = Bounds::from(1, limits::kBytes)},
      node.injection_memory);
  choice(fields, {.name = "reaction", .help = "how a source slows a flow down because of congestion"},
         reactions(), node.reaction);
  fields.field(
      {.name = "notification_packet",
       .help = "size of the packets by which destinations notify sources; with 0 B, notifications use "
               "no bandwidth and take notification_delay",
       .bounds = Bounds::from(0, 65535)},
      node.notification_packet);
  fields.field({.name = "notification_service_level",
                .help = "service level of the packets of notifications, which no other traffic may have",
                .bounds = Bounds::from(0, kMostServiceLevels - 1)},
               node.notification_service_level);
  fields.field(
      {.name = "notification_delay",
       .help = "time from the delivery of a marked packet until its source reacts; notifications use no "
               "bandwidth; default: that of 64 B over the longest path of the empty network",
       .bounds = Bounds::from(0, limits::kTime)},
      node.notification_delay);
  fields.field(
      {.name = "receive_rate",
       .help = "rate at which a node consumes the packets that it receives, as a fraction of its link's "
               "rate, rounded to four decimals; the packets wait in its receive_memory; default: a node "
               "consumes packets at once",
       .bounds = Bounds::from(kLeastReceiveRate, 1)},
      node.receive_rate);
  fields.list(
      {.name = "receiver", .help = "nodes with another rate than node.receive_rate"},
      {[&] { return node.receivers.size(); }, [&](std::size_t size) { node.receivers.assign(size, {}); },
       [&](std::size_t index, SpecFields& receiver) { describe(node.receivers[index], receiver); }});
  fields.field(
      {.name = "receive_memory",
       .help = "data memory per lane of a node with a receive rate; default: that of a switch's input "
               "port, split evenly over the lanes",
       .bounds = Bounds::from(1, limits::kBytes)},
      node.receive_memory);
}

}  // namespace headway
