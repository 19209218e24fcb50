// SPDX-License-Identifier: Apache-2.0
// A step of the training of a neural network: for each layer, computations forward and backward, and an
// all-reduce of its gradients among the ranks that have copies of it (data parallelism), which overlaps with
// the computations. Communication that a computation waits for, of parts of a layer (tensor parallelism),
// stages of layers (pipeline parallelism) and experts (expert parallelism), is optional.
//
// Sources: Li et al., "PyTorch Distributed: experiences on accelerating data parallel training", VLDB 2020
// (overlap); Narayanan et al., "Efficient large-scale language model training on GPU clusters using
// Megatron-LM", SC 2021 (tensor parallelism, the schedule 1F1B of a pipeline, the order of ranks); Lepikhin
// et al., "GShard", ICLR 2021 (experts).
#include <algorithm>
#include <cmath>
#include <utility>

#include "headway/config/limits.h"
#include "headway/programs/all_reduce.h"

namespace headway {
namespace {

struct Layer {
  std::uint64_t forward, backward;  // picoseconds
  std::uint64_t gradients;          // bytes
};

struct ParallelRanks {
  std::uint32_t stages, data, tensor, expert;

  std::uint32_t of_stage() const { return data * tensor; }
};

// The ranks of one stage of the pipeline, which do the same. Computations, and what they wait for, are on CPU
// 0; the all-reduces of gradients are on CPU 1.
class TrainingStage {
 public:
  TrainingStage(const ParallelRanks& ranks, std::uint32_t stage, const Group& work, const Group& gradients,
                std::span<const Layer> layers, std::uint64_t activations, const AllReduceMethod& method)
      : ranks_(ranks),
        stage_(stage),
        work_(subgroup(work, stage * ranks.of_stage(), ranks.of_stage())),
        gradients_(subgroup(gradients, stage * ranks.of_stage(), ranks.of_stage())),
        layers_(layers),
        activations_(activations),
        method_(method) {}

  // 1F1B: a stage begins with a forward pass for each stage after it; then a backward pass follows each
  // forward pass. Messages to and from the same stage are exchanged in one step, as in Megatron-LM.
  void add(std::uint32_t microbatches) {
    const std::uint32_t ahead = std::min(ranks_.stages - 1 - stage_, microbatches);
    for (std::uint32_t i = 0; i < ahead; ++i) {
      receive(Stage::before);
      forward();
      send(Stage::after);
    }
    if (ahead < microbatches) receive(Stage::before);
    for (std::uint32_t i = ahead; i < microbatches; ++i) {
      forward();
      exchange(Stage::after, Stage::after);
      backward(/*is_last=*/ahead == 0 && i + 1 == microbatches);
      if (i + 1 < microbatches)
        exchange(Stage::before, Stage::before);
      else
        send(Stage::before);
    }
    for (std::uint32_t i = 0; i < ahead; ++i) {
      receive(Stage::after);
      backward(/*is_last=*/i + 1 == ahead);
      send(Stage::before);
    }
  }

 private:
  enum class Stage { before, after };

  bool has(Stage stage) const { return stage == Stage::after ? stage_ + 1 < ranks_.stages : stage_ > 0; }
  std::uint32_t peer(const Steps& steps, Stage stage) const {
    return stage == Stage::after ? steps.rank() + ranks_.of_stage() : steps.rank() - ranks_.of_stage();
  }
  void send(Stage to) { exchange(to, std::nullopt); }
  void receive(Stage from) { exchange(std::nullopt, from); }
  void exchange(std::optional<Stage> to, std::optional<Stage> from) {
    for (Steps* steps : work_.steps()) {
      if (to && has(*to)) steps->send(peer(*steps, *to), activations_);
      if (from && has(*from)) steps->receive(peer(*steps, *from), activations_);
      steps->next();
    }
  }

  void forward() {
    for (const Layer& layer : layers_) pass(layer.forward);
  }
  // The gradients of a layer are complete after the backward pass of the last microbatch.
  void backward(bool is_last) {
    const auto has_gradients = [](const Layer& layer) { return layer.gradients > 0; };
    auto reductions = static_cast<std::uint64_t>(is_last ? std::ranges::count_if(layers_, has_gradients) : 0);
    for (std::size_t number = layers_.size(); number-- > 0;) {
      const Layer& layer = layers_[number];
      pass(layer.backward);
      if (!is_last || !has_gradients(layer)) continue;
      join(gradients_, work_);
      const Steps& any = *work_.steps().front();
      const std::uint64_t before = any.operations();
      in_groups(gradients_, ranks_.data, ranks_.tensor,
                [&](const Group& copies) { method_.add(copies, layer.gradients); });
      any.expect_repeated(before, std::exchange(reductions, 1));
    }
  }

  void pass(std::uint64_t picoseconds) {
    to_experts();
    compute(work_, picoseconds);
    to_experts();
    if (ranks_.tensor > 1)
      in_groups(work_, ranks_.tensor, 1, [&](const Group& shares) { method_.add(shares, activations_); });
  }
  // Choice: each rank has as much for each expert.
  void to_experts() {
    if (ranks_.expert == 1) return;
    in_groups(work_, ranks_.expert, ranks_.tensor, [&](const Group& experts) {
      pairwise_all_to_all(experts, (activations_ + ranks_.expert - 1) / ranks_.expert);
    });
  }

