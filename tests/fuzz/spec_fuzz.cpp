// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/spec_fuzz.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <stdexcept>
#include <utility>

#include "headway/base/visible.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/slotted/spec.h"

namespace headway::test {
namespace {

std::optional<Experiment> load(std::string_view text, const std::string& name,
                               const std::vector<Override>& overrides) {
  try {
    return check_experiment(parse_toml(text, name), overrides);
  } catch (const SpecError& error) {
    if (const std::string fault = fault_of(error); !fault.empty()) throw BadError(fault);
    return std::nullopt;
  }
}

// The output of `check --resolved` is the same experiment. Returns what its text gives. The first experiment
// is gone when the text is read, because what a program may take depends on the memory that is left.
Experiment repeated(std::optional<Experiment> experiment, const std::string& name) {
  const std::string text = write_toml(experiment->document);
  const std::size_t points = experiment->points.size();
  const auto seeds = experiment->seeds;
  experiment.reset();
  try {
    Experiment again = check_experiment(parse_toml(text, name));
    if (again.points.size() != points || again.seeds != seeds)
      throw BadError("the resolved spec is another experiment:\n" + text);
    return again;
  } catch (const SpecError& error) {
    throw BadError(fmt::format("the resolved spec is refused: {}\n{}", error.what(), text));
  }
}

// Mistakes without a line: the file cannot be read, or a network or a table of routes, queues or weights
// lacks something.
bool is_of_whole_file(const Mistake& mistake) {
  static const std::regex whole(
      "cannot be read.*|is empty|there is no node( at a switch)?|a dump of forwarding tables needs .+|"
      "and [0-9]+ more mistakes (in this file|of this kind)|there is no header|switch .+ has no port for "
      "destination .+|"
      "there is no (queue|lane|service_level) for .+|has [0-9]+ rows|no weight is above 0, so no node sends");
  return std::filesystem::path(mistake.where).is_absolute() && std::regex_match(mistake.message, whole);
}

// As a TOML string.
std::string in_quotes(std::string_view text) { return to_text(Document(std::string(text))); }

// Approximate number of packets that a run may send.
double packets(const SlottedSpec& spec) {
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  return nodes * static_cast<double>(spec.slots) + static_cast<double>(spec.warmup_slots);
}
double packets(const EventSpec& spec) {
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  const MeasureSpec& measure = spec.measure;
  double time = measure.duration.ns.to_double() * (measure.warmup ? 1 : 1 + kWarmupLimit);
  if (measure.warmup) time += measure.warmup->ns.to_double();
  double load = 0;
  for (const FlowSpec& flow : spec.traffic.flows)
    for (const LoadSpec::Point& point : flow.load.points) load = std::max(load, point.load);
  if (!spec.traffic.traces.empty()) load = std::max(load, 1.0);
  return time * load * nodes * spec.network.link.rate.bytes_per_ns.to_double() /
         static_cast<double>(spec.traffic.packet.count);
}

}  // namespace

std::string fault_of(const SpecError& error) {
  // A mistake that only a run can find, after reading the trace, names its key.
  static const std::regex position(
      R"(.+:[0-9]+:[0-9]+|--[^]+|.+: record [0-9]+.*|.+\.npy|traffic\.trace\.target_load)");
  if (error.mistakes().empty()) return "an error without mistakes";
  for (const Mistake& mistake : error.mistakes()) {
    if (!std::regex_match(mistake.where, position) && !is_of_whole_file(mistake))
      return fmt::format("no place ('{}') of {}: {}", mistake.where, mistake.key, mistake.message);
    if (mistake.message.empty()) return "no message at " + mistake.where;
  }
  const std::string text = error.what();
  if (visible_lines(text) != text || text.find('\t') != std::string::npos)
    return "a control character in " + in_quotes(text);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  if (lines != error.mistakes().size())
    return fmt::format("{} lines for {} mistakes: {}", lines, error.mistakes().size(), in_quotes(text));
  return "";
}

bool checks(std::string_view text, const std::string& name, const std::vector<Override>& overrides) {
  std::optional<Experiment> experiment = load(text, name, overrides);
  if (!experiment) return false;
  repeated(std::move(experiment), name);
  return true;
}

bool checks_and_runs(std::string_view text, const std::string& name, const std::vector<Override>& overrides,
                     std::uint64_t which) {
  std::optional<Experiment> first = load(text, name, overrides);
  if (!first) return false;
  const Experiment experiment = repeated(std::move(first), name);
  constexpr double kMostPackets = 2'000;
  constexpr double kMostWork = 2e9;  // a check of invariants reads the whole state, at least once per packet
  constexpr std::int64_t kMostNodes = 64;
  const Spec spec = experiment.points[which % experiment.points.size()].spec();
  const Kernel* const other = other_kernel(spec);
  const double sent = other == nullptr ? packets(std::get<EventSpec>(spec))
                                       : packets(dynamic_cast<const SlottedSpec&>(*other));
  if (network_of(spec).topology->nodes() > kMostNodes || sent > kMostPackets ||
      sent * static_cast<double>(experiment.need.start) > kMostWork)
    return true;
  try {
    run(spec, {.check = true});
  } catch (const SpecError& error) {  // mistakes in a trace
    if (const std::string fault = fault_of(error); !fault.empty()) throw BadError(fault);
  }
  return true;
}

}  // namespace headway::test
