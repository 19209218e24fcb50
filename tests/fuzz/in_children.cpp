// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/in_children.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

// Growth of memory. The address sanitizer keeps freed memory. It also reserves terabytes of addresses, so its
// builds limit data.
constexpr std::size_t kMemory = std::size_t{kAddressSanitizer ? 2 : 1} << 30U;

// Limit of processor time. Debug builds, which sanitizers use, are slower.
#ifdef NDEBUG
constexpr long kSeconds = 5;
#else
constexpr long kSeconds = 50;
#endif
constexpr unsigned kLongestWait = 120;  // s; needed because a case that waits uses no processor time
constexpr std::size_t kMostReported = 20;

// A child's report to its parent.
struct Report {
  std::uint64_t number = 0;
  char what[1 << 16] = {};
};

// A value of this process from /proc: "VmSize" or "VmData".
std::size_t memory(std::string_view line_name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(line_name)) return std::stoull(line.substr(line_name.size() + 1)) << 10U;
  return 0;
}

std::string result_of(const Case& one, std::uint64_t number) {
  try {
    return one(number);
  } catch (const std::bad_alloc&) {
    return "needs more than 1 GiB of memory";
  } catch (const std::exception& error) {
    return fmt::format("{} escapes: {}", typeid(error).name(), error.what());
  } catch (...) {
    return "something escapes that is no exception";
  }
}

void set_timers(long seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(seconds == 0 ? 0 : kLongestWait);
}

// Runs cases in a child until one is wrong.
[[noreturn]] void run_cases(Report& report, std::uint64_t cases, const Case& one) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit limit{memory(kAddressSanitizer ? "VmData" : "VmSize") + kMemory, RLIM_INFINITY};
  setrlimit(kAddressSanitizer ? RLIMIT_DATA : RLIMIT_AS, &limit);
  for (; report.number < cases; ++report.number) {
    set_timers(kSeconds);
    std::string what = result_of(one, report.number);
    set_timers(0);
    if (what.empty()) continue;
    what.resize(std::min(what.size(), sizeof report.what - 1));
    std::memcpy(report.what, what.c_str(), what.size() + 1);
    _exit(1);
  }
  _exit(0);
}

std::string signal_text(int signal) {
  if (signal == SIGPROF) return fmt::format("takes more than {} s of processor time", kSeconds);
  if (signal == SIGALRM) return fmt::format("waits for more than {} s", kLongestWait);
  return fmt::format("ended by signal {} ({})", signal, strsignal(signal));
}

}  // namespace

std::vector<Finding> run_in_children(std::uint64_t cases, const Case& one) {
  if (const char* only = std::getenv("HEADWAY_FUZZ_CASE")) {
    const std::uint64_t number = std::stoull(only);
    if (const std::string what = result_of(one, number); !what.empty()) return {{number, what}};
    return {};
  }
  void* const shared =
      mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no memory to share with a child");
  auto& report = *new (shared) Report;
  std::vector<Finding> findings;
  for (; report.number < cases && findings.size() < kMostReported; ++report.number) {
    report.what[0] = '\0';
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot start a child");
    if (child == 0) run_cases(report, cases, one);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    if (WIFSIGNALED(status))
      findings.push_back({report.number, signal_text(WTERMSIG(status))});
    else if (report.what[0] != '\0')
      findings.push_back({report.number, report.what});
    else
      findings.push_back({report.number, fmt::format("ends the program with {}", WEXITSTATUS(status))});
  }
  munmap(shared, sizeof(Report));
  return findings;
}

std::uint64_t cases(std::uint64_t few, std::uint64_t many) {
  const char* form = std::getenv("HEADWAY_FUZZ");
  return form != nullptr && std::string_view(form) == "long" ? many : few;
}

void expect_none(const std::vector<Finding>& findings,
                 const std::function<std::string(std::uint64_t number)>& input_of) {
  for (const Finding& finding : findings)
    ADD_FAILURE() << "case " << finding.number << ": " << finding.what << "\n" << input_of(finding.number);
  if (findings.size() == kMostReported) ADD_FAILURE() << "and perhaps more: the rest has not been run";
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 6000;
  if (text.size() <= kShown) return std::string(text);
  return fmt::format("{}... ({} characters)", text.substr(0, kShown), text.size());
}

}  // namespace headway::test
