// SPDX-License-Identifier: Apache-2.0
// Tests every kind of mistake in the form of a spec separately: its place, the valid values and the nearest
// name.
#include "headway/spec/read_spec.h"
#include "headway/metrics/tables.h"

#include <gmock/gmock.h>

#include "headway/config/toml.h"
#include "headway/spec/spec_fields.h"
#include "tests/support/names.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

TEST(ReadSpec, WritesOutRangesOfNodes) {
  const auto read = [](const std::string& flow, Mistakes& mistakes) {
    return std::get<EventSpec>(read_spec(parse_toml("[traffic.flow]\n" + flow, "x"), mistakes).spec)
        .traffic.flows[0];
  };
  Mistakes none;
  const FlowSpec flow = read(
      "sources = { nodes = [9, \"2-4\"] }\npattern = \"set\"\ndestinations = { nodes = "
      "[\"0-1\"] }\nweights = [1, 0.5]",
      none);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(flow.sources.nodes, (std::vector<std::int64_t>{9, 2, 3, 4}));
  for (const char* wrong : {"4-2", "2-", "-2", "a-b", "2-3-4", "0-99999999", "2 - 3"}) {
    Mistakes mistakes;
    read(std::string("sources = { nodes = [\"") + wrong + "\"] }", mistakes);
    ASSERT_EQ(mistakes.list().size(), 1U) << wrong;
    EXPECT_EQ(mistakes.list()[0].key, "traffic.flow[0].sources.nodes");
    EXPECT_EQ(mistakes.list()[0].where, "x:2:22");
  }
}

std::string mistakes_of(std::string_view text, const std::vector<std::string>& swept = {}) {
  Mistakes mistakes;
  read_spec(parse_toml(text, "x"), mistakes, swept);
  return mistakes.empty() ? "" : SpecError(mistakes.list()).what();
}

using Tables = decltype(MeasureSpec::tables);

std::string tables() {
  std::vector<std::string_view> names;
  for (const ExtraTable& extra : extra_tables()) names.push_back(extra.name);
  return list_text(names, "or");
}

TEST(ReadSpec, ATableOnRequestIsMadeIfItIsAskedFor) {
  for (const TableKind& table : result_tables()) {
    if (table.on_request.empty()) continue;
    const std::string name = table.name_in_spec();
    RunScope scope;
    scope.add(Needs::isolation);  // for port-series
    if (name == "per-operation" || name == "critical-path") scope.add(Needs::jobs);
    if (name == "per-message-size") scope.add(Needs::messages);
    if (name == "rate-series") scope.add(Needs::reaction);
    scope.ask(name);
    EXPECT_TRUE(table.is_made(scope)) << name;
  }
}

