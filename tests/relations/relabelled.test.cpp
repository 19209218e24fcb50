// SPDX-License-Identifier: Apache-2.0
// The numbers of nodes are only names: with other numbers for the nodes of a network and of its traffic, each
// node gets the same packets at the same times.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/exports/export.h"
#include "headway/run/run.h"
#include "tests/relations/relations.h"
#include "tests/support/columns.h"
#include "tests/support/dice.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

using Numbers = std::vector<std::uint32_t>;  // [node] its new number

// The network file with its nodes in the order of their new numbers.
std::string network_with(const Numbers& numbers, const std::string& text) {
  Document network = parse_toml(text, "network.toml");
  for (Document::Member& member : std::get<Document::Table>(network.value)) {
    if (member.name != "node") continue;
    const auto old = std::get<Document::Array>(member.value.value);
    for (std::size_t node = 0; node < old.size(); ++node)
      std::get<Document::Array>(member.value.value)[numbers[node]] = old[node];
  }
  return write_toml(network);
}

// The file of routes: lines such as "switch 3", "5 0" and "0-3 1,2".
std::string routes_with(const Numbers& numbers, const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string nodes, ports;
    words >> nodes >> ports;
    if (nodes == "switch" || nodes == "#") {
      result += line + '\n';
      continue;
    }
    const std::size_t dash = nodes.find('-');
    const unsigned long first = std::stoul(nodes);
    const unsigned long last = dash == std::string::npos ? first : std::stoul(nodes.substr(dash + 1));
    for (unsigned long node = first; node <= last; ++node)
      result += fmt::format("{} {}\n", numbers[node], ports);
  }
  return result;
}

struct SentMessage {
  std::uint32_t time, source, destination, bytes;
};

std::vector<SentMessage> messages_of(std::uint64_t number, std::uint32_t nodes, std::int64_t packet) {
  test::Dice dice(number);
  std::vector<SentMessage> messages;
  std::uint32_t time = 0;
  for (int i = 0; i < 300; ++i) {
    const std::uint32_t source = dice.from(0, nodes - 1);
    messages.push_back({time, source, (source + dice.from(1, nodes - 1)) % nodes,
                        dice.from(1, static_cast<std::uint32_t>(3 * packet))});
    time += dice.from(0, static_cast<std::uint32_t>(packet / 2));
  }
  return messages;
}

class RelationOfNodeNumbers : public testing::Test {
 protected:
  RelationOfNodeNumbers() { fs::create_directories(directory_); }
  ~RelationOfNodeNumbers() override { fs::remove_all(directory_); }

  void write(const char* name, const std::string& text) const { std::ofstream(directory_ / name) << text; }

  Result result_with(const Numbers& numbers, const std::vector<ExportedFile>& files,
                     const std::vector<SentMessage>& messages) const {
    for (const ExportedFile& file : files)
      write(file.name.c_str(), file.name == "network.toml" ? network_with(numbers, file.content)
                               : file.name == "routes.txt" ? routes_with(numbers, file.content)
                                                           : file.content);
    std::string trace = "time_ns,source,destination,bytes\n";
    for (const SentMessage& message : messages)
      trace += fmt::format("{},{},{},{}\n", message.time, numbers[message.source],
                           numbers[message.destination], message.bytes);
    write("messages.csv", trace);
    Document spec = read_toml(directory_ / "spec.toml");
    for (Document::Member& member : std::get<Document::Table>(spec.value)) {
      if (member.name != "traffic") continue;
      auto& traffic = std::get<Document::Table>(member.value.value);
      std::erase_if(traffic, [](const Document::Member& part) { return part.name == "flow"; });
      traffic.push_back(
          {"trace", "",
           Document(Document::Table{{"file", "", Document((directory_ / "messages.csv").string())},
                                    {"format", "", Document(std::string("csv"))}})});
    }
    return run(load_experiment(spec).points.front().spec());
  }

  const fs::path directory_ = fs::path(testing::TempDir()) / ("relabelled" + std::to_string(getpid()));
};

TEST_F(RelationOfNodeNumbers, NodesGetTheSamePackets) {
  test::for_each_number(40, [&](std::uint64_t number) {
    EventSpec spec = test::related_spec(number);
    constexpr const char* kSchemes[] = {"1q", "voqsw", "obqa"};  // they do not look at destinations
    spec.switches.scheme = choose(schemes(), kSchemes[number % 3]);
    if (!spec.switches.queue_memory) spec.switches.queue_memory = Bytes{3 * spec.traffic.packet.count};
    spec.switches.weights.clear();
    spec.node.admittance_limit.reset();
    spec.measure.warmup = Duration{0};
    spec.measure.duration = Duration{20'000};
    if (spec.switches.arbiter == ArbiterKind::random) spec.switches.arbiter = ArbiterKind::round_robin;
    const auto nodes = static_cast<std::uint32_t>(spec.network.topology->nodes());
    if (nodes < 2 || !test::is_valid(spec)) return false;
    std::vector<ExportedFile> files;
    try {
      files = export_files(spec);
    } catch (const SpecError&) {
      return false;
    }
    const auto several_ports = [](const ExportedFile& file) {
      return file.name == "routes.txt" &&
             file.content.find(',', file.content.find('\n')) != std::string::npos;
    };
    if (std::ranges::any_of(files, several_ports)) return false;  // a hash of the numbers chooses among them
    Numbers as_before(nodes);
    std::iota(as_before.begin(), as_before.end(), 0);
    Numbers others = as_before;
    test::Dice dice(number);
    for (std::uint32_t i = 1; i < nodes; ++i) std::swap(others[i], others[dice.from(0, i)]);
    const std::vector<SentMessage> messages = messages_of(number, nodes, spec.traffic.packet.count);
    const Result before = result_with(as_before, files, messages);
    const Result after = result_with(others, files, messages);
    EXPECT_GT(before.metric("packets_delivered"), 100);
    EXPECT_EQ(before.status, after.status);
    for (const auto& [name, value] : before.metrics) {
      const double other = after.metric(name);
      EXPECT_TRUE(value == other || (std::isnan(value) && std::isnan(other)) ||
                  std::abs(value - other) <= 1e-12 * std::abs(value))
          << name << ": " << value << " and " << other;
    }
    for (NodeId node = 0; node < nodes; ++node)
      for (const char* column : {"packets_delivered", "accepted_load", "latency_mean_ns"}) {
        const double value = test::column(before.table("per_destination"), column)[node];
        const double other = test::column(after.table("per_destination"), column)[others[node]];
        EXPECT_TRUE(value == other || (std::isnan(value) && std::isnan(other))) << column << " of " << node;
      }
    return true;
  });
}

}  // namespace
}  // namespace headway
