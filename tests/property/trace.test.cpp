// SPDX-License-Identifier: Apache-2.0
// Traces from spec to result. Every message of the window is generated at its tick. A trace that is written
// and read back is unchanged. Loads are as requested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/compile/trace.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "tests/support/trace_bytes.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

class Traces : public testing::Test {
 protected:
  Traces() : folder_(fs::temp_directory_path() / ("headway-traces-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Traces() override { fs::remove_all(folder_); }
  Traces(const Traces&) = delete;
  Traces& operator=(const Traces&) = delete;

  // The synthetic trace of the spec, as `headway trace make` writes it.
  std::string make(const EventSpec& spec, const std::string& name) const {
    const std::string path = folder_ / name;
    const auto reader = spec.traffic.traces[0].format->open({.seed = spec.seed});
    write_csv(*reader, *create_bytes(path));
    return path;
  }

  fs::path folder_;
};

EventSpec small_spec() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.switches.scheme = choose(schemes(), "obqa", {{"queues", 4}});
  spec.traffic.flows.clear();
  TraceSpec& trace = spec.traffic.traces.emplace_back();
  trace.format = choose(trace_formats(), "synthetic", {{"length", Duration{Rational(4'000'000)}}});
  trace.compression = 40;
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{Rational(400'000)};
  spec.seed = 5;
  return spec;
}

TEST_F(Traces, WrittenAndReadBackGiveTheSameResult) {
  const EventSpec made = small_spec();
  const Result expected = run(made, {.check = true});
  EXPECT_GT(expected.metric("trace_messages"), 30);
  for (const char* name : {"trace.csv", "trace.csv.gz", "trace.csv.zst"}) {
    EventSpec read = made;
    read.traffic.traces[0].format = choose(trace_formats(), "csv", {{"file", make(made, name)}});
    const Result result = run(read);
    EXPECT_EQ(result.trace_hash, expected.trace_hash) << name;
    for (std::size_t i = 0; i < expected.metrics.size(); ++i)
      if (!std::isnan(expected.metrics[i].second)) EXPECT_EQ(result.metrics[i], expected.metrics[i]) << name;
  }
}

TEST_F(Traces, EveryMessageOfTheWindowIsInjectedAndDelivered) {
  EventSpec spec = small_spec();
  spec.traffic.traces[0].begin = Duration{Rational(1'000'000)};
  spec.traffic.traces[0].end = Duration{Rational(3'000'000)};
  const TraceWindow window = window_of(spec.traffic.traces[0], 16, spec.seed);
  const TraceLoad load = load_of(window);
  const Model model = build(spec);
  std::vector<Delivery> deliveries;
  const auto simulation = make_simulation(
      model.network, model.workload, {.seed = spec.seed, .check = true, .deliveries = append_to(deliveries)});
  // all messages are generated exactly when due
  TracePass pass(window);
  std::uint64_t messages = 0, bytes = 0;
  const TraceClock clock(window.begin, Rational(40), model.network.tick, 0);
  for (auto next = pass.next(); next; next = pass.next()) {
    const Tick tick = clock.at(next->time);
    simulation->run_until(tick);
    EXPECT_EQ(simulation->record().counters.trace_messages, messages);
    simulation->run_until(tick + 1);
    for (;;) {
      ++messages;
      bytes += next->bytes;
      if (simulation->record().counters.trace_messages == messages) break;
      next = pass.next();
      ASSERT_TRUE(next.has_value());
      EXPECT_EQ(clock.at(next->time), tick);
    }
    EXPECT_EQ(simulation->record().counters.bytes_generated, bytes);
  }
  EXPECT_EQ(messages, load.messages);
  simulation->run_until(10'000'000);
  EXPECT_EQ(simulation->record().counters.bytes_delivered, load.bytes);
}

TEST_F(Traces, CompressionMeetsTheTargetLoad) {
  EventSpec spec = small_spec();
  spec.traffic.traces[0].compression = 1;
  spec.traffic.traces[0].target_load = 0.2;
  spec.traffic.traces[0].end = Duration{Rational(4'000'000)};
  Result result = run(spec);
  const double length = 4'000'000 / result.metric("trace_compression");  // ns
  spec.measure.duration = Duration{Rational(static_cast<std::int64_t>(length))};
  result = run(spec);
  // replies to the last requests fall after the window
  EXPECT_NEAR(result.metric("offered_load"), 0.2, 0.02);
  spec.traffic.traces[0].target_of = LoadTarget::hottest_link;
  EXPECT_LT(run(spec).metric("trace_compression"), result.metric("trace_compression"));
}

TEST_F(Traces, SpecsNameFilesRelativeToThemselves) {
  const std::string path = make(small_spec(), "mine.csv");
  std::ofstream(folder_ / "my.toml") << "[network]\nk = 4\nn = 2\n[traffic.trace]\nfile = \"mine.csv\"\n";
  const Experiment experiment = load_experiment(read_toml(folder_ / "my.toml"));
  const EventSpec spec = std::get<EventSpec>(experiment.points[0].spec());
  EXPECT_TRUE(spec.traffic.flows.empty());
  ASSERT_EQ(spec.traffic.traces.size(), 1U);
  const std::string resolved = write_toml(experiment.document);
  EXPECT_THAT(resolved, testing::HasSubstr(path));
  EXPECT_EQ(write_toml(load_experiment(parse_toml(resolved, "again")).document), resolved);
}

TEST_F(Traces, MistakesAreFoundBeforeAnythingRuns) {
  const auto mistakes_of = [&](const std::string& trace, const std::string& rest = "") {
    try {
      load_experiment(
          parse_toml("[network]\nk = 4\nn = 2\n" + rest + "[traffic.trace]\n" + trace, "my.toml"));
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using testing::HasSubstr;
  EXPECT_THAT(mistakes_of(""), HasSubstr("my.toml:4:1: traffic.trace[0].file: is not given"));
  EXPECT_THAT(mistakes_of("file = \"/nowhere/x.csv\""),
              HasSubstr("/nowhere/x.csv: cannot be read: No such file or directory"));
  EXPECT_THAT(mistakes_of("format = \"srtt\""), HasSubstr("did you mean \"srt\""));
  EXPECT_THAT(mistakes_of("disks = 3"), HasSubstr("\"synthetic\" has it"));
  const std::string synthetic = "format = \"synthetic\"\n";
  EXPECT_EQ(mistakes_of(synthetic), "");
  EXPECT_THAT(mistakes_of(synthetic + "compression = 2.0\ntarget_load = 0.5"),
              HasSubstr("give only one of them"));
  EXPECT_THAT(mistakes_of(synthetic + "begin = \"2 us\"\nend = \"1 us\""),
              HasSubstr("is not after the begin"));
  EXPECT_THAT(mistakes_of(synthetic + "flush_share = 0.9"), HasSubstr("flushes consist of writes"));
  EXPECT_THAT(mistakes_of(synthetic + "storage = { first = 99 }"),
              HasSubstr("the first 99 nodes do not exist"));
  EXPECT_THAT(mistakes_of(synthetic, "[node]\nadmittance_limit = \"1 KiB\"\n"),
              HasSubstr("cannot be used with traces"));
  std::ofstream(folder_ / "bad.csv") << "time_us,source,destination,bytes\n0,1,2\n";
  EXPECT_THAT(mistakes_of("file = \"" + (folder_ / "bad.csv").string() + "\""),
              HasSubstr("record 1 (line 2)"));
}

TEST_F(Traces, SkippedRecordsAreCounted) {
  const std::string path = folder_ / "holes.csv";
  std::ofstream(path) << "time_ns,source,destination,bytes\n0,1,2,100\n1,1\n2,99,0,5\n3,2,1,100\n";
  EventSpec spec = small_spec();
  spec.traffic.traces[0] = {.format = choose(trace_formats(), "csv", {{"file", path}})};
  EXPECT_THROW(run(spec), SpecError);
  spec.traffic.traces[0].skip_bad = true;
  const Result result = run(spec);
  EXPECT_EQ(result.metric("trace_messages"), 2);
  EXPECT_EQ(result.metric("trace_records_skipped"), 2);
}

}  // namespace
}  // namespace headway