TEST(ReadSpec, SaysWhatIsWrong) {
  const std::pair<std::string_view, std::string> cases[] = {
      {"seed = -1", "x:1:8: seed: -1 is out of range; at least 0, at most 9000000000000000"},
      {"seed = 1.5", "x:1:8: seed: must be a whole number, not 1.5; at least 0, at most 9000000000000000"},
      {"seeds = \"many\"", "x:1:9: seeds: must be a whole number, not \"many\"; at least 1, at most 1000000"},
      {"sede = 1", "x:1:1: sede: unknown key; did you mean \"seed\"?"},
      {"[swich]", "x:1:2: swich: unknown key; did you mean \"switch\"?"},
      {"switch = 3", "x:1:10: switch: must be a table, not 3"},
      {"network.link.rate = 1",
       "x:1:21: network.link.rate: 1 has no unit; write a unit, for example \"1 GB/s\""},
      {"network.link.delay = \"4 GB\"",
       "x:1:22: network.link.delay: \"4 GB\" is not a time; write a number and one of ps, ns, us, ms, s, for "
       "example \"4 ns\""},
      {"network.link.rate = \"0 GB/s\"",
       "x:1:21: network.link.rate: \"0 GB/s\" is out of range; above 0 GB/s, at most 1000000000 GB/s"},
      {"network.link.dela = \"4 ns\"", "x:1:14: network.link.dela: unknown key; did you mean \"delay\"?"},
      {"network.topology = \"singel-switch\"",
       "x:1:20: network.topology: \"singel-switch\" is not a valid value; did you mean \"single-switch\"? "
       "valid: " +
           test::names_of(topologies())},
      {"routing.algorithm = 3",
       "x:1:21: routing.algorithm: 3 is not a valid value; valid: " + test::names_of(routings())},
      {"switch.queues = 4", "x:1:8: switch.queues: scheme \"1q\" has no such parameter; " +
                                test::owners_of("queues", schemes()) + " have it"},
      {"switch = { scheme = \"obqa\", mapping = \"block\" }",
       "x:1:29: switch.mapping: scheme \"obqa\" has no such parameter; " +
           test::owners_of("mapping", schemes()) + " have it"},
      {"switch = { scheme = \"obqa\", queues = 0 }",
       "x:1:38: switch.queues: 0 is out of range; at least 1, at most 65535"},
      {"switch = { scheme = \"obqa\", quees = 4 }",
       "x:1:29: switch.quees: unknown key; did you mean \"queues\"?"},
      {"routing.free_output = \"fair\"",
       "x:1:23: routing.free_output: \"fair\" is not a valid value; valid: \"room-credit\", \"spare-credit\" "
       "or "
       "\"now\""},
      {"switch.input_memory = \"lots\"",
       "x:1:23: switch.input_memory: \"lots\" is not a size; write a number and one of B, KiB, MiB, GiB, kB, "
       "MB, "
       "GB, for "
       "example \"4 KiB\""},
      {"node.limit = 3",
       "x:1:6: node.limit: unknown key; did you mean \"measure.limit\"? valid here: \"admittance\", "
       "\"admittance_limit\", "
       "\"injection_memory\", \"reaction\", \"notification_packet\", \"notification_service_level\", "
       "\"notification_delay\", \"receive_rate\", \"receiver\" and "
       "\"receive_memory\""},
      {"traffic.flow = [3]",
       "x:1:17: traffic.flow[0]: must be a table, not 3; write [[traffic.flow]] and its keys below"},
      {"traffic.flow.load = \"high\"",
       "x:1:21: traffic.flow[0].load: must be a number, not \"high\"; at least 0"},
      {"traffic.flow.load = nan", "x:1:21: traffic.flow[0].load: nan is out of range; at least 0"},
      {"traffic.flow.load = []", "x:1:21: traffic.flow[0].load: has no points"},
      {"traffic.flow.load = [[\"0 us\", 1], [\"0 us\", 2]]",
       "x:1:35: traffic.flow[0].load: the time of [\"0 us\", 2] is not after that of the previous point"},
      {"traffic.flow.load = [[0, 1]]",
       "x:1:22: traffic.flow[0].load: [0, 1] is not a list of a time and a load, both at least 0; write for "
       "example [[\"0 us\", "
       "0.0], [\"3 ms\", 1.0]]"},
      {"traffic.flow.sources = \"some\"",
       "x:1:24: traffic.flow[0].sources: \"some\" is not a valid choice of nodes; \"all\", or a table with "
       "one of fraction, "
       "first, nodes, random, rest, such as { first = 8 }"},
      {"traffic.flow.sources = { frist = 8 }",
       "x:1:26: traffic.flow[0].sources.frist: unknown key; did you mean \"first\"?"},
      {"traffic.flow.sources = { fraction = 2 }",
       "x:1:37: traffic.flow[0].sources.fraction: 2 is out of range; above 0, at most 1"},
      {"traffic.flow.sources = { nodes = [0, -1] }",
       "x:1:34: traffic.flow[0].sources.nodes: [0, -1] is out of range; at least 0, at most 1000000000"},
      {"traffic.flow.sources = { rest = false }",
       "x:1:24: traffic.flow[0].sources: rest = false does not choose any nodes; \"all\", or a table with "
       "one of "
       "fraction, first, "
       "nodes, random, rest, such as { first = 8 }"},
      {"traffic.trace.skip_bad = 1", "x:1:26: traffic.trace[0].skip_bad: must be true or false, not 1"},
      {"measure.tables = 1",
       "x:1:18: measure.tables: must be a list of names, not 1; write for example [\"cost\"]; "
       "valid: " +
           tables()},
      {"measure.tables = [\"fairnes\", \"per-pair\", 1, \"per-pair\", \"per-pair\"]",
       "x:1:19: measure.tables: \"fairnes\" is not a valid name; did you mean \"fairness\"? valid: " +
           tables() + "\nx:1:42: measure.tables: 1 is not a valid name; valid: " + tables() +
           "\nx:1:45: measure.tables: contains \"per-pair\" twice"},
      {"kernel = \"slotted\"\nswitch.scheme = \"1q\"",
       "x:2:8: switch.scheme: unknown key; valid here: \"classes\", \"buffer\", \"layered_buffer\", "
       "\"stage_buffers\", "
       "\"queueing\", \"output_slots\", \"spread\", \"pass\", \"precedence\", \"blocked\" and \"reuse\""}};
  for (const auto& [text, message] : cases) EXPECT_EQ(mistakes_of(text), message) << text;
}

