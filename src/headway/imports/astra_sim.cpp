// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim: a network of its analytical backend, and perhaps a system file and a workload, which a job reads
// as it is. A system file says how collectives are made, so it needs a workload to say anything.
//
// Choice: an NPU with several links is a switch with a node (network_draft.h), so packets can cross NPUs, as
// in ASTRA-sim's rings. Bandwidths are GB/s and latencies ns, of each link.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "headway/base/parse_number.h"
#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"
#include "headway/imports/astra_network.h"
#include "headway/imports/formats.h"
#include "headway/imports/keyed_lists.h"
#include "headway/imports/settings.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

bool is_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}
bool contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool is_system(std::string_view text) {
  return is_object(text) && (contains(text, "-implementation") || contains(text, "\"scheduling-policy\""));
}
bool is_network(std::string_view text) { return is_astra_json(text) || is_astra_yaml(text); }

bool recognises_astra(std::string_view text) {
  return is_network(text) || is_system(text) ||
         (is_object(text) && (contains(text, "\"logical-dims\"") || contains(text, "\"memory-type\"")));
}

class AstraImporter {
 public:
  AstraImporter(const Request& request, Mistakes& mistakes) : request_(request), mistakes_(mistakes) {}

  Import import() {
    for (const Source& source : request_.sources) sort(source);
    if (network_ == nullptr) {
      if (mistakes_.empty())
        mistakes_.add({"FILE", "says nothing about the network",
                       "give the network of the analytical backend, too (.yml)", request_.first().path});
      return {};
    }
    const NetworkDraft draft =
        draft_of(astra_dimensions(*network_, spec_, mistakes_), network_->path, mistakes_);
    if (workload_.empty()) {
      if (system_ != nullptr)
        mistakes_.add({"FILE", "says how collectives are made, and there is no workload",
                       "give the workload, too", system_->path});
      return import_of(draft, request_, "a network of ASTRA-sim", std::move(spec_), mistakes_);
    }
    const NetworkFile file = network_text_of(draft, network_->path, mistakes_);
    if (!mistakes_.empty()) return {};
    job();
    if (!mistakes_.empty()) return {};
    spec_.table("[network]");
    spec_.set("topology", "file", "a network of ASTRA-sim");
    spec_.set("file", request_.beside("network.toml"), "NPUs and their links");
    name_inside(file, spec_);
    return with_usual_routing(request_, "a network of ASTRA-sim", file.links,
                              {{request_.beside("network.toml"), file.text, network_->path, false}},
                              std::move(spec_), job_);
  }

 private:
  void sort(const Source& source) {
    if (is_network(source.text)) {
      network_ = &source;
    } else if (is_system(source.text)) {
      system_ = &source;
    } else if (const std::string_view program = program_in(source.text);
               program == "astra-sim" || program == "chakra") {
      program_ = program;
      workload_ = source.named;
      // The traces of all ranks.
      if (program == "chakra" && workload_.ends_with(".0.et"))
        workload_.replace(workload_.size() - 4, 1, "*");
    } else if (is_object(source.text)) {
      const bool logical = contains(source.text, "\"logical-dims\"");
      mistakes_.add({"FILE", logical ? "has logical dimensions only" : "describes a memory, not a network",
                     logical ? "the network of ASTRA-sim with ns-3 is the topology that ns-3's configuration "
                               "names: import that configuration"
                             : "",
                     source.path});
    } else {
      mistakes_.add({"FILE", "is neither a network, a system nor a workload of ASTRA-sim", "", source.path});
    }
  }

  // The traffic, which is set behind the network.
  void job() {
    job_.table("[traffic]");
    job_.set("packet", "4 KiB", "assumed; ASTRA-sim's analytical backend has no packets");
    job_.table("[[traffic.job]]");
    job_.set("name", "training", "");
    job_.set("program", program_, "the workload");
    job_.set("file", workload_, "as it is");
    if (system_ == nullptr) return;
    std::vector<KeyedList> lists = json_lists(*system_);
    for (const KeyedList& list : lists) setting(list);
  }

