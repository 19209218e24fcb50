// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/catalogue.h"

#include "headway/config/parameters.h"
#include "headway/congestion/link_flow_control.h"
#include "headway/congestion/marking.h"
#include "headway/congestion/reaction.h"
#include "headway/programs/kind.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/routing.h"
#include "headway/selection/selection.h"
#include "headway/topology/topology.h"
#include "headway/trace/format.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_sizes.h"
#include "headway/traffic/pattern.h"

namespace headway::catalogue {
namespace {

template <class T>
std::vector<Member> members_of(Registry<T> registry) {
  std::vector<Member> members;
  for (const Entry<T>& entry : registry)
    members.push_back({entry.name, entry.help, entry.source,
                       [make = entry.make](Parameters& parameters) { make()->describe(parameters); }});
  return members;
}

}  // namespace

std::span<const Family> families() {
  static const Family list[] = {
      {"topologies", "Topologies", "network.topology", "how switches and nodes are connected",
       members_of(topologies())},
      {"routings", "Routing functions", "routing.algorithm", "which ports lead to a destination",
       members_of(routings())},
      {"selections", "Selection functions", "routing.selection",
       "which of several permitted ports adaptive routing prefers", members_of(selections())},
      {"schemes", "Queueing schemes", "switch.scheme", "which queue of an input port a packet waits in",
       members_of(schemes())},
      {"flow-controls", "Flow control of links", "switch.flow_control",
       "what keeps a sender from sending more than there is room for", members_of(link_flow_controls())},
      {"markings", "Markings", "switch.marking", "which packets a switch marks because of congestion",
       members_of(markings())},
      {"reactions", "Reactions", "node.reaction", "how a source slows a flow down because of congestion",
       members_of(reactions())},
      {"patterns", "Destination patterns", "traffic.flow.pattern", "which destinations a node sends to",
       members_of(patterns())},
      {"arrivals", "Arrival processes", "traffic.flow.arrivals", "when a node generates a message",
       members_of(arrival_processes())},
      {"sizes", "Message sizes", "traffic.flow.sizes", "how long messages are", members_of(message_sizes())},
      {"traces", "Trace formats", "traffic.trace.format", "file format of a trace, or its generator",
       members_of(trace_formats())},
      {"programs", "Programs", "traffic.job.program", "what the ranks of a job send, receive and compute",
       members_of(programs())},
  };
  return list;
}

std::vector<std::string_view> family_names() {
  std::vector<std::string_view> names;
  for (const Family& family : families()) names.push_back(family.name);
  return names;
}

bool is_called(const Family& family, std::string_view word) {
  const std::string_view last = family.key.substr(family.key.rfind('.') + 1);
  return word == family.name || word == family.key || word == last ||
         (family.name.ends_with('s') && word == family.name.substr(0, family.name.size() - 1));
}

std::vector<ParameterRow> parameter_rows(const std::function<void(Parameters&)>& describe) {
  std::vector<ParameterRow> rows;
  EachParameter each(
      [&](const Parameter& parameter, const auto& value) { rows.push_back(row_of(parameter, value)); });
  describe(each);
  return rows;
}

}  // namespace headway::catalogue