TEST(ReadSpec, KnowsWhatOtherToolsCallKeysAndValues) {
  EXPECT_EQ(mistakes_of("switch.num_vcs = 4"),
            "x:1:8: switch.num_vcs: unknown key; did you mean \"virtual_channels\"?");
  EXPECT_EQ(mistakes_of("switch.buffer = 4"),
            "x:1:8: switch.buffer: unknown key; did you mean \"input_memory\"?");
  EXPECT_EQ(mistakes_of("routing.vc = 4"),
            "x:1:9: routing.vc: unknown key; did you mean \"switch.virtual_channels\" or \"switch.lanes\"?");
  EXPECT_EQ(mistakes_of("traffic.flow.bandwidth = 4"),
            "x:1:14: traffic.flow[0].bandwidth: unknown key; did you mean \"network.link.rate\"?");
  EXPECT_THAT(mistakes_of("switch.scheme = \"VOQ\""), HasSubstr("did you mean \"voqsw\"? valid: "));
  EXPECT_THAT(mistakes_of("network.topology = \"fat-tree\""), HasSubstr("did you mean \"pgft\"? valid: "));
  EXPECT_THAT(mistakes_of("traffic.flow.pattern = \"bitcomp\""),
              HasSubstr("did you mean \"complement\"? valid: "));
  EXPECT_THAT(mistakes_of("traffic.flow.pattern = \"random\""),
              HasSubstr("did you mean \"uniform\"? valid: "));
  EXPECT_THAT(mistakes_of("routing.algorithm = \"random\""),
              HasSubstr("did you mean \"random-up\"? valid: "));
}

TEST(ReadSpec, NamesTheTableOfAKeyThatIsInAnotherOne) {
  EXPECT_THAT(mistakes_of("load = 0.3"),
              HasSubstr("x:1:1: load: unknown key; did you mean \"traffic.flow.load\"? valid here: "));
  EXPECT_THAT(mistakes_of("network.rings = \"bubble\""),
              HasSubstr("did you mean \"routing.rings\"? valid here: "));
}

TEST(ReadSpec, KnowsOtherSpellingsOfUnits) {
  EXPECT_EQ(mistakes_of("switch.input_memory = \"64 KB\""),
            "x:1:23: switch.input_memory: \"64 KB\" is not a size; did you mean \"64 KiB\" or \"64 kB\"? "
            "units: B, KiB, "
            "MiB, GiB, kB, MB, GB");
  EXPECT_THAT(mistakes_of("network.link.rate = \"100 Gbps\""),
              HasSubstr("did you mean \"100 Gbit/s\"? units: "));
  EXPECT_THAT(mistakes_of("network.link.rate = \"12.5 GBps\""),
              HasSubstr("did you mean \"12.5 GB/s\" or \"12.5 GiB/s\"? "));
  EXPECT_THAT(mistakes_of("network.link.delay = \"5 usec\""), HasSubstr("did you mean \"5 us\"? units: "));
  EXPECT_THAT(mistakes_of("network.link.delay = \"5 µs\""), HasSubstr("did you mean \"5 us\"? units: "));
  EXPECT_THAT(mistakes_of("network.link.delay = \"5 KB\""), HasSubstr("write a number and one of ps, ns, "));
}

TEST(ReadSpec, TakesParametersOfOtherMembersBesideASweptChoice) {
  EXPECT_EQ(mistakes_of("switch.queues = 4", {"switch.scheme"}), "");
  EXPECT_NE(mistakes_of("switch.queues = 4", {"switch.arbiter"}), "");
  EXPECT_NE(mistakes_of("switch.quees = 4", {"switch.scheme"}), "");
}

