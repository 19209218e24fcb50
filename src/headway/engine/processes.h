// SPDX-License-Identifier: Apache-2.0
// Several processes that simulate a run together, mostly on several machines. Each has the whole network, and
// simulates some parts of it (parts.h). Process 0 leads: it tells the others by words what comes next, and
// has the results. Implementations: MPI (cli/mpi_processes.h), and threads of one process, for tests.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "headway/base/parcel.h"

namespace headway {

// What process 0 tells the others. Who does not know a word returns it to its caller.
enum class ProcessWord : std::uint8_t {
  run,      // a run begins (run/processes_of_sweep.h)
  piece,    // simulate until a tick (parts.cpp)
  measure,  // a measurement begins
  record,   // send the counters
  state,    // send the state of the parts
  jobs,     // send what the ranks of the parts have done
  end,      // the sweep has ended
};

class Processes {
 public:
  virtual ~Processes() = default;
  virtual std::uint32_t count() const = 0;
  virtual std::uint32_t number() const = 0;  // of this process
  bool leads() const { return number() == 0; }

  // All processes call these together. Calls by different threads of a process must not overlap.
  // Process 0 gives bytes to all; returns them.
  virtual Parcel broadcast(Parcel bytes) = 0;
  // [process] what each sent; empty for others than process 0, and for process 0 itself.
  virtual std::vector<Parcel> gather(Parcel bytes) = 0;
  // Sends `to[r]` to each other process, and returns [process] what each of them sent here.
  virtual std::vector<Parcel> exchange(std::vector<Parcel> to) = 0;
  // Ends all processes, with a message.
  [[noreturn]] virtual void abort(std::string_view why) = 0;
};

}  // namespace headway
