// SPDX-License-Identifier: Apache-2.0
// With everything else by default, every pair of members of two families either runs, or is refused because
// the two do not go together. A refusal names a key that the spec gives: nobody can change what he has not
// written.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "headway/catalogue/names.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/fuzz/corpus.h"
#include "tests/support/sanitizer.h"

namespace headway {
namespace {

// Keys with their values as TOML.
using Keys = std::map<std::string, std::string>;

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string file_with(const std::string& name, const std::string& content) {
  static const test::TemporaryFolder folder;  // of this process: tests of other families run beside it
  const std::string path = folder.path() / name;
  std::ofstream(path) << content;
  return in_quotes(path);
}

// What a member cannot do without, or has no effect without.
Keys needs_of(const std::string& member) {
  const std::string network = R"([[switch]]
name = "a"
[[node]]
at = "a"
count = 4
)";
  static const std::map<std::string, Keys> kNeeds = {
      {"network.topology=file", {{"network.file", file_with("network.toml", network)}}},
      {"routing.algorithm=table",
       {{"network.topology", in_quotes("file")},
        {"network.file", file_with("network.toml", network)},
        {"routing.file", file_with("routes.txt", "switch a\n0 0\n1 1\n2 2\n3 3\n")}}},
      {"network.topology=k-ary-n-tree", {{"network.k", "2"}, {"network.n", "2"}}},
      {"network.topology=bmin", {{"network.nodes", "4"}, {"network.radix", "4"}}},
      {"network.topology=mesh", {{"network.sides", "[2, 2]"}}},
      {"network.topology=torus", {{"network.sides", "[3, 3]"}}},
      {"network.topology=hyperx", {{"network.sides", "[2, 2]"}, {"network.nodes_per_switch", "1"}}},
      {"network.topology=dragonfly", {{"network.p", "1"}, {"network.a", "2"}, {"network.h", "1"}}},
      {"network.topology=dragonfly-plus",
       {{"network.p", "1"}, {"network.leaves", "2"}, {"network.spines", "2"}, {"network.h", "1"}}},
      {"network.topology=slim-fly", {{"network.q", "3"}}},
      {"network.topology=single-switch", {{"network.nodes", "4"}}},
      {"routing.algorithm=turnaround", {{"network.topology", in_quotes("bmin")}}},
      {"routing.algorithm=dor", {{"network.topology", in_quotes("mesh")}}},
      {"routing.algorithm=minimal", {{"network.topology", in_quotes("dragonfly")}}},
      {"routing.algorithm=valiant", {{"network.topology", in_quotes("dragonfly")}}},
      {"routing.algorithm=ugal", {{"network.topology", in_quotes("dragonfly")}}},
      {"routing.algorithm=par", {{"network.topology", in_quotes("dragonfly")}}},
      {"switch.scheme=table",
       {{"switch.file", file_with("queues.txt", "destination queue\n0 0\n1 1\n2 0\n3 1\n")},
        {"switch.queues", "2"}}},
      {"node.reaction=dcqcn", {{"switch.marking", in_quotes("red")}}},
      {"node.reaction=dcqcn-nic", {{"switch.marking", in_quotes("red")}}},
      {"node.reaction=infiniband", {{"switch.marking", in_quotes("infiniband")}}},
      {"switch.marking=isolation", {{"switch.scheme", in_quotes("fbicm")}}},
      {"routing.free_output=room-credit", {{"routing.algorithm", in_quotes("adaptive")}}},
      {"routing.free_output=spare-credit", {{"routing.algorithm", in_quotes("adaptive")}}},
      {"traffic.flow.sizes=file",
       {{"traffic.flow.sizes_file", file_with("sizes.txt", "0 0\n64 0.5\n128 1\n")}}},
      {"traffic.trace.format=csv",
       {{"traffic.trace.file",
         file_with("trace.csv", "time_ns,source,destination,bytes\n0,0,1,64\n90,1,0,9\n")}}},
      {"traffic.job.program=goal",
       {{"traffic.job.file",
         file_with("program.goal",
                   "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n")}}},
      {"traffic.job.program=sequence", {{"traffic.job.programs", "[{ program = \"barrier\" }]"}}},
      {"traffic.flow.pattern=set", {{"traffic.flow.nodes", "[0, 1]"}}},
      {"traffic.flow.pattern=matrix",
       {{"traffic.flow.file", file_with("matrix.csv", "0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,0\n")}}},
  };
  const auto found = kNeeds.find(member);
  return found == kNeeds.end() ? Keys{} : found->second;
}

struct Member {
  std::string key, name;
  std::string label() const { return key + '=' + name; }
};

// All values of a family, or of a key whose values are names.
std::vector<std::vector<Member>> all_families() {
  std::vector<std::vector<Member>> result;
  const auto add = [&](std::string_view key, const auto& names) {
    if (key == "kernel" || key.starts_with("measure.")) return;
    std::vector<Member>& members = result.emplace_back();
    for (const auto& name : names) members.push_back({std::string(key), std::string(name)});
  };
  for (const catalogue::Family& family : catalogue::families()) {
    std::vector<std::string_view> names;
    for (const catalogue::Member& member : family.members) names.push_back(member.name);
    add(family.key, names);
  }
  for (const catalogue::NamedValues& values : catalogue::named_values(std::nullopt))
    add(values.key, values.names);
  return result;
}

std::string text_of(const Keys& keys) {
  std::string root, flow, job, trace;
  const std::string of_flow = "traffic.flow.", of_job = "traffic.job.", of_trace = "traffic.trace.";
  for (const auto& [key, value] : keys) {
    if (key.starts_with(of_flow))
      flow += fmt::format("{} = {}\n", key.substr(of_flow.size()), value);
    else if (key.starts_with(of_job))
      job += fmt::format("{} = {}\n", key.substr(of_job.size()), value);
    else if (key.starts_with(of_trace))
      trace += fmt::format("{} = {}\n", key.substr(of_trace.size()), value);
    else
      root += fmt::format("{} = {}\n", key, value);
  }
  return root + "[[traffic.flow]]\n" + flow + (job.empty() ? "" : "[[traffic.job]]\n" + job) +
         (trace.empty() ? "" : "[[traffic.trace]]\n" + trace);
}

// Adds what a member needs, unless another member has chosen otherwise. A small network is the rule.
void add_needs(const std::string& member, Keys& keys) {
  Keys needs = needs_of(member);
  const auto topology = needs.find("network.topology");
  if (topology != needs.end() && keys.contains("network.topology"))
    std::erase_if(needs, [](const auto& need) { return need.first.starts_with("network."); });
  keys.merge(needs);
}

Keys keys_of(const std::vector<Member>& members, bool small) {
  Keys keys;
  for (const Member& member : members) keys.emplace(member.key, in_quotes(member.name));
  for (const Member& member : members)
    if (small || member.key != "network.topology" || member.name == "file") add_needs(member.label(), keys);
  const bool named =
      std::ranges::any_of(members, [](const Member& member) { return member.key == "network.topology"; });
  keys.emplace("network.topology", in_quotes("k-ary-n-tree"));
  const std::string& topology = keys.at("network.topology");
  if (!named) add_needs("network.topology=" + topology.substr(1, topology.size() - 2), keys);
  keys.merge(Keys{{"measure.warmup", in_quotes("0 ns")}, {"measure.duration", in_quotes("400 ns")}});
  const auto has = [&](std::string_view table) {
    return std::ranges::any_of(keys, [&](const auto& key) { return key.first.starts_with(table); });
  };
  if (has("traffic.job.")) keys.emplace("traffic.job.program", in_quotes("barrier"));
  if (has("traffic.trace.")) keys.emplace("traffic.trace.format", in_quotes("synthetic"));
  return keys;
}

// "traffic.flow.pattern" for "traffic.flow[0].pattern".
std::string without_numbers(const std::string& key) {
  std::string result;
  bool inside = false;
  for (const char c : key) {
    inside |= c == '[';
    if (!inside) result += c;
    inside &= c != ']';
  }
  return result;
}

// A file that a member reads has no default.
bool names_a_file(const std::string& key) {
  return key == "traffic.trace[0].file" || key == "traffic.job[0].file";
}

// Returns what is wrong with the answer to a spec; empty if nothing is. Counts the accepted ones.
std::string fault_of(const Keys& keys, bool runs, std::size_t& accepted) {
  Experiment experiment;
  try {
    experiment = load_experiment(parse_toml(text_of(keys), "x"));
  } catch (const SpecError& error) {
    for (const Mistake& mistake : error.mistakes())
      if (!keys.contains(without_numbers(mistake.key)) && !names_a_file(mistake.key))
        return fmt::format("refuses what is not given: {}: {}; {}", mistake.key, mistake.message,
                           mistake.hint);
    return "";
  }
  ++accepted;
  if (!runs) return "";
  const Spec spec = experiment.points.front().spec();
  if (!std::holds_alternative<EventSpec>(spec)) return "";  // a topology of the slotted kernel
  try {
    RunOptions options;
    options.check = true;
    options.memo = experiment.memo.get();
    run(std::get<EventSpec>(spec), options);
    return "";
  } catch (const std::exception& error) {
    return fmt::format("check accepts it, and run says: {}", error.what());
  }
}

// All pairs of a member of this family with one of a family behind it.
class DefaultsWith : public testing::TestWithParam<std::size_t> {};

TEST_P(DefaultsWith, AreNeverRefusedAndWhatCheckAcceptsRuns) {
  const std::vector<std::vector<Member>> families = all_families();
  std::size_t number = 0, pairs = 0, accepted = 0;
  std::map<std::string, std::vector<std::string>> faults;
  for (std::size_t other = GetParam() + 1; other < families.size(); ++other)
    for (const Member& a : families[GetParam()])
      for (const Member& b : families[other]) {
        if (number++ % test::kOneIn != 0) continue;
        const std::string fault = fault_of(keys_of({a, b}, true), true, accepted);
        ++pairs;
        if (!fault.empty()) faults[fault].push_back(a.label() + " with " + b.label());
      }
  for (const auto& [fault, where] : faults)
    ADD_FAILURE() << fault << "\n  " << where.size() << " times, first for " << where.front() << "\n  last "
                  << where.back();
  EXPECT_GE(accepted, pairs / 4) << "of " << pairs;
}

// In networks of their default size, memory is divided among many more queues.
TEST(Defaults, HaveRoomForTheQueuesOfEveryScheme) {
  std::map<std::string, std::string> faults;
  std::size_t accepted = 0;
  for (const Entry<Topology>& topology : topologies())
    for (const Entry<Scheme>& scheme : schemes())
      for (const Entry<LinkFlowControl>& control : link_flow_controls()) {
        if (scheme.name == "table") continue;  // the file of the test is for four nodes
        const std::vector<Member> members = {{"network.topology", std::string(topology.name)},
                                             {"switch.scheme", std::string(scheme.name)},
                                             {"switch.flow_control", std::string(control.name)}};
        const std::string fault = fault_of(keys_of(members, false), false, accepted);
        if (!fault.empty())
          faults[fault] = fmt::format("{}, {}, {}", topology.name, scheme.name, control.name);
      }
  for (const auto& [fault, where] : faults) ADD_FAILURE() << fault << "\n  for " << where;
  EXPECT_GT(accepted, 200U);
}

std::string name_of_family(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = all_families()[info.param].front().key;
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryFamily, DefaultsWith, testing::Range(std::size_t{0}, all_families().size() - 1),
                         name_of_family);

}  // namespace
}  // namespace headway
