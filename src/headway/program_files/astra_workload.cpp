// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/astra_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "headway/config/limits.h"
#include "headway/programs/file_program.h"

namespace headway {
namespace {

struct PolicyName {
  std::string_view name;
  std::optional<AstraPolicy> policy;  // none: refused
};
constexpr PolicyName kPolicies[] = {{"MICRO", AstraPolicy::micro},
                                    {"DATA", AstraPolicy::data},
                                    {"MODEL", AstraPolicy::model},
                                    {"HYBRID_DATA_MODEL", AstraPolicy::data_model},
                                    {"HYBRID_MODEL_DATA", AstraPolicy::model_data},
                                    {"HYBRID_TRANSFORMER", AstraPolicy::transformer},
                                    {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", AstraPolicy::transformer},
                                    {"HYBRID_DLRM", std::nullopt},
                                    {"HYBRID_DLRM_ENHANCED", std::nullopt},
                                    {"HYBRID_CUSTOMIZED", std::nullopt},
                                    {"DISTRIBUTED_INFERENCE", std::nullopt}};

struct TypeName {
  std::string_view name;
  std::optional<Collective> collective;
};
// Choice: the root of a broadcast is the first rank of its group. ASTRA-sim and SimAI read no broadcasts, and
// SimAI takes those of its own example files for none.
constexpr TypeName kTypes[] = {{"NONE", std::nullopt},
                               {"ALLREDUCE", Collective::all_reduce},
                               {"ALLTOALL", Collective::all_to_all},
                               {"ALLGATHER", Collective::all_gather},
                               {"REDUCESCATTER", Collective::reduce_scatter},
                               {"BROADCAST", Collective::broadcast}};

template <class Named, std::size_t kSize>
const Named* find_name(const Named (&list)[kSize], std::string_view name) {
  const auto* const found = std::ranges::find(list, name, &Named::name);
  return found == std::end(list) ? nullptr : found;
}

class WorkloadReader {
 public:
  WorkloadReader(ProgramText& text, const Rational& unit) : text_(text), unit_(unit) {}

  std::optional<AstraWorkload> read(bool only_header) {
    if (!has_line("the policy") || !text_.attempt([&] { header(Words(text_.line())); })) return std::nullopt;
    if (only_header) return std::move(workload_);
    std::uint64_t announced = 0;
    const auto count = [&] {
      Words words(text_.line());
      announced = words.number("the number of layers");
      words.expect_end();
    };
    if (!has_line("the number of layers") || !text_.attempt(count)) return std::nullopt;
    const std::uint32_t line_of_count = text_.number();
    std::uint64_t seen = 0;
    while (text_.next())
      if (!Words(text_.line()).at_end()) {
        ++seen;
        text_.attempt([&] { layer(Words(text_.line())); });
      }
    if (seen != announced)
      text_.report_at(line_of_count,
                      {{}, fmt::format("{} layers are announced, but the file has {}", announced, seen)});
    if (text_.any_wrong()) return std::nullopt;
    return std::move(workload_);
  }

 private:
  bool has_line(std::string_view what) {
    if (text_.next()) return true;
    text_.report_at(text_.number(), {{}, fmt::format("the file ends before {}", what)});
    return false;
  }

  void header(Words words) {
    const std::string_view here = words.rest();
    const auto name = words.one_of(names_of(kPolicies), "a workload begins with its policy, but ");
    const std::optional<AstraPolicy> policy = find_name(kPolicies, name)->policy;
    if (!policy) throw WrongLine{here, fmt::format("Headway does not have the policy {}", name)};
    workload_.policy = *policy;
    while (!words.at_end()) header_key(words);
  }

  void header_key(Words& words) {
    static constexpr std::string_view kKeys[] = {
        "model_parallel_NPU_group", "ep",     "pp", "vpp", "ga", "all_gpus", "checkpoints",
        "checkpoint_initiates",     "pp_comm"};
    const std::string_view key = words.one_of(kKeys, "a policy has no such key: ");
    words.take(":");
    const std::string_view at = words.rest();
    const std::uint64_t value = words.number(key);
    if (key.starts_with("checkpoint") && value != 0)
      throw WrongLine{at, "Headway does not repeat forward passes from checkpoints", "0 for none"};
    for (const auto& [name, field] : {std::pair("model_parallel_NPU_group", &AstraWorkload::tensor),
                                      {"ep", &AstraWorkload::expert},
                                      {"pp", &AstraWorkload::stages},
                                      {"all_gpus", &AstraWorkload::ranks}}) {
      if (key != name) continue;
      if (value == 0 || value > limits::kRanks)
        throw WrongLine{at, fmt::format("{} is {}", key, value), fmt::format("1 to {}", limits::kRanks)};
      workload_.*field = static_cast<std::uint32_t>(value);
    }
  }

  void layer(Words words) {
    AstraLayer layer;
    words.piece();  // its name
    if (words.at_end()) throw WrongLine{words.rest(), "the reserved column is missing", "-1"};
    words.piece();
    layer.forward = phase(words, "forward");
    layer.input_gradient = phase(words, "input gradient");
    layer.weight_gradient = phase(words, "weight gradient");
    layer.update = time(words, "the time of the update");
    words.expect_end();
    workload_.layers.push_back(layer);
  }

  std::uint64_t time(Words& words, std::string_view what) const {
    const std::string_view at = words.rest();
    const auto picoseconds = picoseconds_of(words.number(what), unit_);
    if (!picoseconds) throw WrongLine{at, fmt::format("{} is longer than 46 days", what), "see time_unit"};
    return *picoseconds;
  }

  AstraPhase phase(Words& words, std::string_view name) const {
    AstraPhase phase;
    phase.picoseconds = time(words, fmt::format("the time of the {}", name));
    const std::string_view type = words.piece();
    std::string_view plain = type;
    for (const auto& [suffix, group] :
         {std::pair("_DP_EP", AstraGroup::data_of_expert), {"_EP", AstraGroup::expert}})
      if (plain.ends_with(suffix) && workload_.policy == AstraPolicy::transformer) {
        plain.remove_suffix(std::string_view(suffix).size());
        phase.group = group;
      }
    const TypeName* const found = find_name(kTypes, plain);
    if (found == nullptr)
      throw WrongLine{type, fmt::format("\"{}\" is no collective", type.substr(0, 40)),
                      hint_of(plain, names_of(kTypes))};
    phase.collective = found->collective;
    phase.bytes =
        words.number(fmt::format("the size of the {}", name), static_cast<std::uint64_t>(limits::kBytes));
    if (phase.bytes == 0) phase.collective.reset();
    return phase;
  }

  ProgramText& text_;
  const Rational& unit_;
  AstraWorkload workload_;
};

}  // namespace

std::optional<AstraWorkload> read_astra_workload(ProgramText& text, const Rational& unit, bool only_header) {
  return WorkloadReader(text, unit).read(only_header);
}

bool is_astra_workload(std::string_view beginning) {
  return find_name(kPolicies, Words(beginning.substr(0, beginning.find('\n'))).word()) != nullptr;
}

}  // namespace headway