  void setting(const KeyedList& list) {
    static constexpr Translation kAllReduces[] = {
        {"ring", "ring"}, {"doubleBinaryTree", "double-tree"}, {"halvingDoubling", "rabenseifner"}};
    static constexpr Translation kAllGathers[] = {{"ring", "ring"}, {"bruck", "bruck"}};
    static constexpr Translation kAllToAlls[] = {{"direct", "linear"}, {"ring", "pairwise"}};
    if (list.name == "all-reduce-implementation") return collective(list, "algorithm", kAllReduces);
    if (list.name == "all-gather-implementation") return collective(list, "all_gather", kAllGathers);
    if (list.name == "all-to-all-implementation") return collective(list, "all_to_all", kAllToAlls);
    if (list.name == "preferred-dataset-splits" && list.values.size() == 1) {
      const auto chunks = parse_number<std::int64_t>(list.values[0]);
      if (!chunks || *chunks < 1 || *chunks > 1'000'000)
        return mistakes_.add({list.name, fmt::format("{} is not a number of chunks", list.values[0]),
                              "1 to 1000000", list.where});
      return job_.set("chunks", *chunks, list.shown() + ", of all-reduces");
    }
    static constexpr std::string_view kWithoutCounterpart[] = {"scheduling-policy",
                                                               "endpoint-delay",
                                                               "active-chunks-per-dimension",
                                                               "reduce-scatter-implementation",
                                                               "collective-optimization",
                                                               "local-mem-bw",
                                                               "local-mem-latency",
                                                               "boost-mode",
                                                               "roofline-enabled",
                                                               "peak-perf",
                                                               "trace-enabled",
                                                               "intra-dimension-scheduling",
                                                               "inter-dimension-scheduling",
                                                               "model-shared-bus",
                                                               "replay-only",
                                                               "track-local-mem",
                                                               "local-mem-trace-filename",
                                                               "L",
                                                               "o",
                                                               "g",
                                                               "G"};
    if (std::ranges::find(kWithoutCounterpart, list.name) != std::end(kWithoutCounterpart))
      return spec_.without(list.shown(),
                           "of the scheduling, memory and computing of an NPU; reduce-scatters are rings");
    if (list.name.ends_with("-implementation-custom"))
      return mistakes_.add({list.name, "a collective of its own has no counterpart",
                            "a Chakra trace of sends and receives is a program by itself", list.where});
    std::vector<std::string_view> known = {"all-reduce-implementation", "all-gather-implementation",
                                           "all-to-all-implementation", "preferred-dataset-splits"};
    known.insert(known.end(), std::begin(kWithoutCounterpart), std::end(kWithoutCounterpart));
    const auto meant = nearest(list.name, known);
    mistakes_.add({list.name, std::string(kUnknownKey),
                   meant ? fmt::format("did you mean \"{}\"?", *meant) : "", list.where});
  }

  // The algorithm of the first dimension; Choice: all dimensions together have one.
  void collective(const KeyedList& list, std::string_view key, std::span<const Translation> table) {
    if (list.values.empty()) return mistakes_.add({list.name, "has no value", "", list.where});
    const auto found = std::ranges::find(table, list.values[0], &Translation::from);
    if (found == table.end()) {
      std::vector<std::string_view> names;
      for (const Translation& one : table) names.push_back(one.from);
      const auto meant = nearest(list.values[0], names);
      return mistakes_.add(
          {list.name, fmt::format("{} has no counterpart", list.values[0]),
           (meant ? fmt::format("did you mean \"{}\"? ", *meant) : "") + "translated: " + list_text(names),
           list.where});
    }
    job_.set(key, found->to, list.shown());
    if (list.values.size() > 1)
      spec_.without(list.shown(),
                    "a collective has one algorithm for all dimensions here, that of the first");
  }

  const Request& request_;
  Mistakes& mistakes_;
  const Source *network_ = nullptr, *system_ = nullptr;
  std::string program_, workload_;
  SpecText spec_, job_;
};

Import import_astra(const Request& request, Mistakes& mistakes) {
  return AstraImporter(request, mistakes).import();
}

}  // namespace

Format astra_sim() {
  return {"astra-sim",
          "a network of ASTRA-sim's analytical backend (yml, json), and perhaps a system file and a workload",
          recognises_astra, import_astra, 3};
}

}  // namespace headway::imports
