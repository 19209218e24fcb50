// SPDX-License-Identifier: Apache-2.0
// Sweeps expand to points in order, overrides take precedence, a mistake of several points is reported once
// with the place of the swept value, and the resolved document reproduces the experiment.
#include "headway/compile/load.h"

#include <gmock/gmock.h>
#include <malloc.h>

#include <filesystem>

#include "headway/base/error.h"
#include "headway/config/toml.h"
#include "headway/spec/write_spec.h"
#include "tests/support/names.h"

namespace headway {
namespace {

constexpr std::string_view kBase =
    "network = { k = 2, n = 2 }\n"
    "measure = { warmup = \"1 us\", duration = \"10 us\" }\n";

Experiment load(const std::string& text, const std::vector<Override>& overrides = {}) {
  return load_experiment(parse_toml(std::string(kBase) + text, "x"), overrides);
}

std::string mistakes_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    load(text, overrides);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> points_of(const Experiment& experiment) {
  std::vector<std::string> points;
  for (const Point& point : experiment.points) {
    points.emplace_back();
    for (const auto& [key, value] : point.params)
      points.back() += (points.back().empty() ? "" : " ") + key + "=" + value;
  }
  return points;
}

using PointNames = std::vector<std::string>;

TEST(LoadExperiment, IsOnePointWithoutSweep) {
  const Experiment experiment = load("seeds = 5\n");
  EXPECT_EQ(points_of(experiment), PointNames{""});
  EXPECT_EQ(experiment.seeds, 5);
}

// As in a file, where TOML takes the quotes away.
TEST(LoadExperiment, TakesSweptKeysInQuotes) {
  const auto load_with = [](const std::string& key, const std::string& file) {
    return points_of(load(file, {{key, parse_toml_value("[0.1, 0.2]", "--set")}}));
  };
  const PointNames loads{"traffic.flow.load=0.1", "traffic.flow.load=0.2"};
  EXPECT_EQ(load_with("sweep.\"traffic.flow.load\"", ""), loads);
  EXPECT_EQ(load_with("sweep.'traffic.flow.load'", "[sweep]\n\"traffic.flow.load\" = [0.5]\n"), loads);
}

TEST(LoadExperiment, SaysWhichPointsRepeatAnother) {
  EXPECT_EQ(
      load("[sweep]\n\"switch.scheme\" = [\"voqsw\", \"obqa\"]\nswitch.queues = [1, 2, 4]\nseed = [1, 2]\n")
          .repeats,
      "4 of 12 points repeat the run of another point, because what they sweep has no effect there: "
      "switch.scheme = voqsw, switch.queues = 2, seed = 1 repeats switch.scheme = voqsw, "
      "switch.queues = 1, seed = 1");
  EXPECT_EQ(load("[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\"]\ntraffic.flow.load = [0.5, 1]\n").repeats,
            "");
}

TEST(LoadExperiment, MakesTheProductOfAxes) {
  const Experiment experiment =
      load("[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\"]\ntraffic.flow.load = [0.5, 1]\n");
  EXPECT_EQ(
      points_of(experiment),
      (PointNames{"switch.scheme=1q traffic.flow.load=0.5", "switch.scheme=1q traffic.flow.load=1",
                  "switch.scheme=voqsw traffic.flow.load=0.5", "switch.scheme=voqsw traffic.flow.load=1"}));
  EXPECT_EQ(std::get<EventSpec>(experiment.points[3].spec()).switches.scheme.name, "voqsw");
  EXPECT_EQ(std::get<EventSpec>(experiment.points[2].spec()).traffic.flows[0].load.points[0].load, 0.5);
}

TEST(LoadExperiment, AdvancesZippedKeysTogether) {
  EXPECT_EQ(points_of(load(
                "[sweep]\nseed = [1, 2]\n[[sweep.zip]]\n\"network.k\" = [2, 4]\n\"network.n\" = [4, 2]\n")),
            (PointNames{"seed=1 network.k=2 network.n=4", "seed=1 network.k=4 network.n=2",
                        "seed=2 network.k=2 network.n=4", "seed=2 network.k=4 network.n=2"}));
}

TEST(LoadExperiment, LetsOverridesWin) {
  const std::string text = "[sweep]\n\"switch.scheme\" = [\"1q\", \"obqa\"]\nseed = [1, 2]\n";
  const Override scheme{"switch.scheme", parse_toml_value("voqsw", "--set")};
  const Experiment experiment = load(text, {scheme});
  EXPECT_EQ(points_of(experiment), (PointNames{"seed=1", "seed=2"}));
  EXPECT_EQ(std::get<EventSpec>(experiment.points[0].spec()).switches.scheme.name, "voqsw");
  EXPECT_EQ(mistakes_of(text, {{"switch.scheme", parse_toml_value("voqs", "--set")}}),
            "--set: switch.scheme: \"voqs\" is not a valid value; did you mean \"voqsw\"? valid: " +
                test::names_of(schemes()));
  EXPECT_EQ(mistakes_of(text, {{"measure.warmup.x", parse_toml_value("1", "--set")}}),
            "--set: measure.warmup.x: cannot hold x: it is not a table");
}

TEST(LoadExperiment, RepeatsUntilAnIntervalIsNarrowEnough) {
  const Experiment experiment =
      load("seeds = { until = \"latency_mean_ns\", relative = 0.02, at_most = 50 }\n");
  EXPECT_EQ(experiment.seeds, 50);
  ASSERT_TRUE(experiment.until);
  EXPECT_EQ(experiment.until->metric, "latency_mean_ns");
  EXPECT_EQ(experiment.until->at_least, 5);
  EXPECT_EQ(to_text(*experiment.document.find("seeds")),
            "{ until = \"latency_mean_ns\", relative = 0.02, at_least = 5, at_most = 50 }");
  const std::pair<std::string, std::string> cases[] = {
      {"until = \"latency_maen_ns\"",
       "seeds.until: there is no metric \"latency_maen_ns\"; did you mean \"latency_mean_ns\"?"},
      {"relative = 0.02",
       "seeds: has no until; write for example { until = \"latency_mean_ns\", relative = 0.05 }"},
      {"until = \"latency_max_ns\"",
       "seeds.until: \"latency_max_ns\" has no interval: over several seeds, it is the largest value of a "
       "seed; a metric that is a mean, such as \"accepted_load\""},
      {"until = \"latency_mean_ns\", relative = 0", "seeds.relative: 0 is out of range; above 0, at most 1"},
      {"until = \"latency_mean_ns\", at_least = 1",
       "seeds.at_least: 1 is out of range; at least 2, at most 10000"},
      {"until = \"latency_mean_ns\", at_least = 9, at_most = 8", "seeds.at_most: 8 is less than at_least, 9"},
      {"until = \"latency_mean_ns\", at_mots = 8", "seeds.at_mots: unknown key; did you mean \"at_most\"?"}};
  for (const auto& [seeds, message] : cases)
    EXPECT_THAT(mistakes_of("seeds = { " + seeds + " }\n"), ::testing::HasSubstr(message)) << seeds;
}

std::string values_of(const std::string& range) {
  std::string text;
  for (const Point& point : load("[sweep]\n" + range + "\n").points)
    text += (text.empty() ? "" : " ") + point.params[0].second;
  return text;
}

TEST(LoadExperiment, MakesTheValuesOfARangeExactly) {
  EXPECT_EQ(values_of("\"traffic.flow.load\" = { from = 0.1, to = 1.0, step = 0.05 }"),
            "0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6 0.65 0.7 0.75 0.8 0.85 0.9 0.95 1.0");
  EXPECT_EQ(values_of("traffic.flow.load = { from = 0.1, to = 1.0, points = 4 }"), "0.1 0.4 0.7 1.0");
  EXPECT_EQ(values_of("traffic.flow.load = { from = 0, to = 1, step = 0.3 }"), "0.0 0.3 0.6 0.9");
  EXPECT_EQ(values_of("\"seed\" = { from = 3, to = 12, step = 4 }"), "3 7 11");
  EXPECT_EQ(values_of("\"seed\" = { from = 3, to = 3, step = 1 }"), "3");
  EXPECT_EQ(values_of("\"measure.warmup\" = { from = \"500 ns\", to = \"2 us\", step = \"0.75 us\" }"),
            "500 ns 1250 ns 2 us");
  EXPECT_EQ(values_of("switch.input_memory = { from = \"4 KiB\", to = \"8 KiB\", points = 3 }"),
            "4 KiB 6 KiB 8 KiB");
  EXPECT_EQ(values_of("[[sweep.zip]]\nseed = { from = 1, to = 2, step = 1 }\n"
                      "traffic.flow.load = { from = 0.5, to = 0.9, points = 2 }"),
            "1 2");
  EXPECT_EQ(load("[units]\ncycle = \"10 ns\"\n[sweep]\n\"measure.duration\" = { from = \"1000 cycles\", to = "
                 "\"3000 cycles\", step = \"500 cycles\" }\n")
                .points.size(),
            5U);
  // a list of the same numbers is the same experiment
  EXPECT_EQ(load("[sweep]\ntraffic.flow.load = { from = 0.1, to = 0.3, step = 0.1 }\n").document,
            load("[sweep]\ntraffic.flow.load = [0.1, 0.2, 0.3]\n").document);
}

TEST(LoadExperiment, SaysWhatIsWrongWithARange) {
  const std::pair<std::string, std::string> cases[] = {
      {"from = 1, to = 2",
       "x:4:12: sweep.seed: needs either step or points; write for example { from = 0.1, to = 1.0, "
       "step = 0.05 }"},
      {"from = 1, step = 1", "x:4:12: sweep.seed: has no to; a range has from and to"},
      {"from = 1, to = 2, step = 0", "x:4:39: sweep.seed.step: must be above 0"},
      {"from = 1, to = 2, step = -1", "x:4:39: sweep.seed.step: must be above 0"},
      {"from = 2, to = 1, step = 1",
       "x:4:29: sweep.seed.to: is below from; a range goes upward; a list can have any order"},
      {"from = 1, to = 9999999, step = 1",
       "x:4:12: sweep.seed: has more than 1000000 values; use a larger step"},
      {"from = 1, to = 2, points = 1",
       "x:4:41: sweep.seed.points: must be a whole number, not 1; at least 2, at most 1000000"},
      {"from = 1, to = \"2 us\", step = 1", "x:4:29: sweep.seed.to: is a time, but from is a number"},
      {"from = nan, to = 2, step = 1",
       "x:4:21: sweep.seed.from: nan is neither a number nor a quantity; write for example 0.05 or \"1 us\""},
      {"from = 1, to = 2, step = 1, by = 3",
       "x:4:42: sweep.seed.by: unknown key; a range has from, to, and step or points"},
      {"from = 1e-17, to = 1e300, step = 1",
       "x:4:12: sweep.seed: { from = 1e-17, to = 1e+300, step = 1 } "
       "cannot be computed exactly; use numbers with fewer digits, or a list"},
      {"from = 0.1, to = 0.2, step = 0.05",
       "x:4:12: seed: must be a whole number, not 0.1; at least 0, at most 9000000000000000"},
  };
  for (const auto& [range, message] : cases) {
    const std::string said = mistakes_of("[sweep]\nseed     = { " + range + " }\n");
    EXPECT_EQ(said.substr(0, said.find('\n')), message) << range;
  }
}

TEST(LoadExperiment, SweepsAListThatIsSet) {
  const auto set = [](const std::string& key, std::string_view value) {
    return Override{key, parse_toml_value(value, "--set " + key)};
  };
  const std::string text = "[sweep]\n\"switch.scheme\" = [\"1q\", \"obqa\"]\nseed = [1, 2]\n";
  EXPECT_EQ(points_of(load(text, {set("switch.scheme", "[\"voqsw\"]")})),
            (PointNames{"switch.scheme=voqsw seed=1", "switch.scheme=voqsw seed=2"}));
  EXPECT_EQ(
      points_of(load("", {set("seed", "[4, 5]"), set("traffic.flow[0].load", "{from=0.1,to=0.3,step=0.1}")}))
          .size(),
      6U);
  // the last override of a key counts, whether it is a value or a list
  EXPECT_EQ(points_of(load(text, {set("switch.scheme", "1q"), set("seed", "[7]"), set("seed", "8"),
                                  set("switch.scheme", "[\"voqsw\"]")})),
            (PointNames{"switch.scheme=voqsw"}));
  // a list that the key holds is one value; a list of lists sweeps it
  const std::string zip = "[[sweep.zip]]\nseed = [1, 2]\n\"network.k\" = [2, 4]\n";
  EXPECT_EQ(points_of(load(zip, {set("seed", "[3]")})),
            (PointNames{"network.k=2 seed=3", "network.k=4 seed=3"}));
  EXPECT_EQ(points_of(load("", {set("measure.tables", "[\"per-link\", \"per-pair\"]")})), PointNames{""});
  EXPECT_EQ(points_of(load("", {set("measure.tables", "[[\"per-link\"], []]")})).size(), 2U);
  EXPECT_EQ(points_of(load("", {set("traffic.flow.load", "[[\"0 us\", 0.1], [\"3 us\", 0.2]]")})),
            PointNames{""});
  EXPECT_EQ(points_of(load("", {set("traffic.flow.load", "[0.1, [[\"0 us\", 0.1]]]")})).size(), 2U);
  EXPECT_EQ(points_of(load("", {set("sweep.seed", "[1, 2]")})).size(), 2U);
  EXPECT_EQ(mistakes_of("", {set("switch.quees", "[1, 2]")}),
            "--set switch.quees: switch.quees: unknown key; did you mean \"queues\"?");
  EXPECT_EQ(
      mistakes_of("", {set("switch.queues", "[]")}),
      "--set switch.queues: sweep.switch.queues: has no values; omit the key, or write at least one value");
  EXPECT_EQ(load("[units]\ncycle = \"10 ns\"\n", {set("measure.duration", "[\"1000 cycles\", \"20 us\"]")})
                .points[0]
                .params[0]
                .second,
            "10 us");
}

TEST(LoadExperiment, SaysWhatIsWrongWithASweep) {
  const std::pair<std::string, std::string> cases[] = {
      {"sweep = 1\n",
       "x:3:9: sweep: must be a table; write [sweep] and below it \"switch.queues\" = [1, 2, 4]"},
      {"[sweep]\nseed = []\n", "x:4:8: sweep.seed: has no values; omit the key, or write at least one value"},
      {"[sweep]\nseed = 1\n",
       "x:4:8: sweep.seed: must be a list or a range of values, not 1; write [1, ...] or { from = ..., to "
       "= ..., step = ... }"},
      {"[sweep]\nseeds = [1, 2]\n", "x:4:1: sweep.seeds: cannot be swept"},
      {"[sweep]\nseed = [1, 2, 1]\n", "x:4:15: sweep.seed: contains 1 twice"},
      {"[sweep]\n\"network.k\" = [2]\nnetwork.k = [3]\n",
       "x:5:9: sweep.network.k: is swept twice; write one list per key"},
      {"[[sweep.zip]]\nseed = [1, 2]\n\"network.k\" = [2]\n",
       "x:5:15: sweep.zip.network.k: has 1 values, but seed has 2; lists that advance together must have the "
       "same length"},
      {"[sweep]\nzip = [3]\n",
       "x:4:8: sweep.zip: must be a table; write [[sweep.zip]] and lists of equal length below"},
      {"[sweep]\n\"switch.quees\" = [1, 2]\n", "x:4:19: switch.quees: unknown key; did you mean \"queues\"?"},
      {"[sweep]\n\"switch.scheme\" = [\"1q\", \"obqq\"]\n",
       "x:4:26: switch.scheme: \"obqq\" is not a valid value; did you mean \"obqa\"? valid: " +
           test::names_of(schemes())},
      {"switch.scheme = \"obqa\"\nswitch.input_memory = \"4 KiB\"\n[sweep]\n\"switch.queues\" = [4, 128]\n",
       "x:4:23: switch.input_memory: 4 KiB over 128 queues is 32 B each, less than a packet of 64 B (at "
       "switch.queues = 128); "
       "at least 8 KiB"},
      {"[sweep]\n\"switch.input_memory\" = [\"4 KiB\", \"4 B\"]\n",
       "x:4:35: switch.input_memory: 4 B is less than a packet of 64 B; at least 64 B"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(mistakes_of(text), message) << text;
}

TEST(LoadExperiment, TakesASettingForWhatItMeansHoweverItIsSpelled) {
  const std::string one = "[[traffic.flow]]\nload = 1\n";
  const std::string two = one + one;
  const Override all{"traffic.flow.load", Document(0.3, "--set")};
  const Override first{"traffic.flow[0].load", Document(0.3, "--set")};
  const Override second{"traffic.flow[1].load", Document(0.3, "--set")};
  const std::string sweep_all = "[sweep]\n\"traffic.flow.load\" = [0.5, 0.9]\n";
  const std::string sweep_first = "[sweep]\n\"traffic.flow[0].load\" = [0.5, 0.9]\n";
  const auto loads = [](const Experiment& experiment) {
    std::vector<std::vector<double>> result;
    for (const Point& point : experiment.points) {
      result.emplace_back();
      for (const Spec spec = point.spec(); const FlowSpec& flow : std::get<EventSpec>(spec).traffic.flows)
        result.back().push_back(flow.load.points[0].load);
    }
    return result;
  };
  using Loads = std::vector<std::vector<double>>;
  // the override replaces the sweep
  for (const std::string& flows : {std::string(), one, std::string("traffic.flow = { load = 1 }\n")})
    for (const std::string& sweep : {sweep_all, sweep_first})
      for (const Override& change : {all, first})
        EXPECT_EQ(loads(load(flows + sweep, {change})), (Loads{{0.3}})) << flows << sweep << change.key;
  EXPECT_EQ(loads(load(two + sweep_first, {all})), (Loads{{0.3, 0.3}}));
  EXPECT_EQ(loads(load(two + sweep_all, {first, second})), (Loads{{0.3, 0.3}}));
  // the override and the sweep set different keys
  EXPECT_EQ(loads(load(two + sweep_first, {second})), (Loads{{0.5, 0.3}, {0.9, 0.3}}));
  const Override pattern{"traffic.flow", parse_toml_value("{ pattern = \"complement\" }", "--set")};
  EXPECT_EQ(loads(load(sweep_first, {pattern})), (Loads{{0.5}, {0.9}}));
  // the sweep would undo the override
  EXPECT_EQ(
      mistakes_of(two + sweep_all, {first}),
      "--set: traffic.flow[0].load: has no effect: the sweep over traffic.flow.load sets this key again; "
      "setting traffic.flow.load replaces that sweep");
  const Override whole{"traffic.flow", parse_toml_value("{ load = 0.3 }", "--set")};
  EXPECT_EQ(mistakes_of(sweep_first, {whole}),
            "--set: traffic.flow: has no effect: the sweep over traffic.flow[0].load sets this key again; "
            "setting traffic.flow[0].load replaces that sweep");
  EXPECT_EQ(mistakes_of("[sweep]\n\"traffic.flow\" = [{ load = 0.5 }, { load = 0.9 }]\n", {first}),
            "--set: traffic.flow[0].load: has no effect: the sweep over traffic.flow sets this key again; "
            "setting traffic.flow replaces that sweep");
}

TEST(LoadExperiment, KnowsFlowsByTheirNames) {
  const auto set = [](const std::string& key, std::string_view value) {
    return Override{key, parse_toml_value(value, "--set")};
  };
  const std::string two = "[[traffic.flow]]\nload = 1\n[[traffic.flow]]\nname = \"storage\"\nload = 0.1\n";
  const auto loads = [](const Experiment& experiment) {
    std::vector<double> result;
    for (const Point& point : experiment.points)
      for (const Spec spec = point.spec(); const FlowSpec& flow : std::get<EventSpec>(spec).traffic.flows)
        result.push_back(flow.load.points.back().load);
    return result;
  };
  using testing::ElementsAre;
  EXPECT_THAT(loads(load(two, {set("traffic.storage.load", "0.5")})), ElementsAre(1, 0.5));
  EXPECT_THAT(loads(load(two, {set("traffic.storage.load", "[[\"0 us\", 0.1], [\"3 us\", 0.2]]")})),
              ElementsAre(1, 0.2));
  EXPECT_EQ(points_of(load(two, {set("traffic.storage.load", "[0.2, 0.3]")})),
            (PointNames{"traffic.storage.load=0.2", "traffic.storage.load=0.3"}));
  const std::string sweep = two + "[sweep]\n\"traffic.storage.load\" = [0.2, 0.3]\n";
  EXPECT_THAT(loads(load(sweep)), ElementsAre(1, 0.2, 1, 0.3));
  EXPECT_THAT(loads(load(two + "[sweep]\ntraffic.storage.load = [0.2, 0.3]\n")), ElementsAre(1, 0.2, 1, 0.3));
  // the resolved document has the names
  EXPECT_EQ(points_of(load_experiment(load(sweep).document, {})),
            (PointNames{"traffic.storage.load=0.2", "traffic.storage.load=0.3"}));
  // other spellings are the same key
  EXPECT_THAT(loads(load(sweep, {set("traffic.flow[1].load", "0.5")})), ElementsAre(1, 0.5));
  EXPECT_EQ(mistakes_of(sweep + "\"traffic.flow[1].load\" = [0.1]\n"),
            "x:10:1: sweep.traffic.flow[1].load: is swept twice; write one list per key");
  // a swept choice, a whole flow, and a flow that is alone
  EXPECT_EQ(load(two + "[sweep]\n\"traffic.storage.pattern\" = [\"uniform\", \"hotspot\"]\n",
                 {set("traffic.storage.destination", "3")})
                .points.size(),
            2U);
  EXPECT_THAT(loads(load(two, {set("traffic.storage", "[{ load = 0.2 }, { load = 0.3 }]")})),
              ElementsAre(1, 0.2, 1, 0.3));
  const std::string one = "[traffic.flow]\nname = \"storage\"\n";
  EXPECT_THAT(loads(load(one, {set("traffic.storage.load", "0.5")})), ElementsAre(0.5));
  EXPECT_THAT(loads(load(one, {set("traffic.storage", "[{ load = 0.2 }, { load = 0.3 }]")})),
              ElementsAre(0.2, 0.3));

  EXPECT_EQ(mistakes_of(two, {set("traffic.storag.load", "0.5")}),
            "--set: traffic.storag: unknown key; did you mean \"storage\"?");
  EXPECT_EQ(
      mistakes_of(two + "[traffic.storage]\nload = 1\n"),
      "x:8:10: traffic.storage: unknown key; a file has the keys of \"storage\" in its own table, where "
      "the name is");
  EXPECT_EQ(
      mistakes_of("[[traffic.flow]]\nname = \"a b\"\n"),
      "x:4:8: traffic.flow[0].name: \"a b\" is not a name; a name consists of letters, digits, _ and -");
  EXPECT_EQ(mistakes_of(two + "[sweep]\n\"traffic.storage.name\" = [\"a\", \"b\"]\n"),
            "x:9:1: sweep.traffic.storage.name: cannot be swept");
}

TEST(LoadExperiment, RefusesSettingsWithoutEffect) {
  const Override load_of_second{"traffic.flow[1].load", Document(0.3, "--set")};
  EXPECT_EQ(mistakes_of("[[traffic.flow]]\nload = 1\n", {load_of_second}),
            "--set: traffic.flow[1].load: there is no flow[1]: the last is flow[0]; to add one, set flow[1] "
            "= { ... }");
  EXPECT_EQ(mistakes_of("", {load_of_second}),
            "--set: traffic.flow[1].load: there is no flow[1]: the spec has none; to add one, set flow[0] = "
            "{ ... }");
  const Override queues{"switch.queues", Document(std::int64_t{8}, "--set")};
  EXPECT_EQ(mistakes_of("[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\"]\n", {queues}),
            "--set: switch.queues: scheme \"1q\" has no such parameter, nor has any other point; " +
                test::owners_of("queues", schemes()) + " have it");
  EXPECT_EQ(mistakes_of("[sweep]\n\"switch.scheme\" = [\"1q\", \"obqa\"]\n", {queues}), "");
  EXPECT_EQ(mistakes_of("[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\"]\n\"switch.queues\" = [2, 4]\n"),
            "x:5:1: switch.queues: scheme \"1q\" has no such parameter, nor has any other point; " +
                test::owners_of("queues", schemes()) + " have it");
}

TEST(LoadExperiment, ASettingReplacesAChoiceOfTheFileWithItsParameters) {
  const std::string file = "[switch]\nscheme = \"obqa\"\nqueues = 4\n";
  const Override one{"switch.scheme", Document(std::string("1q"), "--set")};
  const auto spec = std::get<EventSpec>(load(file, {one}).points.front().spec());
  EXPECT_EQ(spec.switches.scheme.name, "1q");
  EXPECT_THAT(mistakes_of("[switch]\nscheme = \"obqa\"\nquees = 4\n", {one}),
              testing::HasSubstr("did you mean \"queues\"?"));
  // a setting without effect stays a mistake
  const Override queues{"switch.queues", Document(std::int64_t{8}, "--set")};
  EXPECT_THAT(mistakes_of(file, {one, queues}), testing::HasSubstr("has no such parameter"));
}

TEST(LoadExperiment, SaysHowManyValuesOfARangeAreWrong) {
  const std::string mistakes = mistakes_of(
      "switch.scheme = \"obqa\"\n[sweep]\n\"switch.queues\" = { from = 1, to = 4, points = 8 }\n");
  EXPECT_EQ(std::ranges::count(mistakes, '\n'), 2);
  EXPECT_THAT(mistakes,
              testing::HasSubstr(
                  "must be a whole number, not 1.8571428571428572, and 5 more such values; at least 1"));
}

TEST(LoadExperiment, TakesTheNamesThatErrorsPrint) {
  const std::string trace = "[traffic.trace]\nfile = \"there-is-none.csv\"\n";
  EXPECT_EQ(mistakes_of(trace, {{"traffic.trace[0].file", Document(std::string("none-either"), "--set")}}),
            "--set: traffic.trace[0].file: none-either: cannot be read: No such file or directory");
  EXPECT_EQ(mistakes_of(trace).substr(0, 30), "x:4:8: traffic.trace[0].file: ");
}

TEST(LoadExperiment, CountsMorePointsThanItTakes) {
  std::string list;
  for (int i = 1; i <= 101; ++i) list += std::to_string(i) + ", ";
  EXPECT_EQ(mistakes_of("switch.scheme = \"dbbm\"\n[sweep]\nseed = [" + list + "]\n\"switch.queues\" = [" +
                        list + "]\n\"network.n\" = [" + list + "]\n"),
            "x:4:1: sweep: has more than 1000000 points; use several files, each with a part of it");
}

// A service level that is out of range is read as 0, which would make the lanes useless.
TEST(LoadExperiment, DoesNotReportConsequencesOfAMistake) {
  EXPECT_EQ(mistakes_of("switch.lanes = 4\n[[traffic.flow]]\nservice_level = 64\n"),
            "x:5:17: traffic.flow[0].service_level: 64 is out of range; at least 0, at most 63");
  // the rows of pairs follow from the sizes
  const Override pair_series{"measure.tables", parse_toml_value("[\"pair-series\"]", "--set")};
  EXPECT_THAT(
      mistakes_of("[[traffic.flow]]\nsizes = \"file\"\nsizes_file = \"nowhere.txt\"\n", {pair_series}),
      testing::StartsWith("x:5:14: traffic.flow[0].sizes_file: nowhere.txt: cannot be read"));
  // neither marks of a scheme nor a reaction to marks, if their names are wrong
  EXPECT_THAT(mistakes_of("switch.marking = \"ecn\"\nnode.reaction = \"dcqcn\"\n"),
              testing::Not(testing::HasSubstr("\n")));
  EXPECT_THAT(mistakes_of("switch.scheme = \"fbicn\"\nswitch.marking = \"isolation\"\n"),
              testing::Not(testing::HasSubstr("\n")));
}

TEST(LoadExperiment, RefusesSeedsThatNoNumberCanHold) {
  const std::string most = "9000000000000000";  // every reader of results keeps its digits
  EXPECT_EQ(mistakes_of("seed = " + most + "\n"), "");
  EXPECT_EQ(mistakes_of("seed = " + most + "\nseeds = 2\n"),
            "x:3:8: seed: " + most +
                " is too large for 2 seeds: each seed is one more than the previous one; "
                "at most 8999999999999999");
  EXPECT_EQ(mistakes_of("seeds = 3\n[sweep]\nseed = [1, " + most + "]\n").substr(0, 40),
            "x:5:12: seed: " + most + " is too la");
  EXPECT_EQ(mistakes_of("[sweep]\nseed = [1, 9007199254740993]\n").substr(0, 46),
            "x:4:12: seed: 9007199254740993 is out of range");
}

// PointNames that differ only in the seed share a check.
TEST(LoadExperiment, APointOfALongSweepTakesLittleMemory) {
  std::string seeds;
  for (int seed = 1; seed <= 20'000; ++seed) seeds += std::to_string(seed) + ", ";
  const std::size_t before = mallinfo2().uordblks;
  const Experiment experiment = load("[sweep]\nseed = [" + seeds + "]\n");
  EXPECT_EQ(experiment.points.size(), 20'000U);
  EXPECT_LT((mallinfo2().uordblks - before) / 20'000, 2000U);
}

TEST(LoadExperiment, SeedsOfASweepAreThoseOfTheirPoints) {
  for (const std::string sweep :
       {"seed = [4, 2]\n\"network.k\" = [2, 3]\n", "\"network.k\" = [2, 3]\nseed = [4, 2]\n"}) {
    const Experiment experiment = load("[sweep]\n" + sweep);
    ASSERT_EQ(experiment.points.size(), 4U);
    for (const Point& point : experiment.points) {
      const Document written = resolved(point.spec());
      EXPECT_EQ(written.find("seed")->get<std::int64_t>()[0], static_cast<std::int64_t>(point.seed));
      for (const auto& [key, value] : point.params) EXPECT_EQ(to_text(*written.find(key)), value);
    }
  }
}

TEST(LoadExperiment, MistakesOfASweepOverSeedsAreToldAsOthers) {
  const std::string sweep = "[sweep]\nseed = [1, 2]\n\"switch.input_memory\" = [\"4 KiB\", \"4 B\"]\n";
  EXPECT_EQ(mistakes_of(sweep),
            "x:5:35: switch.input_memory: 4 B is less than a packet of 64 B (at seed = 1); at least 64 B");
  EXPECT_EQ(mistakes_of("switch.input_memory = \"4 B\"\n[sweep]\nseed = [1, 2]\n"),
            "x:3:23: switch.input_memory: 4 B is less than a packet of 64 B; at least 64 B");
  EXPECT_EQ(mistakes_of("[sweep]\nseed = [1, \"2\"]\n").substr(0, 14), "x:4:12: seed: ");
}

// The seed determines which nodes are left over, so every seed is checked.
TEST(LoadExperiment, SourcesThatAreDrawnAreCheckedSeedBySeed) {
  const std::string flows =
      "[[traffic.flow]]\nsources = { random = 0.5 }\n[[traffic.flow]]\nsources = { nodes = [0, 1] }\n"
      "[[traffic.flow]]\nsources = { fraction = 0.5 }\n";
  std::vector<std::string> fine, refused;
  for (int seed = 1; seed <= 20; ++seed)
    (mistakes_of("seed = " + std::to_string(seed) + '\n' + flows).empty() ? fine : refused)
        .push_back(std::to_string(seed));
  ASSERT_FALSE(fine.empty());
  ASSERT_FALSE(refused.empty());
  EXPECT_NE(mistakes_of(flows + "[sweep]\nseed = [" + fine.front() + ", " + refused.front() + "]\n"), "");
}

TEST(LoadExperiment, ResolvesToADocumentThatRepeatsIt) {
  const std::string cases[] = {
      "seeds = 3\n",
      "[sweep]\n\"switch.scheme\" = [\"1q\", \"dbbm\", \"emptiest\"]\n",
      "[switch]\nqueues = 2\n[sweep]\n\"switch.scheme\" = [\"1q\", \"obqa\"]\n",
      "[[traffic.flow]]\nsources = { fraction = 0.5 }\n[[traffic.flow]]\nsources = { rest = true }\n"
      "[sweep]\n\"traffic.flow.pattern\" = [\"uniform\", \"hotspot\"]\nseed = [4, 2]\n",
      "[[sweep.zip]]\n\"network.topology\" = [\"k-ary-n-tree\", \"single-switch\"]\nseed = [4, 2]\n",
      "[sweep]\n\"traffic.flow[0].sources\" = [{ first = 2 }, \"all\"]\nseed = [4, 2]\n"};
  for (const std::string& text : cases) {
    const Experiment original = load(text);
    const std::string written = write_toml(original.document);
    const Experiment repeated = load_experiment(parse_toml(written, "y"));
    EXPECT_EQ(points_of(repeated), points_of(original)) << written;
    EXPECT_EQ(repeated.seeds, original.seeds);
    ASSERT_EQ(repeated.points.size(), original.points.size());
    for (std::size_t i = 0; i < repeated.points.size(); ++i)
      EXPECT_EQ(resolved(repeated.points[i].spec()), resolved(original.points[i].spec())) << written;
    EXPECT_EQ(write_toml(repeated.document), written);
  }
}

}  // namespace
}  // namespace headway
