// SPDX-License-Identifier: Apache-2.0
// Finds the command for the words of the command line, runs it, and converts every failure to a message and
// an exit code (architecture.md).
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "headway/base/error.h"
#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/cli/help.h"
#include "headway/cli/parse.h"
#include "headway/config/nearest.h"
#include "headway/run/results.h"

namespace headway::cli {
namespace {

// Says which build it is: two builds of one commit can differ in speed, and only in that.
std::string version_text(std::string_view mpi) {
  return fmt::format("headway {} ({}, {})\n{}, model {}, {}\n", version(), git_id(), compiler(), build(),
                     kModelVersion, mpi.empty() ? "without MPI" : mpi);
}

int run_command(const std::vector<std::string>& words, Terminal& terminal, Processes* processes,
                std::string_view mpi) {
  if (words.empty()) {
    terminal.print(program_help(terminal));
    return kBadInput;
  }
  if (words[0] == "--help" || words[0] == "-h") {
    terminal.print(program_help(terminal));
    return kFine;
  }
  if (words[0] == "--version" || words[0] == "-v" || words[0] == "-V") {
    terminal.print(version_text(mpi));
    return kFine;
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) {
    std::vector<std::string_view> names = command_names();
    names.push_back("--version");
    const std::string mistake = unknown("command", words[0], names);
    const bool has_hint = mistake.find("did you mean") != std::string::npos;
    throw UsageError(mistake + (has_hint ? "" : "; 'headway --help' lists the commands"));
  }
  try {
    Arguments arguments = parse(*command, {words.begin() + 1, words.end()});
    arguments.processes = processes;
    if (processes != nullptr && command->name != "run")
      throw UsageError("only 'run' uses several processes; leave out mpirun");
    if (arguments.has("--help")) {
      terminal.print(command_help_text(*command, terminal));
      return kFine;
    }
    if (arguments.has("--quiet")) terminal.be_quiet();
    try {
      return command->run(arguments, terminal);
    } catch (const UnknownName& error) {
      throw UsageError(error.what());
    } catch (const NoResult& error) {
      throw UsageError(error.what());
    }
  } catch (const UsageError& error) {
    terminal.error(
        fmt::format("{}\n'headway {} --help' shows its arguments and options", error.what(), command->name));
    return kBadInput;
  }
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, Terminal& terminal, Processes* processes,
                std::string_view mpi) {
  try {
    const int code = run_command(arguments, terminal, processes, mpi);
    terminal.flush();
    return code;
  } catch (const ClosedPipe&) {
    return kFine;
  } catch (const UsageError& error) {
    terminal.error(error.what());
    return kBadInput;
  } catch (const SpecError& error) {
    terminal.error(error.what());
    return kBadInput;
  } catch (const InvariantError& error) {
    terminal.error(
        fmt::format("an invariant of the simulator is violated; this is a bug in headway {} ({}):\n{}",
                    version(), git_id(), error.what()));
    return kFailed;
  } catch (const std::filesystem::filesystem_error& error) {
    terminal.error(fmt::format("{}: {}", visible(error.path1().string()), error.code().message()));
    return kFailed;
  } catch (const std::system_error& error) {
    terminal.error(visible(error.what()));
    return kFailed;
  } catch (const std::bad_alloc&) {
    terminal.error("out of memory");
    return kFailed;
  } catch (const std::exception& error) {
    terminal.error(error.what());
    return kFailed;
  }
}

}  // namespace headway::cli
