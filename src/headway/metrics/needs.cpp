// SPDX-License-Identifier: Apache-2.0
// The needs of metrics in words. What depends on members of a family is asked of the family.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "headway/congestion/link_flow_control.h"
#include "headway/congestion/reaction.h"
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
  switch (needs) {
    using enum Needs;
    case nothing:
      return "";
    case traces:
      return "runs with traces";
    case jobs:
      return "runs with jobs";
    case finished_jobs:
      return "runs until jobs are done";
    case critical_path:
      return "runs of jobs with \"critical-path\" in measure.tables";
    case jobs_alone:
      return "runs with jobs and measure.alone";
    case fairness:
      return "runs with \"fairness\" in measure.tables";
    case isolation:
      return isolating();
    case watched_destination:
      return isolating() + ", with measure.watch_destination";
    case overflow:
      return overflowing();
    case waiting:
      return "runs with observe.waiting";
    case watched_waiting:
      return "runs with observe.waiting and measure.watch_destination";
    case several_flows:
      return "runs with several flows, traces or jobs, or node.notification_packet";
    case waiting_flows:
      return "runs with observe.waiting, and several flows, traces or jobs, or node.notification_packet";
    case classes:
      return "runs with classes of traffic or turns of lanes";
    case waiting_classes:
      return "runs with observe.waiting and classes of traffic or turns of lanes";
    case marking:
      return "runs with switch.marking";
    case reaction:
      return "runs with node.reaction";
    case rates:
      return "runs with " + with_rates();
    case waiting_reaction:
      return "runs with observe.waiting and node.reaction";
    case pauses:
      return "runs with " + pausing();
    case waiting_pauses:
      return "runs with observe.waiting and " + pausing();
    case messages:
      return "runs with messages of several packets, or with \"per-message-size\" in measure.tables";
    case saturation_search:
      return "saturation searches";
    case cut_off:
      return "runs with network.failures.unreachable = \"reported\"";
    case cost:
      return "event-driven networks and figures of their structure (on the terminal with \"cost\" in "
             "measure.tables)";
    case structure:
      return "figures of the network's structure";
    case slotted:
      return "slotted networks";
  }
  return "";
}

}  // namespace headway