TEST(ReadSpec, FillsEveryPartOfASpec) {
  Mistakes mistakes;
  const auto spec = std::get<EventSpec>(read_spec(parse_toml(R"(
seed = 5
[network]
topology = "single-switch"
nodes = 8
link = { rate = "100 Gbit/s", delay = "10 ns" }
[routing]
algorithm = "det"
[switch]
switching = "store-and-forward"
scheme = "dbbm"
queues = 2
queue_memory = "1 KiB"
arbiter = "random"
routing_delay = "1.5 ns"
[node]
admittance = "fifo"
admittance_limit = "2 KiB"
injection_memory = "8 KiB"
[traffic]
packet = "256 B"
[[traffic.flow]]
sources = { nodes = [1, 3] }
pattern = "hotspot"
destination = 2
arrivals = "bernoulli"
load = [["0 us", 0.0], ["3 ms", 1]]
load_change = "ramp"
message = "1 KiB"
start = "1 us"
stop = "2 ms"
[measure]
warmup = "20 us"
duration = "500 us"
bin = "5 us"
tables = ["per-link", "per-destination"]
)",
                                                             "x"),
                                                  mistakes)
                                            .spec);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(spec.seed, 5U);
  EXPECT_EQ(spec.network.topology.name, "single-switch");
  EXPECT_EQ(spec.network.topology->nodes(), 8);
  EXPECT_EQ(spec.network.link, (Link{{{25, 2}}, {10}}));
  EXPECT_EQ(spec.switches.switching, Switching::store_and_forward);
  EXPECT_EQ(spec.switches.scheme.name, "dbbm");
  EXPECT_EQ(spec.switches.queue_memory, Bytes{1024});
  EXPECT_EQ(spec.switches.arbiter, ArbiterKind::random);
  EXPECT_EQ(spec.switches.routing_delay, Duration{Rational(3, 2)});
  EXPECT_EQ(spec.node.admittance, Admittance::fifo);
  EXPECT_EQ(spec.node.admittance_limit, Bytes{2048});
  EXPECT_EQ(spec.node.injection_memory, Bytes{8192});
  EXPECT_EQ(spec.traffic.packet, Bytes{256});
  ASSERT_EQ(spec.traffic.flows.size(), 1U);
  const FlowSpec& flow = spec.traffic.flows.front();
  EXPECT_EQ(flow.sources.kind, NodeSet::Kind::nodes);
  EXPECT_EQ(flow.sources.nodes, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(flow.pattern.name, "hotspot");
  EXPECT_EQ(flow.arrivals.name, "bernoulli");
  ASSERT_EQ(flow.load.points.size(), 2U);
  EXPECT_EQ(flow.load.points[1].at, Duration{3'000'000});
  EXPECT_EQ(flow.load.points[1].load, 1.0);
  EXPECT_EQ(flow.load.change, Transition::ramp);
  EXPECT_EQ(flow.sizes->build(64).mean(), 1024);
  EXPECT_EQ(flow.start, Duration{1'000});
  EXPECT_EQ(flow.stop, Duration{2'000'000});
  EXPECT_EQ(spec.measure.warmup, Duration{20'000});
  EXPECT_EQ(spec.measure.duration, Duration{500'000});
  EXPECT_EQ(spec.measure.bin, Duration{5'000});
  EXPECT_EQ(spec.measure.tables, (Tables{"per-destination", "per-link"}));
}

TEST(ReadSpec, TakesASingleNameForAListOfOne) {
  Mistakes mistakes;
  const auto spec =
      std::get<EventSpec>(read_spec(parse_toml("measure.tables = \"fairness\"", "x"), mistakes).spec);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(spec.measure.tables, Tables{"fairness"});
}

TEST(ReadSpec, ReadsACioqSwitch) {
  Mistakes mistakes;
  const auto spec = std::get<EventSpec>(read_spec(parse_toml(R"(
[switch]
architecture = "cioq"
crossbar_speedup = 1.5
output_memory = "2 KiB"
scheme = "dbbm"
queues = 4
output_arbiter = "weighted-round-robin"
weights = [1, 1, 2, 4]
credit_packet = "4 B"
)",
                                                             "x"),
                                                  mistakes)
                                            .spec);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_TRUE(has_output_units(spec.switches));
  EXPECT_EQ(speedup_of(spec.switches), Rational(3, 2));
  EXPECT_EQ(spec.switches.output_memory, Bytes{2048});
  EXPECT_EQ(spec.switches.output_arbiter, OutputArbiter::weighted_round_robin);
  EXPECT_EQ(spec.switches.weights, (std::vector<std::int64_t>{1, 1, 2, 4}));
  EXPECT_EQ(spec.switches.credit_packet, Bytes{4});
}

TEST(Spec, ASpeedUpThatRoundsToOneIsNone) {
  SwitchSpec switches;
  switches.architecture = Architecture::cioq;
  switches.output_memory = Bytes{0};
  switches.crossbar_speedup = 1.00001;
  EXPECT_EQ(speedup_of(switches), Rational(1));
  EXPECT_FALSE(has_output_units(switches));
  switches.crossbar_speedup = 1.0001;
  EXPECT_TRUE(has_output_units(switches));
}

// Sets the key "kernel" of a spec.
class KernelSetter final : public PathVisitor<KernelSetter> {
 public:
  explicit KernelSetter(std::string_view kernel) : kernel_(kernel) {}
  void visit(const Parameter& parameter, std::string& value) {
    if (path(parameter) == "kernel") value = kernel_;
  }
  void visit(const Parameter&, auto&) {}

 private:
  std::string kernel_;
};

TEST(DescribeSpec, EveryKernelCanBecomeAnyOther) {
  for (Spec from : specs_of_kernels())
    for (const Spec& to : specs_of_kernels()) {
      KernelSetter setter(kernel_of(to));
      describe(from, setter);
      EXPECT_EQ(kernel_of(from), kernel_of(to));
      EXPECT_EQ(from.index(), to.index());
    }
}

}  // namespace
}  // namespace headway
