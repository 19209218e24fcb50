// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/spec_arguments.h"

#include <fmt/format.h>

#include <limits>

#include "headway/base/visible.h"
#include "headway/config/toml.h"

namespace headway::cli {

Positional spec_positional() {
  return {.name = "SPEC", .help = "the experiment, a TOML file", .completes = Completes::files};
}

std::vector<Flag> spec_flags() {
  return {{.name = "--set",
           .value = "KEY=VALUE",
           .help = "sets a key of the spec, as in switch.queues=8; a sweep over it is replaced",
           .repeatable = true},
          {.name = "--seed", .value = "N", .help = "the seed, as --set seed=N"}};
}

Experiment load(const Arguments& arguments, Loader loader) {
  std::vector<Override> overrides;
  for (const std::string& setting : arguments.values("--set")) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set needs KEY=VALUE, not '{}'", setting));
    if (!is_utf8(setting)) throw UsageError(fmt::format("--set takes UTF-8, and '{}' is not", setting));
    const std::string key = setting.substr(0, equals);
    overrides.push_back({key, parse_toml_value(setting.substr(equals + 1), "--set " + key)});
  }
  if (const auto seed = arguments.number("--seed", 0, std::numeric_limits<std::int64_t>::max()))
    overrides.push_back({"seed", Document(static_cast<std::int64_t>(*seed), "--seed")});
  return loader(read_toml(*arguments.value("SPEC")), overrides);
}

}  // namespace headway::cli
