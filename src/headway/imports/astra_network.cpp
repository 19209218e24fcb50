// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/astra_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "headway/base/parse_number.h"
#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"
#include "headway/imports/formats.h"
#include "headway/imports/keyed_lists.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::int64_t kMostNpus = 65536;

// Names in YAML and in JSON.
struct AstraKey {
  std::string_view yaml, json, unit;
};
constexpr AstraKey kTopology{"topology", "topologies-per-dim", ""}, kCount{"npus_count", "units-count", ""},
    kBandwidth{"bandwidth", "link-bandwidth", "GB/s"}, kLatency{"latency", "link-latency", "ns"};
constexpr std::string_view kLinks = "links-count";
// Of JSON only.
constexpr std::string_view kAstraWithout[] = {"topology-name", "dimension-type", "dimensions-count",
                                              "nic-latency",   "router-latency", "hbm-latency",
                                              "hbm-bandwidth", "hbm-scale"};
struct TopologyName {
  std::string_view name;
  AstraTopology topology;
};
constexpr TopologyName kTopologyNames[] = {{"Ring", AstraTopology::ring},
                                           {"FullyConnected", AstraTopology::fully_connected},
                                           {"Switch", AstraTopology::switched}};

class AstraNetworkReader {
 public:
  AstraNetworkReader(const Source& source, SpecText& spec, Mistakes& mistakes)
      : source_(source),
        is_yaml_(!is_astra_json(source.text)),
        spec_(spec),
        mistakes_(mistakes),
        lists_(is_yaml_ ? yaml_lists(source) : json_lists(source)) {}

  std::vector<AstraDimension> read() {
    const KeyedList *const topologies = take(kTopology), *const counts = take(kCount),
                           *const rates = take(kBandwidth), *const delays = take(kLatency);
    const KeyedList* const links = is_yaml_ ? nullptr : find(kLinks);
    refuse_others();
    if (topologies == nullptr || counts == nullptr || rates == nullptr || delays == nullptr) return {};
    std::vector<AstraDimension> dimensions;
    for (std::size_t i = 0; i < topologies->values.size(); ++i)
      dimensions.push_back({topology(*topologies, i), count(*counts, i, kMostNpus),
                            quantity(*rates, i, kBandwidth), quantity(*delays, i, kLatency)});
    for (const KeyedList* list : {counts, rates, delays})
      if (list->values.size() != topologies->values.size())
        wrong(*list, fmt::format("has {} values, and there are {} dimensions", list->values.size(),
                                 topologies->values.size()));
    if (links != nullptr) multiply(*links, dimensions);
    return dimensions;
  }

 private:
  void wrong(const KeyedList& list, std::string message, std::string hint = "") {
    mistakes_.add({list.name, std::move(message), std::move(hint), list.where});
  }
  const KeyedList* find(std::string_view name) {
    known_.push_back(name);
    const auto found = std::ranges::find(lists_, name, &KeyedList::name);
    return found == lists_.end() ? nullptr : &*found;
  }
  const KeyedList* take(const AstraKey& key) {
    const std::string_view name = is_yaml_ ? key.yaml : key.json;
    const KeyedList* const found = find(name);
    if (found == nullptr)
      mistakes_.add({std::string(name), "is missing", "a value for each dimension", source_.path});
    return found;
  }
  void refuse_others() {
    if (!is_yaml_) known_.insert(known_.end(), std::begin(kAstraWithout), std::end(kAstraWithout));
    for (const KeyedList& list : lists_) {
      if (std::ranges::find(kAstraWithout, list.name) != std::end(kAstraWithout) && !is_yaml_)
        spec_.without(list.shown(), "of memories, adapters and routers, or follows from the rest");
      if (std::ranges::find(known_, list.name) != known_.end()) continue;
      const auto meant = nearest(list.name, known_);
      wrong(list, std::string(kUnknownKey), meant ? fmt::format("did you mean \"{}\"?", *meant) : "");
    }
  }

