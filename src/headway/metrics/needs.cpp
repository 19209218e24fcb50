// SPDX-License-Identifier: Apache-2.0
// The needs of metrics in words. What depends on members of a family is asked of the family.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>

#include "headway/congestion/link_flow_control.h"
#include "headway/congestion/reaction.h"
#include "headway/kernel/kernel.h"
#include "headway/metrics/metric.h"
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

std::string isolating() {
  const auto names =
      names_with(schemes(), [](const Scheme& scheme) { return scheme.isolation().has_value(); });
  return fmt::format("schemes {}", fmt::join(names, " and "));
}

std::string overflowing() {
  const auto names =
      names_with(schemes(), [](const Scheme& scheme) { return scheme.overflow(1).has_value(); });
  return fmt::format("scheme {}", fmt::join(names, " and "));
}

std::string of_other_kernels() { return fmt::format("{} networks", fmt::join(names_of(kernels()), " and ")); }

std::string with_rates() {
  const auto windows = names_with(reactions(), [](const Reaction& reaction) {
    const auto traits = reaction.traits();
    return traits && !traits->has_rates;
  });
  return fmt::format("a node.reaction other than {}", fmt::join(windows, " and "));
}

std::string pausing() {
  const auto names = names_with(link_flow_controls(),
                                [](const LinkFlowControl& control) { return control.pauses().has_value(); });
  return fmt::format("switch.flow_control \"{}\"", fmt::join(names, "\" or \""));
}

}  // namespace

std::string name_of(Needs needs) {
  using enum Needs;
  static const std::map<Needs, std::string> texts = {
      {nothing, ""},
      {traces, "runs with traces"},
      {jobs, "runs with jobs"},
      {finished_jobs, "runs until jobs are done"},
      {critical_path, "runs of jobs with \"critical-path\" in measure.tables"},
      {jobs_alone, "runs with jobs and measure.alone"},
      {exclusive_jobs, "runs with exclusive jobs"},
      {exclusive_jobs_alone, "runs with exclusive jobs and measure.alone"},
      {fairness, "runs with \"fairness\" in measure.tables"},
      {isolation, isolating()},
      {watched_destination, isolating() + ", with measure.watch_destination"},
      {overflow, overflowing()},
      {waiting, "runs with observe.waiting"},
      {watched_waiting, "runs with observe.waiting and measure.watch_destination"},
      {frames, "runs with traffic.header or traffic.minimum_frame"},
      {node_links, "networks whose nodes have several links, or whose switches reduce"},
      {several_flows, "runs with several flows, traces or jobs, or node.notification_packet"},
      {waiting_flows,
       "runs with observe.waiting, and several flows, traces or jobs, or node.notification_packet"},
      {classes, "runs with classes of traffic or turns of lanes"},
      {waiting_classes, "runs with observe.waiting and classes of traffic or turns of lanes"},
      {marking, "runs with switch.marking"},
      {reaction, "runs with node.reaction"},
      {rates, "runs with " + with_rates()},
      {waiting_reaction, "runs with observe.waiting and node.reaction"},
      {pauses, "runs with " + pausing()},
      {waiting_pauses, "runs with observe.waiting and " + pausing()},
      {losses, "runs with " + pausing() + ", or with events"},
      {events, "runs with events"},
      {waiting_events, "runs with observe.waiting and events"},
      {messages, "runs with messages of several packets, or with \"per-message-size\" in measure.tables"},
      {saturation_search, "saturation searches"},
      {cut_off, "runs with network.failures.unreachable = \"reported\""},
      {cost,
       "event-driven networks and figures of their structure (on the terminal with \"cost\" in "
       "measure.tables)"},
      {structure, "figures of the network's structure"},
      {changes, "`headway why --try`"},
      {other_kernel, of_other_kernels()},
  };
  return texts.at(needs);
}

}  // namespace headway
