// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/progress.h"

#include <fmt/format.h>

#include "headway/base/plural.h"

namespace headway::cli {

std::string duration_text(std::chrono::duration<double> duration) {
  const double s = duration.count();
  if (s < 10) return fmt::format("{:.1f} s", s);
  const auto whole = static_cast<long>(s);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 48 * 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} days", whole / (24 * 3600));
}

std::string progress_text(const SweepProgress& progress) {
  std::string line = fmt::format("{:3.0f} %  {} of {}  {}", 100 * progress.fraction, progress.tasks_done,
                                 plural(progress.tasks, "run"), duration_text(progress.elapsed));
  if (progress.threads > progress.runs) line += fmt::format(", {} threads", progress.threads);
  if (progress.left) line += fmt::format(", {} left", duration_text(*progress.left));
  return line;
}

std::string reading_text(std::uint64_t bytes, std::uint64_t size) {
  return fmt::format("reading an input file, {} of {} MB", bytes / 1'000'000, size / 1'000'000);
}

}  // namespace headway::cli
