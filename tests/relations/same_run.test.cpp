// SPDX-License-Identifier: Apache-2.0
// Specs that describe the same run, or the same run in other units, give the same results.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "headway/base/error.h"
#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/exports/export.h"
#include "headway/run/run.h"
#include "headway/spec/write_spec.h"
#include "tests/relations/relations.h"
#include "tests/support/dice.h"

namespace headway {
namespace {

using test::difference;
using test::Differences;
using test::for_each_number;
using test::related_spec;
using test::result_of;

Document document_of(const EventSpec& spec) { return resolved(Spec(spec)); }

std::string same(const Bytes& bytes) { return to_string(bytes); }

// All times are longer by a factor: delays, times of the traffic and of the measurement, the time of a byte.
TEST(RelationOfSpecs, InSlowMotion) {
  for_each_number(40, [](std::uint64_t number) {
    const std::int64_t factor = 2 + static_cast<std::int64_t>(number % 4);
    EventSpec spec = related_spec(number);
    spec.observe.waiting = number % 3 == 0;
    spec.observe.interval = Duration{50};
    const Document slow = test::with_quantities(
        document_of(spec),
        {.duration = [&](const Duration& time) { return to_string(Duration{time.ns * Rational(factor)}); },
         .rate = [&](const Rate& rate) { return to_string(Rate{rate.bytes_per_ns / Rational(factor)}); },
         .bytes = same});
    EXPECT_EQ(difference(result_of(spec), result_of(slow),
                         {.time = static_cast<double>(factor), .tolerance = 1e-9}),
              "");
    return true;
  });
}

// All sizes and all times but that of a byte are larger by a factor. A common time in both specs makes their
// ticks equal.
TEST(RelationOfSpecs, WithLargerPackets) {
  for_each_number(40, [](std::uint64_t number) {
    constexpr std::int64_t kFactor = 2;
    EventSpec spec = related_spec(number);
    for (FlowSpec& flow : spec.traffic.flows)
      if (flow.sizes.name != "fixed") flow.sizes = choose(message_sizes(), "fixed");
    const Rational tick = build(spec).network.tick.ns / Rational(kFactor);
    spec.measure.warmup = Duration{spec.measure.warmup->ns + tick};
    const Document large = test::with_quantities(
        document_of(spec),
        {.duration = [](const Duration& time) { return to_string(time); },
         .rate = [&](const Rate& rate) { return to_string(Rate{rate.bytes_per_ns * Rational(kFactor)}); },
         .bytes = [&](const Bytes& bytes) { return to_string(Bytes{bytes.count * kFactor}); }});
    EXPECT_EQ(difference(result_of(spec), result_of(large), {.tolerance = 1e-9, .all_metrics = false}), "");
    return true;
  });
}

TEST(RelationOfSpecs, InOtherUnits) {
  for_each_number(40, [](std::uint64_t number) {
    const EventSpec spec = related_spec(number);
    const auto in = [](const Rational& value, std::int64_t per_unit, const char* unit) {
      const Rational all = value * Rational(per_unit);
      return all.is_integer() ? fmt::format("{} {}", all.numerator(), unit) : "";
    };
    const Document other = test::with_quantities(
        document_of(spec), {.duration =
                                [&](const Duration& time) {
                                  const std::string text = in(time.ns, 1000, "ps");
                                  return text.empty() ? to_string(time) : text;
                                },
                            .rate =
                                [&](const Rate& rate) {
                                  const std::string text = in(rate.bytes_per_ns, 8000, "Mbit/s");
                                  return text.empty() ? to_string(rate) : text;
                                },
                            .bytes =
                                [&](const Bytes& bytes) {
                                  return bytes.count % 1024 == 0 ? fmt::format("{} KiB", bytes.count / 1024)
                                                                 : fmt::format("{} B", bytes.count);
                                }});
    EXPECT_EQ(difference(result_of(spec), result_of(other)), "");
    return true;
  });
}

void shuffle(Document& document, test::Dice& dice) {
  if (auto* const table = std::get_if<Document::Table>(&document.value)) {
    for (std::uint32_t i = 1; i < table->size(); ++i) std::swap((*table)[i], (*table)[dice.from(0, i)]);
    for (Document::Member& member : *table) shuffle(member.value, dice);
  } else if (auto* const array = std::get_if<Document::Array>(&document.value)) {
    for (Document& element : *array) shuffle(element, dice);
  }
}

TEST(RelationOfSpecs, WithKeysInAnotherOrder) {
  for_each_number(40, [](std::uint64_t number) {
    const Document document = document_of(related_spec(number));
    Document other = document;
    test::Dice dice(number);
    shuffle(other, dice);
    EXPECT_EQ(difference(result_of(document), result_of(other)), "");
    return true;
  });
}

// A flow of load 0 from the sources of the first flow.
FlowSpec idle_flow(const EventSpec& spec) {
  const Model model = build(spec);
  FlowSpec idle;
  idle.sources = {.kind = NodeSet::Kind::nodes};
  for (const Source& source : model.workload.sources)
    if (model.flow_of_spec[source.flow] == 0) idle.sources.nodes.push_back(source.node);
  idle.pattern = choose(patterns(), "uniform", {{"include_self", true}});
  idle.load.points = {{Duration{0}, 0}};
  return idle;
}

// The result without what it says of the flow with this name.
Result without_flow(Result result, const std::string& name) {
  std::erase_if(result.metrics, [&](const auto& metric) { return metric.first.starts_with(name + '.'); });
  for (auto& [table, columns] : result.tables) {
    const Column* const flows = find_column(columns, "flow");
    if (flows == nullptr) continue;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < flows->words.size(); ++row)
      if (flows->words[row] != name) rows.push_back(row);
    Table kept;
    for (const Column& column : columns) {
      Column& left = kept.emplace_back(Column{column.name});
      for (const std::size_t row : rows)
        if (column.words.empty())
          left.values.push_back(column.values[row]);
        else
          left.words.push_back(column.words[row]);
    }
    columns = std::move(kept);
  }
  return result;
}

TEST(RelationOfSpecs, WithAnIdleFlow) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    const Result alone = result_of(spec);
    spec.traffic.flows.push_back(idle_flow(spec));
    const std::string name = fmt::format("flow {}", spec.traffic.flows.size() - 1);
    EXPECT_EQ(difference(alone, without_flow(result_of(spec), name)), "");
    return true;
  });
}

