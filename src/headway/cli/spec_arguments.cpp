// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/spec_arguments.h"

#include <fmt/format.h>

#include <iostream>
#include <limits>
#include <string>

#include "headway/base/visible.h"
#include "headway/config/toml.h"

namespace headway::cli {

namespace {

// Limited to the maximum size of a spec.
std::string standard_input() {
  constexpr std::size_t kMost = 64 << 20;
  std::string text;
  char block[1 << 16];
  while (std::cin.read(block, sizeof block) || std::cin.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > kMost) throw UsageError("standard input exceeds the maximum size of a spec");
  }
  return text;
}

}  // namespace

Positional spec_positional() {
  return {.name = "SPEC",
          .help = "spec of the experiment, a TOML file; - reads standard input",
          .completes = Completes::files};
}

std::vector<Flag> spec_flags() {
  return {
      {.spelled = "--set KEY=VALUE",
       .help = "sets a key of the spec, as in switch.queues=8; a list, as in switch.queues=[4,8], or a "
               "range, as in "
               "traffic.flow.load={from=0.1,to=1,step=0.1}, sweeps the key; replaces a sweep over this key",
       .repeatable = true},
      {.spelled = "--seed N", .help = "random seed; same as --set seed=N"}};
}

std::vector<Override> settings_of(const Arguments& arguments) {
  std::vector<Override> settings;
  for (const std::string& setting : arguments.values("--set")) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set needs KEY=VALUE, not '{}'", setting));
    const std::string key = setting.substr(0, equals);
    settings.push_back({key, parse_toml_value(setting.substr(equals + 1), "--set " + key)});
  }
  return settings;
}

Experiment load(const Arguments& arguments, Terminal& terminal, const Loader& loader) {
  std::vector<Override> overrides = settings_of(arguments);
  for (const std::string& setting : arguments.values("--set"))
    if (!is_utf8(setting))
      throw UsageError(fmt::format("--set needs UTF-8 text; '{}' is not valid UTF-8", setting));
  if (const auto seed = arguments.number("--seed", 0, std::numeric_limits<std::int64_t>::max()))
    overrides.push_back({"seed", Document(static_cast<std::int64_t>(*seed), "--seed")});
  if (arguments.has("--alone")) overrides.push_back({"measure.alone", Document(true, "--alone")});
  const std::string spec = *arguments.value("SPEC");
  Document document = spec == "-" ? parse_toml(standard_input(), "standard input") : read_toml(spec);
  if (std::get<Document::Table>(document.value).empty())
    terminal.warn(fmt::format("{} is empty: every key has its default value",
                              spec == "-" ? "the spec" : visible(spec)));
  Experiment experiment = loader(std::move(document), overrides, {});
  if (!experiment.short_packets.empty()) terminal.warn(experiment.short_packets);
  if (!experiment.hot_spot.empty()) terminal.warn(experiment.hot_spot);
  if (!experiment.repeats.empty()) terminal.warn(experiment.repeats);
  return experiment;
}

}  // namespace headway::cli
