// SPDX-License-Identifier: Apache-2.0
// The text of a workload of ASTRA-sim 1.0 or SimAI: a policy, and for each layer of a neural network its
// computations and collectives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/base/units.h"
#include "headway/program_files/file_collectives.h"
#include "headway/programs/program_text.h"

namespace headway {

enum class AstraPolicy { micro, data, model, data_model, model_data, transformer };

// The ranks of a collective; which these are depends on the policy and the phase.
enum class AstraGroup { plain, expert, data_of_expert };

struct AstraPhase {
  std::uint64_t picoseconds = 0;
  std::optional<Collective> collective;  // none: no communication
  AstraGroup group = AstraGroup::plain;
  std::uint64_t bytes = 0;
};

struct AstraLayer {
  AstraPhase forward, input_gradient, weight_gradient;
  std::uint64_t update = 0;  // picoseconds, after the communication of the weight gradient
};

struct AstraWorkload {
  AstraPolicy policy = AstraPolicy::micro;
  std::optional<std::uint32_t> ranks, tensor, expert, stages;
  std::vector<AstraLayer> layers;
};

// The whole file or, with `only_header`, its first line; none: there is a mistake. `unit` of its times, in
// picoseconds.
std::optional<AstraWorkload> read_astra_workload(ProgramText& text, const Rational& unit, bool only_header);
// True if a file can begin so.
bool is_astra_workload(std::string_view beginning);

}  // namespace headway