// Twice as many lanes with twice the memory, of which every packet uses the first half.
TEST(RelationOfSpecs, WithUnusedLanes) {
  for_each_number(60, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    if (spec.switches.scheme->pools_memory()) return false;
    const Graph graph = spec.network.topology->build(spec.network.link);
    const std::uint32_t queues =
        with_virtual_channels(spec.switches, spec.switches.scheme->build(graph)).queues;
    if (!spec.switches.queue_memory)
      spec.switches.queue_memory = Bytes{spec.switches.input_memory.value_or(Bytes{4096}).count / queues};
    const FlowSpec idle = idle_flow(spec);
    spec.traffic.flows.push_back(idle);
    if (!test::is_valid(spec)) return false;
    const Result few = result_of(spec);
    spec.traffic.flows.back().service_level = 1;
    spec.switches.lanes = 2;
    if (spec.node.injection_memory) spec.node.injection_memory->count *= 2;
    const std::vector<std::int64_t> weights = spec.switches.weights;
    spec.switches.weights.insert(spec.switches.weights.end(), weights.begin(), weights.end());
    spec.switches.output_memory = Bytes{spec.switches.output_memory.value_or(Bytes{4096}).count * 2};
    if (!test::is_valid(spec)) return false;
    EXPECT_EQ(difference(few, result_of(spec), {.all_metrics = false}), "");
    return true;
  });
}

TEST(RelationOfSpecs, WithAnObserver) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    const Result unseen = result_of(spec);
    spec.observe.waiting = true;
    spec.observe.interval = Duration{static_cast<std::int64_t>(1 + number % 90)};
    EXPECT_EQ(difference(unseen, result_of(spec)), "");
    return true;
  });
}

TEST(RelationOfSpecs, WithMoreTables) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    const Result more = result_of(spec);
    spec.measure.tables.clear();
    EXPECT_EQ(difference(result_of(spec), more), "");
    for (const char* const table : {"fairness", "cost", "port-series"}) {
      EventSpec with = spec;
      with.measure.tables = {table};
      if (test::is_valid(with)) EXPECT_EQ(difference(more, result_of(with)), "");
    }
    return true;
  });
}

