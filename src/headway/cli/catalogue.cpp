// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "headway/queueing/scheme.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/pattern.h"

namespace headway::cli {
namespace {

template <class T>
std::vector<Member> members_of(Registry<T> registry) {
  std::vector<Member> members;
  for (const Entry<T>& entry : registry)
    members.push_back({entry.name, entry.help, entry.source,
                       [make = entry.make](Parameters& parameters) { make()->describe(parameters); }});
  return members;
}

// Numbers and quantities in the words of a spec. A bound is a number of the quantity's base unit.
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(const std::string& value) { return fmt::format("\"{}\"", value); }
std::string text_of(Bytes value) { return fmt::format("\"{}\"", to_string(value)); }
std::string text_of(Duration value) { return fmt::format("\"{}\"", to_string(value)); }
std::string text_of(Rate value) { return fmt::format("\"{}\"", to_string(value)); }
std::string text_of(const std::vector<std::int64_t>& value) {
  return fmt::format("[{}]", fmt::join(value, ", "));
}
template <class V>
std::string text_of(const std::optional<V>& value) {
  return value ? text_of(*value) : "";
}

class Rows final : public Parameters {
 public:
  std::vector<ParameterRow> rows;

  void field(const Parameter& p, bool& value) override { add(p, "true or false", "", value); }
  void field(const Parameter& p, std::int64_t& value) override { add(p, "whole number", "", value); }
  void field(const Parameter& p, double& value) override { add(p, "number", "", value); }
  void field(const Parameter& p, std::string& value) override { add(p, "text", "", value); }
  void field(const Parameter& p, Bytes& value) override { add(p, "size", " B", value); }
  void field(const Parameter& p, Duration& value) override { add(p, "time", " ns", value); }
  void field(const Parameter& p, Rate& value) override { add(p, "rate", " GB/s", value); }
  void field(const Parameter& p, std::optional<std::int64_t>& value) override {
    add(p, "whole number", "", value);
  }
  void field(const Parameter& p, std::optional<double>& value) override { add(p, "number", "", value); }
  void field(const Parameter& p, std::optional<Bytes>& value) override { add(p, "size", " B", value); }
  void field(const Parameter& p, std::optional<Duration>& value) override { add(p, "time", " ns", value); }
  void field(const Parameter& p, std::vector<std::int64_t>& value) override {
    add(p, "list of whole numbers", "", value);
  }

 private:
  template <class V>
  void add(const Parameter& parameter, std::string_view type, std::string_view unit, const V& value) {
    std::string valid;
    const auto bound = [&](std::string_view words, const std::optional<double>& limit) {
      if (limit) valid += fmt::format("{}{} {}{}", valid.empty() ? "" : ", ", words, *limit, unit);
    };
    bound("at least", parameter.at_least);
    bound("above", parameter.above);
    bound("at most", parameter.at_most);
    if (!parameter.choices.empty()) valid = fmt::format("{}", fmt::join(parameter.choices, ", "));
    rows.push_back(
        {std::string(parameter.name), std::string(type), text_of(value), valid, std::string(parameter.help)});
  }
};

}  // namespace

std::span<const Family> families() {
  static const Family list[] = {
      {"topologies", "Topologies", "network.topology", "how switches and nodes are connected",
       members_of(topologies())},
      {"routings", "Routing functions", "routing.algorithm", "which ports lead to a destination",
       members_of(routings())},
      {"schemes", "Queueing schemes", "switch.scheme", "which queue of an input port a packet waits in",
       members_of(schemes())},
      {"patterns", "Destination patterns", "traffic.flow.pattern", "to whom a node sends",
       members_of(patterns())},
      {"arrivals", "Arrival processes", "traffic.flow.arrivals", "when a node generates a message",
       members_of(arrival_processes())},
  };
  return list;
}

std::vector<ParameterRow> parameter_rows(const std::function<void(Parameters&)>& describe) {
  Rows rows;
  describe(rows);
  return std::move(rows.rows);
}

}  // namespace headway::cli
