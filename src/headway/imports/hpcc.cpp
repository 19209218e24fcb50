// SPDX-License-Identifier: Apache-2.0
// The simulator of HPCC: "NAME value {comment}" lines, which name a topology and flows. Flows number hosts as
// the topology does; a copy with Headway's numbers of nodes is written.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "headway/base/input_file.h"
#include "headway/base/units.h"
#include "headway/imports/hpcc_topology.h"
#include "headway/imports/settings.h"

namespace headway::imports {
namespace {

namespace fs = std::filesystem;

std::vector<Setting> settings_of_hpcc(const Source& source) {
  std::vector<Setting> settings;
  std::istringstream lines(source.text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('{')));
    std::string name, value, word;
    if (!(words >> name)) continue;
    while (words >> word) value += (value.empty() ? "" : " ") + word;
    settings.push_back({name, value, fmt::format("{}:{}", source.path, number)});
  }
  return settings;
}

class HpccImporter {
 public:
  HpccImporter(const Source& source, const std::string& stem, Mistakes& mistakes)
      : path_(source.path), stem_(stem), mistakes_(mistakes), settings_(settings_of_hpcc(source), mistakes) {}

  Import import() {
    const auto topology_source = file_of("TOPOLOGY_FILE");
    if (!topology_source) return {};
    topology_ = topology_of(*topology_source, mistakes_);
    if (!mistakes_.empty()) return {};
    network();
    switches();
    reaction();
    traffic();
    name_others();
    result_.spec = spec_.text(path_ + ", a configuration of HPCC's simulator");
    return std::move(result_);
  }

 private:
  // A file that the configuration names, beside it or in the folder around it.
  std::optional<Source> file_of(std::string_view key) {
    const std::string name = settings_.text(key, "");
    const fs::path folder = fs::path(path_).parent_path();
    for (const fs::path& path : {folder / name, folder / ".." / name, folder / fs::path(name).filename()})
      if (!name.empty() && fs::is_regular_file(path)) {
        Mistakes unreadable;
        const InputFile file(path.string());
        const std::string* const text = file.text(std::string(key), unreadable);
        mistakes_.add_all(unreadable.list());
        return text == nullptr ? std::nullopt : std::optional(Source{path.string(), *text});
      }
    if (name.empty())
      settings_.wrong(key, "is missing");
    else
      settings_.wrong(key, fmt::format("there is no file {}", name),
                      "beside the configuration, or in the folder around it");
    return std::nullopt;
  }

  const std::string& rate() const { return topology_.links.front().rate; }

  void network() {
    spec_.table("[network]");
    spec_.set("topology", "file", "TOPOLOGY_FILE");
    const std::string name = fmt::format("{}.network.toml", stem_);
    spec_.set("file", name, "rates and delays of all links");
    result_.files.emplace_back(name, network_text(topology_));
    if (topology_.loses) spec_.without("error rates of links", "links of Headway lose nothing");
    spec_.table("[routing]");
    spec_.set("algorithm", "ecmp", "one of the shortest paths for each pair of nodes, by a hash");
  }

