// SPDX-License-Identifier: Apache-2.0
// headway bench: measures the speed of the simulator on this machine in standard cases, and compares it with
// a recording.
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

// One case of a recording.
struct Recorded {
  double ns_per_hop = 0;
  double bytes = 0;
  std::string trace_hash;
};

std::map<std::string, Recorded> read_recording(const std::string& path) {
  std::istringstream file(read_text(path));
  std::string line;
  std::getline(file, line);
  if (line != kColumns) throw UsageError(fmt::format("{} is not a recording of headway bench", path));
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
                     "ns/hop", "B/port", "B/node", "peak MiB", "delivery hash",
                     compares ? "   time  memory" : "");
}

std::string case_row(const Benchmark& benchmark, const BenchmarkResult& result, const Recorded* recorded) {
  const auto bytes = static_cast<double>(result.bytes);
  std::string text =
      fmt::format("{:<26}{:>8}{:>13.2f}{:>8.1f}{:>9.0f}{:>9.0f}{:>10.1f}  {}", benchmark.name, result.nodes,
                  1e3 / result.ns_per_hop, result.ns_per_hop, bytes / result.ports, bytes / result.nodes,
                  bytes / (1 << 20), hash_text(result.trace_hash));
  if (recorded != nullptr) {
    text +=
        fmt::format("{:>6.2f}x{:>7.2f}x", result.ns_per_hop / recorded->ns_per_hop, bytes / recorded->bytes);
    if (recorded->trace_hash != hash_text(result.trace_hash)) text += "  deliveries differ";
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

int run_bench(const Arguments& arguments, Terminal& terminal) {
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
      terminal.print(case_row(benchmark, result, known == recorded.end() ? nullptr : &known->second));
    terminal.flush();
  }
  if (!found) throw UsageError(fmt::format("no case has a name that contains '{}'", wanted));
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
      .summary = "measure packet-hops per second on this machine in the standard cases",
      .description =
          "Simulates fat-trees of 64 to 65,536 nodes at two loads with five queueing schemes. Prints for "
          "each case the packet-hops (one packet crossing one switch) per second of processor time, the "
          "nanoseconds per hop, the memory per switch port and per node, and a delivery hash that changes "
          "with any change of behaviour.\n\n"
          "With --baseline, also prints time and memory as ratios to a recording that --save wrote on the "
          "same machine.",
      .flags = {{.name = "--quick",
                 .help = "omits the cases with 65,536 nodes and measures for a quarter of the time"},
                {.name = "--case", .value = "TEXT", .help = "runs only the cases whose name contains TEXT"},
                {.name = "--json", .help = "prints a single JSON document instead of a table"},
                {.name = "--baseline",
                 .value = "FILE",
                 .help = "compares with the recording in FILE",
                 .completes = Completes::files},
                {.name = "--save",
                 .value = "FILE",
                 .help = "writes the results to FILE as a recording",
                 .completes = Completes::files}},
      .examples = {{"headway bench --quick", "runs for one minute instead of several"},
                   {"headway bench --case \"4-ary-6-tree obqa-4\"", "runs one case: 4096 nodes, one scheme"}},
      .run = run_bench};
}

}  // namespace headway::cli
