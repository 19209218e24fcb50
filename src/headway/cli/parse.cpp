// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <utility>

#include "headway/base/parse_number.h"
#include "headway/config/nearest.h"

namespace headway::cli {
namespace {

std::vector<std::string_view> flag_names(const Command& command) {
  std::vector<std::string_view> names;
  for (const Flag& flag : all_flags(command)) names.push_back(flag.name());
  return names;
}

// "SPEC", "KEY or nothing"
std::string arguments_of(const Command& command) {
  if (command.positionals.empty()) return "no argument";
  std::vector<std::string> names;
  for (const Positional& positional : command.positionals)
    if (!positional.rest)
      names.push_back(fmt::format("{}{}", positional.name, positional.required ? "" : " or nothing"));
  return fmt::format("{}", fmt::join(names, " "));
}

// Reports words that CLI11 could not assign. After "--", no word is an option.
void refuse_extras(const Command& command, const std::vector<std::string>& extras) {
  bool may_be_option = true;
  for (const std::string& word : extras) {
    if (word == "--")
      may_be_option = false;
    else if (may_be_option && word.size() > 1 && word.starts_with('-'))
      throw UsageError(unknown("option", word.substr(0, word.find('=')), flag_names(command)));
    else
      throw UsageError(fmt::format("unexpected argument '{}'; headway {} takes {}", word, command.name,
                                   arguments_of(command)));
  }
}

[[noreturn]] void refuse_without_value(const Flag& flag) {
  throw UsageError(fmt::format("{} needs a value, {}: {}", flag.name(), flag.value(), flag.help));
}

// An option name is not taken as the value of the option before it; --out=--json gives such a value.
void check_values(const Command& command, const Arguments& arguments) {
  const std::vector<std::string_view> names = flag_names(command);
  const std::vector<std::string>& words = arguments.words();
  for (const Flag& flag : all_flags(command)) {
    const std::vector<std::string> values = arguments.values(flag.name());
    if (!flag.repeatable && values.size() > 1)
      throw UsageError(fmt::format("{} is given more than once", flag.name()));
    for (const std::string& value : values) {
      if (flag.value().empty() && value != "true")
        throw UsageError(fmt::format("{} takes no value, but '{}' was given", flag.name(), value));
      const bool joined = std::ranges::find(words, fmt::format("{}={}", flag.name(), value)) != words.end();
      if (!flag.value().empty() && !joined && std::ranges::find(names, value) != names.end())
        refuse_without_value(flag);
    }
  }
}

// A flag whose value can be left out has a value if the next word is KEY=VALUE.
std::vector<std::string> with_all_values(const Command& command, std::span<const std::string> words) {
  std::vector<std::string> all(words.begin(), words.end());
  for (const Flag& flag : all_flags(command))
    for (std::size_t i = 0; !flag.needs_value() && i < all.size(); ++i) {
      const bool has_value =
          i + 1 < all.size() && !all[i + 1].starts_with('-') && all[i + 1].find('=') != std::string::npos;
      if (all[i] == flag.name() && !has_value) all[i] += fmt::format("={}", Flag::kNoValue);
    }
  return all;
}

}  // namespace

std::vector<Flag> common_flags() {
  return {{.spelled = "-q, --quiet",
           .help = "suppresses messages and progress on the terminal, and the reasons "
                   "below a table; errors and warnings are still "
                   "printed"},
          {.spelled = "-h, --help", .help = "prints this help"}};
}

std::vector<Flag> all_flags(const Command& command) { return joined({command.flags, common_flags()}); }

Arguments parse(const Command& command, const std::vector<std::string>& words) {
  const auto rest = std::ranges::find(command.positionals, true, &Positional::rest);
  const auto end =
      rest == command.positionals.end() ? words.end() : std::ranges::find(words, std::string("--"));
  CLI::App app;
  app.set_help_flag("");
  app.allow_extras();
  std::vector<std::pair<std::string_view, CLI::Option*>> options;
  const auto add = [&](const Flag& flag) {
    const std::string spelled =
        flag.letter().empty() ? std::string(flag.name()) : fmt::format("{},{}", flag.letter(), flag.name());
    CLI::Option* option = flag.value().empty() ? app.add_flag(spelled) : app.add_option(spelled)->expected(1);
    if (!flag.value().empty()) option->take_all();
    options.emplace_back(flag.name(), option);
  };
  std::ranges::for_each(all_flags(command), add);
  for (const Positional& positional : command.positionals)
    if (!positional.rest)
      options.emplace_back(positional.name, app.add_option(std::string(positional.name))->expected(1));

  try {
    // CLI11 expects the words in reverse order
    std::vector<std::string> given =
        with_all_values(command, std::span(words).first(static_cast<std::size_t>(end - words.begin())));
    std::ranges::reverse(given);
    app.parse(std::move(given));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view said = error.what();
    for (const Flag& flag : all_flags(command))
      if (said.starts_with(fmt::format("{}:", flag.name()))) refuse_without_value(flag);
    throw;
  }

  Arguments arguments(words);
  for (const auto& [name, option] : options)
    for (const std::string& value : option->results()) arguments.add(name, value);
  if (end != words.end())
    std::for_each(end + 1, words.end(), [&](auto& word) { arguments.add(rest->name, word); });
  check_values(command, arguments);
  if (arguments.has("--help")) return arguments;
  refuse_extras(command, app.remaining());
  for (const Positional& positional : command.positionals) {
    const auto value = arguments.value(positional.name);
    if (positional.required && (!value || value->empty()))
      throw UsageError(fmt::format("{} is missing: {}", positional.name,
                                   positional.choices.empty()
                                       ? std::string(positional.help)
                                       : fmt::format("one of {}", fmt::join(positional.choices, ", "))));
    if (value && !positional.choices.empty() &&
        std::ranges::find(positional.choices, *value) == positional.choices.end())
      throw UsageError(unknown(positional.name, *value, positional.choices));
  }
  return arguments;
}

std::optional<std::uint64_t> Arguments::number(std::string_view name, std::uint64_t least, std::uint64_t most,
                                               std::size_t index) const {
  const std::vector<std::string> given = values(name);
  if (given.empty()) return std::nullopt;
  const std::string& text = given[std::min(index, given.size() - 1)];
  const auto number = parse_number<std::uint64_t>(text);
  if (!number || *number < least || *number > most)
    throw UsageError(fmt::format("{} needs a whole number from {} to {}, not '{}'", name, least, most, text));
  return number;
}

}  // namespace headway::cli