  void switches() {
    spec_.table("[switch]");
    const std::int64_t megabytes = settings_.whole("BUFFER_SIZE", 16, 1, 100'000);
    std::int64_t ports = 1;
    for (const std::int64_t id : topology_.switches) ports = std::max(ports, topology_.degree[id]);
    spec_.set("input_memory", fmt::format("{} B", megabytes * 1'000'000 / ports),
              fmt::format("{} MB (BUFFER_SIZE) of {} ports; shared in HPCC", megabytes, ports));
  }

  void reaction() {
    const bool controlled = settings_.whole("ENABLE_QCN", 1, 0, 1) == 1;
    const std::int64_t mode = settings_.whole("CC_MODE", 0, 0, 100);
    static const std::vector<std::string_view> kDcqcn = {"ALPHA_RESUME_INTERVAL",
                                                         "RATE_DECREASE_INTERVAL",
                                                         "RP_TIMER",
                                                         "EWMA_GAIN",
                                                         "FAST_RECOVERY_TIMES",
                                                         "RATE_AI",
                                                         "RATE_HAI",
                                                         "MIN_RATE",
                                                         "KMIN_MAP",
                                                         "KMAX_MAP",
                                                         "PMAX_MAP"};
    if (!controlled || mode != 1) {
      spec_.without(fmt::format("CC_MODE = {}{}", mode, controlled ? "" : ", ENABLE_QCN = 0"),
                    "HPCC, TIMELY and DCTCP; flows are not slowed down here (only DCQCN, CC_MODE 1, has a "
                    "counterpart)");
      for (const std::string_view name : kDcqcn)
        if (settings_.take(name))
          spec_.without(settings_.said(name, ""), "of congestion control without counterpart");
      return;
    }
    spec_.set("marking", "red", "ECN by two thresholds");
    spec_.set("k_min", fmt::format("{} kB", of_rate("KMIN_MAP", 100)),
              "KMIN_MAP at the rate of the first link");
    spec_.set("k_max", fmt::format("{} kB", of_rate("KMAX_MAP", 400)), "KMAX_MAP");
    spec_.set("p_max", of_rate("PMAX_MAP", 0.2), "PMAX_MAP");
    spec_.table("[node]");
    spec_.set("reaction", "dcqcn-nic", "CC_MODE 1: DCQCN");
    spec_.set("alpha_gain", settings_.number("EWMA_GAIN", 1.0 / 16, 1e-9, 1), "EWMA_GAIN");
    micro("alpha_timer", "ALPHA_RESUME_INTERVAL", 55);
    micro("cut_interval", "RATE_DECREASE_INTERVAL", 4);
    micro("rate_timer", "RP_TIMER", 1500);
    spec_.set("fast_recovery", settings_.whole("FAST_RECOVERY_TIMES", 5, 0, 1000), "FAST_RECOVERY_TIMES");
    fraction("additive_increase", "RATE_AI", "5Mb/s");
    fraction("hyper_increase", "RATE_HAI", "50Mb/s");
    fraction("least_rate", "MIN_RATE", "100Mb/s");
  }

  void micro(std::string_view key, std::string_view name, double otherwise) {
    spec_.set(key, fmt::format("{} us", settings_.number(name, otherwise, 1e-6)), name);
  }
  void fraction(std::string_view key, std::string_view name, std::string_view otherwise) {
    const auto value = parse_rate(with_unit(settings_.text(name, otherwise)));
    if (!value) return settings_.wrong(name, "is not a rate", "write for example 50Mb/s");
    spec_.set(key, value->bytes_per_ns.to_double() / parse_rate(rate())->bytes_per_ns.to_double(),
              fmt::format("{} of links of {}", settings_.said(name, otherwise), rate()));
  }
  // The value of "3 25000000000 100 50000000000 200 100000000000 400" at the rate of the first link.
  double of_rate(std::string_view name, double otherwise) {
    std::istringstream words(settings_.text(name, ""));
    const double bits = parse_rate(rate())->bytes_per_ns.to_double() * 8e9;
    double count = 0, at = 0, value = 0;
    for (words >> count; words >> at >> value;)
      if (at == bits) return value;
    if (count > 0) settings_.wrong(name, fmt::format("has no value for links of {}", rate()));
    return otherwise;
  }

  void traffic() {
    spec_.table("[traffic]");
    spec_.set("packet", fmt::format("{} B", settings_.whole("PACKET_PAYLOAD_SIZE", 1000, 1, 65535)),
              "PACKET_PAYLOAD_SIZE; headers are not counted");
    spec_.table("[[traffic.job]]");
    spec_.set("name", "flows", "");
    spec_.set("program", "hpcc", "FLOW_FILE");
    const auto flows = file_of("FLOW_FILE");
    if (!flows) return;
    const std::string name = fmt::format("{}.flows.txt", stem_);
    spec_.set("file", name, "with the numbers of nodes that Headway has");
    result_.files.emplace_back(name, renumbered(*flows));
    spec_.table("[measure]");
    spec_.set("limit", fmt::format("{} s", settings_.number("SIMULATOR_STOP_TIME", 3, 1e-9, 4e6)),
              "SIMULATOR_STOP_TIME");
  }

  // The flows with Headway's numbers of hosts, and without what a file has behind them.
  std::string renumbered(const Source& flows) {
    std::istringstream words(flows.text);
    std::int64_t count = 0;
    words >> count;
    std::string text = fmt::format("{}\n", count);
    for (std::int64_t flow = 0; flow < count; ++flow) {
      std::int64_t from = 0, to = 0;
      std::string rest;
      words >> from >> to;
      std::getline(words, rest);
      const auto source = std::ranges::find(topology_.hosts, from),
                 target = std::ranges::find(topology_.hosts, to);
      const auto is_host = [&](auto found, std::int64_t id) {
        return found != topology_.hosts.end() && *found == id;
      };
      if (!words || !is_host(source, from) || !is_host(target, to)) {
        mistakes_.add({"FLOW_FILE", fmt::format("flow {} of {} is not between two hosts", flow, count),
                       "a line is: source destination group port bytes start", flows.path});
        return text;
      }
      text +=
          fmt::format("{} {}{}\n", source - topology_.hosts.begin(), target - topology_.hosts.begin(), rest);
    }
    return text;
  }

  void name_others() {
    if (const Setting* down = settings_.take("LINK_DOWN"); down != nullptr && down->value != "0 0 0")
      settings_.wrong("LINK_DOWN", "a link that fails during a run has no counterpart",
                      "network.failures has failed links");
    const std::array<Without, 4> without = {{
        {"PFC; here packets wait for credits", {"USE_DYNAMIC_PFC_THRESHOLD", "PFC_OUTPUT_FILE"}},
        {"of congestion control without counterpart",
         {"CLAMP_TARGET_RATE", "DCTCP_RATE_AI", "HAS_WIN", "GLOBAL_T", "VAR_WIN", "FAST_REACT", "U_TARGET",
          "MI_THRESH", "INT_MULTI", "MULTI_RATE", "SAMPLE_FEEDBACK", "PINT_LOG_BASE", "PINT_PROB",
          "RATE_BOUND"}},
        {"acknowledgements and retransmission; here nothing is lost",
         {"ERROR_RATE_PER_LINK", "L2_CHUNK_SIZE", "L2_ACK_INTERVAL", "L2_BACK_TO_ZERO", "ACK_HIGH_PRIO"}},
        {"output; Headway has tables, --out and headway view",
         {"TRACE_FILE", "TRACE_OUTPUT_FILE", "FCT_OUTPUT_FILE", "ENABLE_TRACE", "QLEN_MON_FILE",
          "QLEN_MON_START", "QLEN_MON_END"}},
    }};
    settings_.name_others(without, spec_);
  }

  std::string path_, stem_;
  Mistakes& mistakes_;
  Settings settings_;
  HpccTopology topology_;
  SpecText spec_;
  Import result_;
};

}  // namespace

Import import_hpcc(const Source& source, const std::string& stem, Mistakes& mistakes) {
  return HpccImporter(source, stem, mistakes).import();
}

}  // namespace headway::imports
