// SPDX-License-Identifier: Apache-2.0
// headway bench: the speed of the simulator on this machine, by its standard cases, and against a recording.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "headway/base/version.h"
#include "headway/cli/command.h"
#include "headway/io/atomic_file.h"
#include "headway/run/benchmark.h"

namespace headway::cli {
namespace {

constexpr std::string_view kColumns = "case,ns_per_hop,bytes,trace_hash";

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

// What a recording says of one case.
struct Recorded {
  double ns_per_hop = 0;
  double bytes = 0;
  std::string trace_hash;
};

std::map<std::string, Recorded> read_recording(const std::string& path) {
  std::istringstream file(read_text(path));
  std::string line;
  std::getline(file, line);
  if (line != kColumns) throw UsageError(fmt::format("{} is no recording of headway bench", path));
  std::map<std::string, Recorded> cases;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string name;
    Recorded recorded;
    char comma = 0;
    std::getline(fields, name, ',');
    if (!(fields >> recorded.ns_per_hop >> comma >> recorded.bytes >> comma >> recorded.trace_hash))
      throw UsageError(fmt::format("{}: cannot read the line '{}'", path, line));
    cases[name] = recorded;
  }
  return cases;
}

std::string header(bool compares) {
  return fmt::format("{:<26}{:>8}{:>13}{:>8}{:>9}{:>9}{:>10}  {:<16}{}\n", "case", "nodes", "Mhops/CPU s",
                     "ns/hop", "B/port", "B/node", "peak MiB", "trace hash",
                     compares ? "   time  memory" : "");
}

std::string row(const Benchmark& benchmark, const BenchmarkResult& result, const Recorded* recorded) {
  const auto bytes = static_cast<double>(result.bytes);
  std::string text =
      fmt::format("{:<26}{:>8}{:>13.2f}{:>8.1f}{:>9.0f}{:>9.0f}{:>10.1f}  {}", benchmark.name, result.nodes,
                  1e3 / result.ns_per_hop, result.ns_per_hop, bytes / result.ports, bytes / result.nodes,
                  bytes / (1 << 20), hash_text(result.trace_hash));
  if (recorded != nullptr) {
    text +=
        fmt::format("{:>6.2f}x{:>7.2f}x", result.ns_per_hop / recorded->ns_per_hop, bytes / recorded->bytes);
    if (recorded->trace_hash != hash_text(result.trace_hash)) text += "  another trace";
  }
  return text + '\n';
}

nlohmann::ordered_json json_of(const Benchmark& benchmark, const BenchmarkResult& result) {
  const auto bytes = static_cast<double>(result.bytes);
  const std::string unit =
      std::holds_alternative<SlottedSpec>(benchmark.spec) ? "switch_update" : "packet_hop";
  return {{"case", benchmark.name},
          {"nodes", result.nodes},
          {unit + "s", result.hops},
          {"cpu_s", result.cpu_s},
          {unit + "s_per_cpu_s", 1e9 / result.ns_per_hop},
          {"ns_per_" + unit, result.ns_per_hop},
          {"bytes_per_port", bytes / result.ports},
          {"bytes_per_node", bytes / result.nodes},
          {"peak_bytes", result.bytes},
          {"trace_hash", hash_text(result.trace_hash)}};
}

int run(const Arguments& arguments, Terminal& terminal) {
  std::map<std::string, Recorded> recorded;
  if (const auto path = arguments.value("--baseline")) recorded = read_recording(*path);
  const bool json = arguments.has("--json");
  const std::string wanted = arguments.value("--case").value_or("");

  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::string recording = fmt::format("{}\n", kColumns);
  if (!json) terminal.print(header(!recorded.empty()));
  bool found = false;
  for (const Benchmark& benchmark : benchmarks(arguments.has("--quick"))) {
    if (benchmark.name.find(wanted) == std::string::npos) continue;
    found = true;
    terminal.progress(benchmark.name);
    const BenchmarkResult result = run(benchmark);
    terminal.progress("");
    recording += fmt::format("{},{:.1f},{},{}\n", benchmark.name, result.ns_per_hop, result.bytes,
                             hash_text(result.trace_hash));
    if (const auto path = arguments.value("--save")) write_file(*path, recording);
    const auto known = recorded.find(benchmark.name);
    if (json)
      results.push_back(json_of(benchmark, result));
    else
      terminal.print(row(benchmark, result, known == recorded.end() ? nullptr : &known->second));
    terminal.flush();
  }
  if (!found) throw UsageError(fmt::format("no case has '{}' in its name", wanted));
  if (json)
    terminal.print(
        nlohmann::ordered_json{{"headway", version()}, {"compiler", compiler()}, {"cases", results}}.dump(2) +
        "\n");
  return kFine;
}

}  // namespace

Command command_bench() {
  return {
      .name = "bench",
      .summary = "packet-hops per second on this machine, for the standard cases",
      .description =
          "Runs fat-trees of 64 to 65,536 nodes at two loads under five queueing schemes and prints, per "
          "case, "
          "packet-hops (one packet crossing one switch) per second of processor time, nanoseconds per hop, "
          "the "
          "memory taken per switch port and per node, and the trace hash, which any change of behaviour "
          "changes.\n\n"
          "With --baseline the time and the memory are also given as ratios to a recording made by --save on "
          "the same machine.",
      .flags = {{.name = "--quick", .help = "leave out 65,536 nodes, and measure a quarter of the time"},
                {.name = "--case", .value = "TEXT", .help = "only the cases with this in their name"},
                {.name = "--json", .help = "one JSON document instead of a table"},
                {.name = "--baseline",
                 .value = "FILE",
                 .help = "compare with the recording in FILE",
                 .completes = Completes::files},
                {.name = "--save",
                 .value = "FILE",
                 .help = "record the results in FILE",
                 .completes = Completes::files}},
      .examples = {{"headway bench --quick", "a minute instead of several"},
                   {"headway bench --case \"4-ary-6-tree obqa-4\"", "4096 nodes, one scheme"}},
      .run = run};
}

}  // namespace headway::cli
