// SPDX-License-Identifier: Apache-2.0
// Measures the speed of the simulator on this machine in the standard cases, and compares it with a recording
// (README.md).
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "bench/cases.h"
#include "bench/large.h"
#include "bench/scaling.h"
#include "headway/cli/parse.h"
#include "headway/compile/machine.h"
#include "headway/io/atomic_file.h"

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
  if (line != kColumns) throw UsageError(fmt::format("{} is not a recording of this program", path));
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

// Large networks, as long as memory suffices.
int measure_large(const Arguments& arguments, Terminal& terminal) {
  const std::string wanted = arguments.value("--case").value_or("");
  const auto threads = static_cast<std::uint32_t>(arguments.number("--threads", 1, 1024).value_or(1));
  terminal.print(fmt::format("{:<24}{:>9}{:>10}{:>10}{:>8}{:>9}{:>10}{:>10}{:>10}  {}\n", "network", "nodes",
                             "build s", "s per us", "ns/hop", "B/node", "MiB", "expected", "resident",
                             "delivery hash"));
  for (const LargeNetwork& network : large_networks()) {
    if (network.name.find(wanted) == std::string::npos) continue;
    terminal.progress(network.name);
    const std::uint64_t needed = expected_memory(network.spec, threads), free = available_memory();
    terminal.progress("");
    if (needed > free) {
      terminal.print(fmt::format("{:<24}left out: it needs {} of memory, and {} are free\n", network.name,
                                 memory_text(needed), memory_text(free)));
      continue;
    }
    terminal.progress(network.name);
    const LargeResult result = run(network, threads);
    terminal.progress("");
    const auto mib = [](std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
    const auto per_node = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / result.nodes; };
    terminal.print(
        fmt::format("{:<24}{:>9}{:>10.3f}{:>10.3f}{:>8.0f}{:>9.0f}{:>10.1f}{:>10.1f}{:>10.1f}  {}\n",
                    network.name, result.nodes, result.build_s, result.microsecond_s, result.ns_per_hop,
                    per_node(result.memory.total()), mib(result.memory.total()), mib(result.expected),
                    mib(result.resident), hash_text(result.trace_hash)));
    std::string parts;
    for (const MemoryParts::Item& part : result.memory)
      if (part.bytes > 0)
        parts += fmt::format("{}{} {:.0f}", parts.empty() ? "" : ", ", part.name, per_node(part.bytes));
    terminal.print(fmt::format("  bytes per node: {}\n", parts));
    terminal.flush();
  }
  return kFine;
}

// How much faster a run would be on more threads.
int measure_scaling(const Arguments& arguments, Terminal& terminal) {
  const std::string wanted = arguments.value("--case").value_or("");
  terminal.print(fmt::format("{:<32}{:>7}{:>6}{:>12}{:>11}{:>11}{:>9}{:>13}{:>10}{:>10}\n", "network",
                             "nodes", "parts", "epochs/us", "epoch us", "imbalance", "bytes", "exchange us",
                             "expected", "measured"));
  for (const ScalingCase& one : scaling_cases()) {
    if (one.name.find(wanted) == std::string::npos) continue;
    terminal.progress(one.name);
    const Scaling scaling = scaling_of(one);
    terminal.progress("");
    for (const ScalingOfParts& of : scaling.of_parts)
      terminal.print(fmt::format(
          "{:<32}{:>7}{:>6}{:>12.1f}{:>11.2f}{:>11.2f}{:>9.0f}{:>13.2f}{:>10.2f}{:>10}\n", one.name,
          scaling.nodes, of.parts, of.epochs_per_us, of.epoch_us, of.imbalance, of.epoch_bytes,
          of.exchange_us, of.expected, of.measured > 0 ? fmt::format("{:.2f}", of.measured) : "-"));
    terminal.flush();
  }
  return kFine;
}

int measure(const Arguments& arguments, Terminal& terminal) {
  if (arguments.has("--large")) return measure_large(arguments, terminal);
  if (arguments.has("--scaling")) return measure_scaling(arguments, terminal);
  std::map<std::string, Recorded> recorded;
  if (const auto path = arguments.value("--baseline")) recorded = read_recording(*path);
  const std::string wanted = arguments.value("--case").value_or("");

  std::string recording = fmt::format("{}\n", kColumns);
  terminal.print(header(!recorded.empty()));
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
    terminal.print(case_row(benchmark, result, known == recorded.end() ? nullptr : &known->second));
    terminal.flush();
  }
  if (!found) throw UsageError(fmt::format("no case has a name that contains '{}'", wanted));
  return kFine;
}

const Command kProgram = {
    .name = "headway_speed",
    .flags = {{.spelled = "--quick",
               .help = "omits the cases with 65,536 nodes and measures for a quarter of the time"},
              {.spelled = "--large", .help = "measures large networks instead"},
              {.spelled = "--scaling",
               .help = "says how much faster a run would be on 2 to 64 threads instead"},
              {.spelled = "--threads N", .help = "with --large: the most threads of a run"},
              {.spelled = "--case TEXT", .help = "runs only the cases whose name contains TEXT"},
              {.spelled = "--baseline FILE",
               .help = "adds time and memory as ratios to the recording in FILE"},
              {.spelled = "--save FILE", .help = "writes the results to FILE as a recording"}},
    .run = measure};

}  // namespace
}  // namespace headway::cli

int main(int argc, char** argv) {
  using namespace headway::cli;
  Terminal terminal(stdout, stderr);
  try {
    const Arguments arguments = parse(kProgram, {argv + 1, argv + argc});
    if (!arguments.has("--help")) return measure(arguments, terminal);
    terminal.print("usage: headway_speed [OPTIONS]\n\n");
    for (const Flag& flag : kProgram.flags)
      terminal.print(fmt::format("  {:<18}{}\n", flag.spelled, flag.help));
    return kFine;
  } catch (const std::exception& error) {
    terminal.error(error.what());
    return kBadInput;
  }
}
