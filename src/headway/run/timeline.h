// SPDX-License-Identifier: Apache-2.0
// A timeline of a job: a row per rank with what the rank does, and the critical path of the job above the
// rows. It shows the last iteration, as the table per_operation does.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/run/results.h"

namespace headway {

// What a rank does, the first that holds: a CPU computes; a CPU handles a send or a receive; a send has
// started and is not complete; a receive is posted and not complete.
enum class Doing { computes, handles, sends, waits };
inline constexpr std::size_t kDoings = 4;
std::string_view name_of(Doing doing);

struct Timeline {
  struct Stretch {
    std::size_t row;
    Doing doing;
    double from, to;  // ns
  };
  // A step of the critical path. It begins at its first row; a message ends at another one. `waits` is the
  // part of it for which it waits; the results do not say when, and the picture has it at the beginning.
  struct Step {
    std::string kind;
    std::size_t row, last_row;
    double from, to, waits;  // ns
    std::size_t number;      // row of the table critical_path
  };
  std::string job;
  std::vector<double> ranks;  // of the rows, from the top
  std::size_t all_ranks = 0;
  std::vector<Stretch> stretches;
  std::vector<Step> path;
  double from = 0, to = 0;  // of the iteration, ns
  std::string note = {};    // what is not drawn

  bool is_whole() const { return ranks.size() == all_ranks; }
};

// The results do not have what a timeline needs; what() says what, and the hint says how to get it.
class NoTimeline : public std::runtime_error {
 public:
  NoTimeline(const std::string& reason, std::string hint)
      : std::runtime_error(reason), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }
  std::string text() const { return hint_.empty() ? what() : what() + ("; " + hint_); }

 private:
  std::string hint_;
};

// With more ranks than rows, the rows are those of the first ranks on the critical path or, if it has fewer,
// also the lowest others. Throws NoTimeline if the results do not have the operations of this job.
Timeline make_timeline(const PointResult& point, std::string_view job, std::size_t most_rows);

}  // namespace headway
