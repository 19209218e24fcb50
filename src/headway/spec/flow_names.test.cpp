// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/flow_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headway {
namespace {

EventSpec with_names(const std::vector<std::optional<std::string>>& flows,
                     const std::vector<std::optional<std::string>>& traces = {}) {
  EventSpec spec;
  spec.traffic.flows.clear();
  for (const auto& name : flows) spec.traffic.flows.emplace_back().name = name;
  for (const auto& name : traces) spec.traffic.traces.emplace_back().name = name;
  return spec;
}

TEST(FlowNames, AreInTheOrderOfFlowNumbers) {
  EXPECT_THAT(flow_names(with_names({"storage", {}}, {{}, "backup"}).traffic),
              testing::ElementsAre("storage", "flow 1", "trace 0", "backup"));
}

TEST(FlowNames, MustBeUsableInPathsAndUnique) {
  const auto mistakes_of = [](const EventSpec& spec) {
    Mistakes mistakes;
    check_flow_names(spec, mistakes);
    return mistakes.empty() ? "" : std::string(SpecError(mistakes.list()).what());
  };
  for (const char* name :
       {"storage", "a", "A-b_3", "2nd", "load", "name", "flows", "flow0", "Flow-00", "flow-"})
    EXPECT_EQ(mistakes_of(with_names({name})), "") << name;
  const std::pair<const char*, const char*> wrong[] = {
      {"", "a name has at least one character"},
      {"a b", "\"a b\" is not a name; a name consists of letters, digits, _ and -"},
      {"flow 0", "\"flow 0\" is not a name; a name consists of letters, digits, _ and -"},
      {"a.b", "\"a.b\" is not a name; a name consists of letters, digits, _ and -"},
      {"caf\u00e9", "\"caf\u00e9\" is not a name; a name consists of letters, digits, _ and -"},
      {"12", "\"12\" is a number, not a name; flows have their numbers by their order in the file"},
      {"packet", "\"packet\" is a key of the table traffic; choose another name"},
      {"flow", "\"flow\" is a key of the table traffic; choose another name"},
      {"trace", "\"trace\" is a key of the table traffic; choose another name"},
      {"flow1", "\"flow1\" looks like the name of traffic.flow[1]; choose another name"},
      {"Flow_01", "\"Flow_01\" looks like the name of traffic.flow[1]; choose another name"},
      {"trace-0", "\"trace-0\" looks like the name of traffic.trace[0]; choose another name"}};
  for (const auto& [name, message] : wrong)
    EXPECT_EQ(mistakes_of(with_names({name})), std::string("traffic.flow[0].name: ") + message);
  EXPECT_EQ(
      mistakes_of(with_names({{}, "storage", "storage"}, {"storage"})),
      "traffic.flow[2].name: \"storage\" is also the name of traffic.flow[1]; flows, traces and jobs have "
      "different names\n"
      "traffic.trace[0].name: \"storage\" is also the name of traffic.flow[1]; flows, traces and jobs have "
      "different names");
}

}  // namespace
}  // namespace headway
