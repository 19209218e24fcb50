// SPDX-License-Identifier: Apache-2.0
// Several processes that simulate a run together, mostly on several machines. Each has the whole network, and
// simulates some parts of it (parts.h). Rank 0 leads: it tells the others by words what comes next, and has
// the results. Implementations: MPI (mpi/), and threads of one process, for tests.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "headway/base/parcel.h"

namespace headway {

// What rank 0 tells the others. Who does not know a word returns it to its caller.
enum class RankWord : std::uint8_t {
  run,      // a run begins (run/ranks_of_sweep.h)
  piece,    // simulate until a tick (parts.cpp)
  measure,  // a measurement begins
  record,   // send the counters
  state,    // send the state of the parts
  end,      // the sweep has ended
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::uint32_t count() const = 0;
  virtual std::uint32_t rank() const = 0;  // of this process
  bool leads() const { return rank() == 0; }

  // All ranks call these together. Calls by different threads of a process must not overlap.
  // Rank 0 gives bytes to all; returns them.
  virtual Parcel broadcast(Parcel bytes) = 0;
  // [rank] what each sent; empty for others than rank 0, and for rank 0 itself.
  virtual std::vector<Parcel> gather(Parcel bytes) = 0;
  // Sends `to[r]` to each other rank, and returns [rank] what each of them sent here.
  virtual std::vector<Parcel> exchange(std::vector<Parcel> to) = 0;
  // Ends all processes, with a message.
  [[noreturn]] virtual void abort(std::string_view why) = 0;
};

}  // namespace headway