  AstraTopology topology(const KeyedList& list, std::size_t i) {
    const auto* const found = std::ranges::find(kTopologyNames, list.values[i], &TopologyName::name);
    if (found != std::end(kTopologyNames)) return found->topology;
    std::vector<std::string_view> names;
    for (const TopologyName& one : kTopologyNames) names.push_back(one.name);
    const auto meant = nearest(list.values[i], names);
    wrong(list, fmt::format("{} is no topology that is read", list.values[i]),
          (meant ? fmt::format("did you mean \"{}\"? ", *meant) : "") + list_text(names, "or"));
    return AstraTopology::ring;
  }
  std::int64_t count(const KeyedList& list, std::size_t i, std::int64_t most) {
    const auto value = i < list.values.size() ? parse_number<std::int64_t>(list.values[i]) : std::nullopt;
    if (value && *value >= 1 && *value <= most) return *value;
    if (i < list.values.size())
      wrong(list, fmt::format("{} is not a whole number from 1 to {}", list.values[i], most));
    return 1;
  }
  std::string quantity(const KeyedList& list, std::size_t i, const AstraKey& key) {
    if (i >= list.values.size()) return "";
    const auto text = key.unit == "ns" ? delay_word(list.values[i], "ns") : rate_word(list.values[i], "GB/s");
    if (!text) wrong(list, fmt::format("{} is not a number of {}", list.values[i], key.unit));
    return text.value_or("");
  }
  // A link of a dimension has the bandwidth of one of its links; Choice: several between two NPUs are one.
  void multiply(const KeyedList& links, std::vector<AstraDimension>& dimensions) {
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      AstraDimension& of = dimensions[i];
      const std::int64_t peers = of.topology == AstraTopology::ring ? std::min<std::int64_t>(2, of.count - 1)
                                 : of.topology == AstraTopology::switched ? 1
                                                                          : of.count - 1;
      const std::int64_t each = count(links, i, kMostNpus) / std::max<std::int64_t>(peers, 1);
      const auto rate = parse_number<double>(of.rate.substr(0, of.rate.find(' ')));
      if (each > 1 && rate) of.rate = fmt::format("{} GB/s", *rate * static_cast<double>(each));
    }
  }

  const Source& source_;
  bool is_yaml_;
  SpecText& spec_;
  Mistakes& mistakes_;
  std::vector<KeyedList> lists_;
  std::vector<std::string_view> known_;
};

}  // namespace

bool is_astra_yaml(std::string_view text) {
  return has_line(text, "topology:") && (has_line(text, "npus_count:") || has_line(text, "bandwidth:"));
}
bool is_astra_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         (text.find("\"topologies-per-dim\"") != std::string_view::npos ||
          text.find("\"units-count\"") != std::string_view::npos);
}

std::vector<AstraDimension> astra_dimensions(const Source& source, SpecText& spec, Mistakes& mistakes) {
  return AstraNetworkReader(source, spec, mistakes).read();
}

NetworkDraft draft_of(const std::vector<AstraDimension>& dimensions, const std::string& path,
                      Mistakes& mistakes) {
  NetworkDraft draft;
  std::int64_t npus = 1;
  double links = 0;
  for (const AstraDimension& of : dimensions) npus = std::min(npus * of.count, kMostNpus + 1);
  for (const AstraDimension& of : dimensions)
    links += static_cast<double>(npus) *
             (of.topology == AstraTopology::fully_connected ? static_cast<double>(of.count - 1) / 2 : 1.0);
  if (npus > kMostNpus || links > static_cast<double>(NetworkDraft::kMostDraftLinks)) {
    mistakes.add({"FILE", npus > kMostNpus ? "has too many NPUs" : fmt::format("has {:.0f} links", links),
                  fmt::format("at most {} NPUs and {} links", kMostNpus, NetworkDraft::kMostDraftLinks),
                  path});
    return draft;
  }
  for (std::int64_t npu = 0; npu < npus; ++npu)
    draft.vertices.push_back({fmt::format("npu{}", npu), path, true});
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const AstraDimension& of = dimensions[d];
    std::map<std::int64_t, std::size_t> switch_of;  // of a group, by its first NPU
    const auto add = [&](std::size_t a, std::size_t b) { draft.links.push_back({a, b, of.rate, of.delay}); };
    for (std::int64_t npu = 0; npu < npus && of.count > 1; ++npu) {
      const std::int64_t place = npu / stride % of.count, first = npu - place * stride;
      const auto at = [&](std::int64_t other) { return static_cast<std::size_t>(first + other * stride); };
      if (of.topology == AstraTopology::switched) {
        const auto [found, fresh] = switch_of.emplace(first, draft.vertices.size());
        if (fresh)
          draft.vertices.push_back({fmt::format("dim{}.switch{}", d, switch_of.size() - 1), path, false});
        add(at(place), found->second);
      } else if (of.topology == AstraTopology::fully_connected) {
        for (std::int64_t other = place + 1; other < of.count; ++other) add(at(place), at(other));
      } else if (place + 1 < of.count || of.count > 2) {
        add(at(place), at((place + 1) % of.count));  // two NPUs have one link
      }
    }
    stride *= of.count;
  }
  return draft;
}

}  // namespace headway::imports
