// SPDX-License-Identifier: Apache-2.0
// The jobs of a run in several parts (parts.h), and in several processes: what the parts know of their ranks,
// put together for observers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "headway/base/parcel.h"
#include "headway/engine/cut.h"
#include "headway/engine/jobs.h"
#include "headway/engine/network.h"
#include "headway/engine/workload.h"

namespace headway {

// What the leading process asks the others: all about their ranks, and operations of a job that wait.
struct JobsQuestion {
  std::uint64_t job = 0;
  std::uint64_t most = 0;
};

class JobsOfParts final : public JobsView {
 public:
  // [process] the answers of the other processes.
  using Ask = std::function<std::vector<Parcel>(JobsQuestion)>;

  // `parts`: [part] null: another process has it. `ask`: empty if there is no other process, or in one that
  // does not lead. What is given by reference must outlive it.
  JobsOfParts(const Network& network, const Workload& workload, const NetworkCut& cut, JobTables& tables,
              std::vector<Jobs*> parts, std::uint32_t parts_of_process, Ask ask);

  // After a piece of the run, of which this is known.
  void end_piece(const JobsProgress& of_run);
  Parcel answer(const JobsQuestion& question);

  std::size_t size() const override { return workload_.jobs.size(); }
  bool done() const override { return progress_.unfinished == 0 && has_end_; }
  std::uint64_t completed() const override { return progress_.completed; }
  const JobRecord& record(std::size_t job) const override;
  std::vector<WaitingOp> waiting(std::size_t job, std::size_t most) const override;
  // Of a run in one process.
  std::vector<PathStep> critical_path(std::size_t job) const override;
  std::uint64_t operations_in_memory(std::size_t job) const override;

 private:
  // Of a job.
  struct OfPart {
    std::uint32_t ranks = 0, members = 0;
    JobRecord counts;
    std::vector<IterationTimes> ended;  // by all its ranks here; not by those of another part
  };
  struct OfJob {
    std::vector<OfPart> parts;
    JobRecord iterations;  // that all ranks have ended; nothing else
    JobRecord sum;
  };

  std::uint32_t part_of(const Job& job, std::uint32_t rank) const {
    return cut_.part_of[network_.switches() + job.nodes[rank]];
  }
  void collect();
  void end_iterations(OfJob& job);
  void sum_up();
  // Returns operations that wait.
  std::vector<WaitingOp> learn(const JobsQuestion& question);
  std::vector<WaitingOp> waiting_here(const JobsQuestion& question) const;
  // What a process knows of its parts, from `first` on.
  template <class Io>
  void serialize(Io& io, std::uint32_t first, std::vector<WaitingOp>& waiting);

  const Network& network_;
  const Workload& workload_;
  const NetworkCut& cut_;
  JobTables& tables_;
  std::vector<Jobs*> parts_;
  std::uint32_t parts_of_process_;
  Ask ask_;
  bool has_end_ = false;
  JobsProgress progress_;
  bool is_old_ = true;  // the sums
  std::vector<OfJob> jobs_;
};

}  // namespace headway
