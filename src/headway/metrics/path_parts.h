// SPDX-License-Identifier: Apache-2.0
// The transfers of the steps of a critical path, split by physics.
#pragma once

#include "headway/analysis/transfer_split.h"
#include "headway/engine/jobs.h"
#include "headway/metrics/critical_path.h"

namespace headway {

// The bytes of the message of a step that is no turn.
inline std::uint64_t message_bytes(const Job& job, const PathStep& step) {
  if (step.kind == StepKind::request || step.kind == StepKind::clearance) return job.control_bytes;
  return std::max<std::uint64_t>(job.program->operation(step.op).amount, 1);
}

// Of a step that is no turn.
inline TransferParts parts_of(const TransferSplit& split, const Job& job, const WatchedStep& step) {
  const Tick transfer = step.length() - step.waited();
  const std::uint64_t bytes = message_bytes(job, step.step);
  return step.step.kind == StepKind::departure && !step.links.empty()
             ? split.parts_of_departure(bytes, step.links.front(), transfer)
             : split.parts_of(bytes, step.links, transfer);
}

}  // namespace headway