  const ParallelRanks& ranks_;
  std::uint32_t stage_;
  Group work_, gradients_;
  std::span<const Layer> layers_;
  std::uint64_t activations_;
  const AllReduceMethod& method_;
};

class TrainingStep final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "layers",
                      .help = "number of layers; default: as many as the longest of the following lists, "
                              "whose single value is that of all layers",
                      .bounds = Bounds::from(1, 1e6)},
                     layers_);
    parameters.field({.name = "forward_ns",
                      .help = "for each layer: time of its computation forward, in ns, of a microbatch",
                      .bounds = Bounds::from(0, limits::kTime)},
                     forward_ns_);
    parameters.field({.name = "backward_ns",
                      .help = "for each layer: time of its computation backward, in ns, of a microbatch",
                      .bounds = Bounds::from(0, limits::kTime)},
                     backward_ns_);
    parameters.field({.name = "gradient_bytes",
                      .help = "for each layer: bytes of the gradients of a rank, which are reduced over the "
                              "ranks that have a copy of it; 0: none",
                      .bounds = Bounds::from(0, limits::kBytes)},
                     gradient_bytes_);
    method_.describe(parameters);
    parameters.field(count_parameter("tensor",
                                     "number of consecutive ranks that share a layer; they reduce its "
                                     "activations after each computation"),
                     tensor_);
    parameters.field(count_parameter("stages",
                                     "number of stages of the pipeline, each with its part of the layers; "
                                     "the first ranks are the first stage"),
                     stages_);
    parameters.field({.name = "microbatches",
                      .help = "number of microbatches that go through the stages one after another (1F1B)",
                      .bounds = Bounds::from(1, 1e6)},
                     microbatches_);
    parameters.field(count_parameter("expert",
                                     "number of ranks with copies of a layer that share its experts; an "
                                     "all-to-all is before and after each computation"),
                     expert_);
    parameters.field(
        bytes_parameter("activations",
                        "bytes of the activations of a rank, for tensor, stages and expert: what it "
                        "reduces, what it sends to the next stage, and what it sends to all experts"),
        activations_);
  }

  bool uses_switches() const override { return method_.uses_switches(); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override {
    const std::size_t count = layer_count();
    check_list("forward_ns", forward_ns_.size(), count, mistakes);
    check_list("backward_ns", backward_ns_.size(), count, mistakes);
    check_list("gradient_bytes", gradient_bytes_.size(), count, mistakes);
    if (static_cast<std::uint64_t>(stages_) > count)
      mistakes.add("stages", "there are fewer layers than stages", "at most " + std::to_string(count));
    const std::int64_t copies = ranks / (tensor_ * stages_);
    if (copies * tensor_ * stages_ != ranks)
      mistakes.add(tensor_ > 1 ? "tensor" : "stages",
                   "tensor × stages = " + std::to_string(tensor_ * stages_) + " does not divide the " +
                       std::to_string(ranks) + " ranks");
    else if (copies % expert_ != 0)
      mistakes.add("expert",
                   "does not divide the " + std::to_string(copies) + " ranks that have copies of a layer");
    else
      check_method(copies, mistakes);
  }

  void build(ProgramBuilder& builder) const override {
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < layer_count(); ++i)
      layers.push_back({to_picoseconds(at(forward_ns_, i)), to_picoseconds(at(backward_ns_, i)),
                        static_cast<std::uint64_t>(at(gradient_bytes_, i))});
    const auto tensor = static_cast<std::uint32_t>(tensor_), stages = static_cast<std::uint32_t>(stages_);
    const ParallelRanks ranks{stages, builder.ranks() / (tensor * stages), tensor,
                              static_cast<std::uint32_t>(expert_)};
    const AllRanks work(builder), gradients(builder, /*cpu=*/1);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      const std::size_t first = layers.size() * stage / stages, end = layers.size() * (stage + 1) / stages;
      TrainingStage(ranks, stage, work.group(), gradients.group(),
                    std::span(layers).subspan(first, end - first), bytes_of(activations_), method_)
          .add(static_cast<std::uint32_t>(microbatches_));
    }
  }

 private:
  std::size_t layer_count() const {
    if (layers_) return static_cast<std::size_t>(*layers_);
    return std::max({forward_ns_.size(), backward_ns_.size(), gradient_bytes_.size()});
  }
  // Gradients are reduced among copies of a layer, activations among ranks that share one.
  void check_method(std::int64_t copies, Mistakes& mistakes) const {
    Mistakes of_method;
    for (const std::int64_t group : {copies, tensor_})
      if (of_method.empty() && group > 1) method_.check(static_cast<std::uint32_t>(group), of_method);
    mistakes.add_all(of_method.list());
  }
  template <class T>
  static T at(const std::vector<T>& list, std::size_t layer) {
    return list.size() == 1 ? list.front() : list[layer];
  }
  static std::uint64_t to_picoseconds(double ns) {
    return static_cast<std::uint64_t>(std::llround(ns * 1000));
  }
  static void check_list(std::string_view key, std::size_t size, std::size_t layers, Mistakes& mistakes) {
    if (size != 1 && size != layers)
      mistakes.add(std::string(key), "has " + std::to_string(size) + " values",
                   "give one for each of the " + std::to_string(layers) + " layers, or one for all");
  }

  std::optional<std::int64_t> layers_;
  std::vector<double> forward_ns_ = {1000};
  std::vector<double> backward_ns_ = {2000};
  std::vector<std::int64_t> gradient_bytes_ = {1 << 20};
  AllReduceMethod method_;
  std::int64_t tensor_ = 1, stages_ = 1, microbatches_ = 1, expert_ = 1;
  Bytes activations_{64 << 10};
};

}  // namespace

Entry<ProgramKind> training_step() {
  return {"training-step",
          "a step of the training of a neural network, with data, tensor, pipeline and expert parallelism",
          "Li et al., VLDB 2020; Narayanan et al., SC 2021; Lepikhin et al., ICLR 2021",
          make_entry<ProgramKind, TrainingStep>};
}

}  // namespace headway