TEST(RelationOfSpecs, AsAPointOfASweep) {
  for_each_number(30, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    const Duration delay = spec.network.link.delay;
    Document swept = document_of(spec);
    const auto text = [](const Duration& of) { return Document(to_string(of)); };
    const Document::Array delays = {text(Duration{delay.ns * Rational(3)}), text(delay)};
    swept.set("sweep", Document(Document::Table{{"network.link.delay", "", Document(delays)}}));
    const Experiment experiment = load_experiment(parse_toml(write_toml(swept), "swept.toml"));
    if (experiment.points.size() != 2) return ADD_FAILURE(), true;
    for (std::size_t point : {0, 1}) {
      spec.network.link.delay = Duration{delay.ns * Rational(point == 0 ? 3 : 1)};
      const Result in_sweep = run(experiment.points[point].spec(), {.memo = experiment.memo.get()});
      EXPECT_EQ(difference(in_sweep, result_of(spec)), "") << point;
    }
    return true;
  });
}

// A network of the slotted kernel with few slots.
Document slotted_document(std::uint64_t number) {
  test::Dice dice(number);
  constexpr const char* kWirings[] = {"omega", "delta", "generalised-cube", "indirect-cube", "baseline"};
  const std::uint32_t classes = dice.from(1, 3);
  return parse_toml(
      fmt::format(
          "kernel = \"slotted\"\nseed = {}\n[network]\ntopology = \"{}\"\nnodes = {}\nlayers = {}\n"
          "[switch]\nclasses = {}\nbuffer = {}\nlayered_buffer = {}\nqueueing = \"{}\"\nblocked = \"{}\"\n"
          "pass = {}\nreuse = {}\n[traffic]\nload = {}\nhotspot_fraction = {}\nhotspot = {}\n"
          "when_full = \"{}\"\n[measure]\nslots = 6400\nwarmup_slots = 20\n",
          number, kWirings[dice.from(0, 4)], dice.one_in(2) ? 16 : 64, dice.one_in(2) ? 1 : 2, classes,
          dice.from(1, 4), dice.from(1, 2), dice.one_in(2) ? "input-link" : "output-link",
          dice.one_in(2) ? "wait" : "redraw", dice.one_in(2), dice.one_in(2), 0.1 * dice.from(1, 10),
          0.05 * dice.from(0, 3), dice.from(0, 15), dice.one_in(2) ? "drop" : "hold"),
      "slotted.toml");
}

TEST(RelationOfSpecs, HoldForTheSlottedKernel) {
  for_each_number(15, [](std::uint64_t number) {
    Document document = slotted_document(number);
    const Result alone = result_of(document);
    test::Dice dice(number);
    shuffle(document, dice);
    EXPECT_EQ(difference(alone, result_of(document)), "") << "keys in another order";
    const Document load = *document.find("traffic.load");
    const Document::Array loads = {Document(0.05), load};
    document.set("sweep", Document(Document::Table{{"traffic.load", "", Document(loads)}}));
    const Experiment experiment = load_experiment(parse_toml(write_toml(document), "swept.toml"));
    EXPECT_EQ(difference(alone, run(experiment.points.back().spec())), "") << "as a point of a sweep";
    return true;
  });
}

class RelationOfExports : public testing::Test {
 protected:
  RelationOfExports() { std::filesystem::create_directories(directory_); }
  ~RelationOfExports() override { std::filesystem::remove_all(directory_); }

  const std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) / ("exported" + std::to_string(getpid()));
};

// A network of a family, and the same network from the files that `headway export` writes. A table of routes
// without choices adds the demand of a link by destination, and `ecmp` adds it by pair.
TEST_F(RelationOfExports, IsTheSameRun) {
  for_each_number(60, [&](std::uint64_t number) {
    const EventSpec spec = related_spec(number);
    std::vector<ExportedFile> files;
    try {
      files = export_files(spec);
    } catch (const SpecError&) {
      return false;
    }
    for (const ExportedFile& file : files) std::ofstream(directory_ / file.name) << file.content;
    const Result exported = run(load_experiment(read_toml(directory_ / "spec.toml")).points.front().spec());
    EXPECT_EQ(difference(result_of(spec), exported, {.summed_otherwise = "demand", .all_metrics = false}),
              "");
    return true;
  });
}

}  // namespace
}  // namespace headway
