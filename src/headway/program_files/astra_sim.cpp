// SPDX-License-Identifier: Apache-2.0
// Workloads of ASTRA-sim 1.0 and SimAI as a program: a step of training of all layers. Computations, and the
// communication that they wait for, are on CPU 0, the communication beside them on CPU 1. Choices:
//
//   - The order of the policies is that of ASTRA-sim's workload layer. Its collectives are a queue. Here,
//     those of weight gradients follow one another, as in training-step.
//   - The next iteration of a rank begins when its last one is complete. ASTRA-sim lets the forward pass of a
//     layer begin when its weight gradients have been reduced.
//   - Stages of a pipeline work at the same time, without messages between them, as in SimAI.
//
// Sources: Rashidi et al., "ASTRA-SIM", ISPASS 2020, with its workload layer; the text converter of
// mlcommons/chakra; aliyun/SimAI.
#include <fmt/format.h>

#include "headway/program_files/astra_workload.h"
#include "headway/programs/file_program.h"
#include "headway/trace/record.h"

namespace headway {
namespace {

// Ranks r, r + stride, ...: as many as `size`.
struct AstraRanks {
  std::uint32_t size, stride;
};

struct AstraGroups {
  AstraRanks model, data, expert, data_of_expert;

  const AstraRanks& of(AstraGroup group, const AstraRanks& plain) const {
    if (group == AstraGroup::plain) return plain;
    return group == AstraGroup::expert ? expert : data_of_expert;
  }
};

class AstraStep {
 public:
  AstraStep(ProgramBuilder& builder, const AstraGroups& groups, const FileCollectives& collectives,
            const AstraWorkload& workload)
      : groups_(groups),
        collectives_(collectives),
        policy_(workload.policy),
        layers_(workload.layers),
        work_(builder),
        inputs_(builder, /*cpu=*/1),
        weights_(builder, /*cpu=*/1) {}

  void add() {
    if (policy_ == AstraPolicy::micro) {
      for (const AstraLayer& layer : layers_) weight_gradients(layer);
      return;
    }
    for (const AstraLayer& layer : layers_) {
      compute(work_.group(), layer.forward.picoseconds);
      if (policy_ != AstraPolicy::data) communicate(work_.group(), layer.forward, groups_.model);
    }
    for (std::size_t number = layers_.size(); number-- > 0;) backward(layers_[number], number == 0);
  }

 private:
  void backward(const AstraLayer& layer, bool is_first) {
    const AstraPhase& input = layer.input_gradient;
    if (policy_ == AstraPolicy::data) {
      compute(work_.group(), layer.weight_gradient.picoseconds);
      weight_gradients(layer);
      if (!is_first) compute(work_.group(), input.picoseconds);
      return;
    }
    compute(work_.group(), input.picoseconds);
    if (policy_ == AstraPolicy::transformer) {
      communicate(work_.group(), input, groups_.model);
    } else if (!is_first) {
      join(inputs_.group(), work_.group());
      communicate(inputs_.group(), input, groups_.model);
    }
    compute(work_.group(), layer.weight_gradient.picoseconds);
    if (policy_ != AstraPolicy::model) weight_gradients(layer);
    if (policy_ != AstraPolicy::transformer && !is_first) join(work_.group(), inputs_.group());
  }

  void weight_gradients(const AstraLayer& layer) {
    if (!layer.weight_gradient.collective) return;
    join(weights_.group(), work_.group());
    communicate(weights_.group(), layer.weight_gradient, groups_.data);
    compute(weights_.group(), layer.update);
  }

  void communicate(const Group& all, const AstraPhase& phase, const AstraRanks& plain) {
    if (!phase.collective) return;
    const AstraRanks& ranks = groups_.of(phase.group, plain);
    in_groups(all, ranks.size, ranks.stride, [&](const Group& group) {
      collectives_.add(*phase.collective, group, phase.bytes,
                       /*gathered=*/policy_ == AstraPolicy::transformer);
    });
  }

  const AstraGroups& groups_;
  const FileCollectives& collectives_;
  AstraPolicy policy_;
  const std::vector<AstraLayer>& layers_;
  AllRanks work_, inputs_, weights_;
};

class AstraSim final : public FileProgram {
 public:
  // All ranks go through the same layers, so none waits for one that waits for it.
  bool can_stand_still() const override { return false; }
  void describe(Parameters& parameters) override {
    FileProgram::describe(parameters);
    parameters.field({.name = "time_unit",
                      .help = "unit of the times of the file",
                      .bounds = Bounds::over(0, limits::kTime)},
                     time_unit_);
    parameters.field(
        count_parameter("tensor",
                        "number of ranks that share a layer, for the policies HYBRID_...; default: as the "
                        "file says"),
        tensor_);
    parameters.field(
        count_parameter("expert", "number of ranks that share experts; default: as the file says, or 1"),
        expert_);
    parameters.field(
        count_parameter("stages", "number of stages of the pipeline; default: as the file says, or 1"),
        stages_);
    collectives_.describe(parameters);
  }

