// SPDX-License-Identifier: Apache-2.0
// Help on the terminal, as a man page and as docs/cli.md.
#include "headway/cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headway/base/version.h"
#include "headway/base/wrapped.h"
#include "headway/cli/parse.h"

namespace headway::cli {
namespace {

constexpr std::string_view kWhat =
    "Headway simulates lossless interconnection networks. It shows where head-of-line blocking comes from, "
    "and which switch organisation removes it at which cost.";

struct ExitCode {
  int code;
  std::string_view meaning;
};
constexpr ExitCode kExitCodes[] = {{kFine, "success"},
                                   {kFailed, "a run or a claim failed, or output could not be written"},
                                   {kBadInput, "invalid input: a mistake in the spec or on the command line"},
                                   {kInterrupted, "interrupted; finished results are kept"}};

constexpr std::pair<std::string_view, std::string_view> kVariables[] = {
    {"NO_COLOR", "if set, output has no colours (https://no-color.org)"}};

std::string choices_of(const Positional& positional) {
  return positional.choices.empty() ? "" : fmt::format(": {}", fmt::join(positional.choices, ", "));
}

constexpr std::size_t kColumnsOfHelp = 80;

// "  NAME   help", with the help in its own column.
std::string help_row(std::string_view name, std::string_view help, std::size_t column,
                     const Terminal& terminal) {
  const std::string text = wrapped(help, column, terminal.text_width(kColumnsOfHelp));
  if (name.size() + 4 > column) return fmt::format("  {}\n{}", name, text);
  return fmt::format("  {:<{}}{}", name, column - 2, text.substr(std::min(column, text.size())));
}

constexpr std::size_t kColumn = 22;

std::string heading(std::string_view text, const Terminal& terminal) {
  return fmt::format("\n{}\n", terminal.bold(text));
}

// Text with roff's special characters escaped.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '-')
      escaped += "\\-";
    else if (c == '\\')
      escaped += "\\e";
    else if (c == '.' && (escaped.empty() || escaped.back() == '\n'))
      escaped += "\\&.";
    else if (c == '\'' && (escaped.empty() || escaped.back() == '\n'))
      escaped += "\\&'";
    else if (c == '\n' && escaped.ends_with('\n'))
      escaped += ".PP\n";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

std::string usage(const Command& command) {
  std::string text = fmt::format("headway {}", command.name);
  for (const Positional& positional : command.positionals)
    if (!positional.rest)
      text +=
          positional.required ? fmt::format(" {}", positional.name) : fmt::format(" [{}]", positional.name);
  for (const Flag& flag : command.flags)
    text += fmt::format(" [{}{}{}]{}", flag.letter(), flag.letter().empty() ? "" : "|", flag.form(),
                        flag.repeatable ? "..." : "");
  for (const Positional& positional : command.positionals)
    if (positional.rest) text += fmt::format(" [-- {}...]", positional.name);
  return text;
}

std::string program_help(const Terminal& terminal) {
  std::string text =
      fmt::format("{}{}  headway COMMAND [ARGUMENTS]\n",
                  wrapped(kWhat, 0, terminal.text_width(kColumnsOfHelp)), heading("usage:", terminal));
  text += heading("commands:", terminal);
  for (const Command& command : commands()) text += help_row(command.name, command.summary, 14, terminal);
  text += heading("to begin:", terminal);
  text +=
      help_row("headway COMMAND --help", "arguments and options of a command, with examples", 33, terminal);
  text += help_row("headway list", "available topologies, schemes, patterns and other names", 33, terminal);
  text += help_row("headway explain switch.scheme", "meaning of a key of a spec", 33, terminal);
  text += help_row("headway --version", "version of this build", 33, terminal);
  text += heading("exit codes:", terminal);
  for (const auto& [code, meaning] : kExitCodes) text += help_row(std::to_string(code), meaning, 8, terminal);
  return text;
}

std::string command_help_text(const Command& command, const Terminal& terminal) {
  std::string text = wrapped(command.description, 0, terminal.text_width(kColumnsOfHelp)) +
                     heading("usage:", terminal) +
                     wrapped(usage(command), 2, terminal.text_width(kColumnsOfHelp));
  if (!command.positionals.empty()) text += heading("arguments:", terminal);
  for (const Positional& positional : command.positionals)
    text += help_row(positional.name, fmt::format("{}{}", positional.help, choices_of(positional)), kColumn,
                     terminal);
  text += heading("options:", terminal);
  for (const Flag& flag : all_flags(command)) text += help_row(flag.spelled, flag.help, kColumn, terminal);
  if (!command.examples.empty()) text += heading("examples:", terminal);
  for (const Example& example : command.examples)
    text += fmt::format("  {}\n{}", terminal.bold(example.command),
                        wrapped(example.what, 6, terminal.text_width(kColumnsOfHelp)));
  return text;
}

std::string man_page() {
  std::string page = fmt::format(".TH HEADWAY 1 \"\" \"headway {}\" \"User Commands\"\n", version());
  page += ".SH NAME\nheadway \\- simulate lossless interconnection networks\n";
  page += ".SH SYNOPSIS\n.B headway\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n";
  page += ".SH DESCRIPTION\n" + roff(kWhat) + "\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    page += fmt::format(".SS {}\n{}\n.PP\n{}\n", roff(usage(command)), roff(command.summary),
                        roff(command.description));
    for (const Positional& positional : command.positionals)
      page += fmt::format(".TP\n.I {}\n{}\n", positional.name,
                          roff(fmt::format("{}{}", positional.help, choices_of(positional))));
    for (const Flag& flag : command.flags)
      page += fmt::format(".TP\n.B {}\n{}\n", roff(flag.spelled), roff(flag.help));
  }
  page += ".SH OPTIONS\nAll commands accept these options.\n";
  for (const Flag& flag : common_flags())
    page += fmt::format(".TP\n.B {}\n{}\n", roff(flag.spelled), roff(flag.help));
  page += ".SH EXAMPLES\n";
  for (const Command& command : commands())
    for (const Example& example : command.examples)
      page += fmt::format(".TP\n.B {}\n{}\n", roff(example.command), roff(example.what));
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes) page += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
  page += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : kVariables) page += fmt::format(".TP\n.B {}\n{}\n", name, roff(meaning));
  return page;
}

std::string markdown_reference() {
  std::string page =
      fmt::format("# Command line\n\n*Generated by `headway help --markdown`; do not edit.*\n\n{}\n", kWhat);
  for (const Command& command : commands()) {
    page += fmt::format("\n## headway {}\n\n{}\n\n```text\n{}```\n", command.name, command.description,
                        wrapped(usage(command), 0, 110));
    page += "\n| | |\n|---|---|\n";
    for (const Positional& positional : command.positionals)
      page += fmt::format("| `{}` | {}{} |\n", positional.name, positional.help, choices_of(positional));
    for (const Flag& flag : command.flags) page += fmt::format("| `{}` | {} |\n", flag.spelled, flag.help);
    for (const Example& example : command.examples)
      page += fmt::format("\n`{}`: {}\n", example.command, example.what);
  }
  page += "\n## Every command\n\n| | |\n|---|---|\n";
  for (const Flag& flag : common_flags()) page += fmt::format("| `{}` | {} |\n", flag.spelled, flag.help);
  page += "\n| exit code | meaning |\n|---|---|\n";
  for (const auto& [code, meaning] : kExitCodes) page += fmt::format("| {} | {} |\n", code, meaning);
  return page;
}

}  // namespace headway::cli