  bool uses_switches() const override { return collectives_.uses_switches(); }
  bool recognises(std::string_view beginning) const override { return is_astra_workload(beginning); }

  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    const auto workload = read_astra_workload(text, time_unit_.ns * Rational(kNanosecond), only_ranks);
    if (!workload) return;
    if (workload->ranks) builder.have_at_least(*workload->ranks);
    if (only_ranks) return;
    Mistakes mistakes;
    const auto groups = groups_of(*workload, builder.ranks(), mistakes);
    mistakes.throw_if_any();
    builder.expect(2 * std::uint64_t{builder.ranks()});
    AstraStep(builder, *groups, collectives_, *workload).add();
  }

 private:
  static std::uint32_t value_of(const std::optional<std::int64_t>& key,
                                const std::optional<std::uint32_t>& in_file) {
    return key ? static_cast<std::uint32_t>(*key) : in_file.value_or(1);
  }

  std::optional<AstraGroups> groups_of(const AstraWorkload& workload, std::uint32_t ranks,
                                       Mistakes& mistakes) const {
    if (ranks == 0) {
      mistakes.add("ranks", "the file does not say how many ranks there are", "give a number");
      return std::nullopt;
    }
    const AstraRanks all{ranks, 1};
    AstraGroups groups{all, all, {1, 1}, {1, 1}};
    const bool is_hybrid = workload.policy >= AstraPolicy::data_model;
    if (is_hybrid && !tensor_ && !workload.tensor) {
      mistakes.add("tensor", "the file does not say how many ranks share a layer", "give a number");
      return std::nullopt;
    }
    for (const auto& [name, key, used] : {std::tuple("tensor", &tensor_, is_hybrid),
                                          {"expert", &expert_, workload.policy == AstraPolicy::transformer},
                                          {"stages", &stages_, workload.policy == AstraPolicy::transformer}})
      if (*key && !used) mistakes.add(name, "has no meaning with the policy of this file");
    const std::uint64_t tensor = value_of(tensor_, workload.tensor),
                        expert = value_of(expert_, workload.expert),
                        stages = value_of(stages_, workload.stages);
    if (is_hybrid) {
      const std::uint64_t copies = ranks / (tensor * stages);
      if (copies * tensor * stages != ranks)
        mistakes.add("tensor", fmt::format("tensor × stages = {} does not divide the {} ranks",
                                           tensor * stages, ranks));
      else if (copies % expert != 0)
        mistakes.add("expert", fmt::format("{} does not divide the {} ranks that have copies of a layer",
                                           expert, copies));
      if (!mistakes.empty()) return std::nullopt;
      const auto number = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
      const AstraRanks near{number(workload.policy == AstraPolicy::model_data ? copies : tensor), 1};
      const AstraRanks far{number(workload.policy == AstraPolicy::model_data ? tensor : copies), near.size};
      groups = {
          near, far, {number(expert), number(tensor)}, {number(copies / expert), number(tensor * expert)}};
      if (workload.policy == AstraPolicy::model_data) std::swap(groups.model, groups.data);
    }
    check_collectives(workload, groups, mistakes);
    return groups;
  }

  void check_collectives(const AstraWorkload& workload, const AstraGroups& groups, Mistakes& mistakes) const {
    for (const AstraLayer& layer : workload.layers)
      for (const auto& [phase, plain] : {std::pair(&layer.forward, &groups.model),
                                         {&layer.input_gradient, &groups.model},
                                         {&layer.weight_gradient, &groups.data}})
        if (phase->collective && mistakes.empty())
          collectives_.check(*phase->collective, groups.of(phase->group, *plain).size, mistakes);
  }

  Duration time_unit_{Rational(1)};
  std::optional<std::int64_t> tensor_, expert_, stages_;
  FileCollectives collectives_;
};

}  // namespace

Entry<ProgramKind> astra_sim() {
  return {"astra-sim", "a workload of ASTRA-sim 1.0 or SimAI: layers with computations and collectives",
          "Rashidi et al., ISPASS 2020; aliyun/SimAI", make_entry<ProgramKind, AstraSim>};
}

}  // namespace headway
