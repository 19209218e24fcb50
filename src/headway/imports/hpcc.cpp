// SPDX-License-Identifier: Apache-2.0
// The simulator of HPCC: "NAME value {comment}" lines, which name a topology and flows. Flows number hosts as
// the topology does; a copy with Headway's numbers of nodes is written.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/base/units.h"
#include "headway/config/parameter_values.h"
#include "headway/congestion/reaction.h"
#include "headway/engine/network_options.h"
#include "headway/imports/checked.h"
#include "headway/imports/formats.h"
#include "headway/imports/hpcc_topology.h"
#include "headway/imports/settings.h"
#include "headway/trace/record.h"
#include "headway/trace/text.h"

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

bool is_hpcc_configuration(const Source& source) {
  return has_line(source.text, "CC_MODE") || has_line(source.text, "TOPOLOGY_FILE") ||
         has_line(source.text, "FLOW_FILE");
}
const Source& configuration_in(const Request& request) {
  const auto found = std::ranges::find_if(request.sources, is_hpcc_configuration);
  return found == request.sources.end() ? request.first() : *found;
}

class HpccImporter {
 public:
  // `no_pauses`: why links cannot pause; empty if they can.
  HpccImporter(const Request& request, std::string no_pauses, Mistakes& mistakes)
      : request_(request),
        path_(configuration_in(request).path),
        no_pauses_(std::move(no_pauses)),
        mistakes_(mistakes),
        settings_(settings_of_hpcc(configuration_in(request)), path_, mistakes) {}

  Import import() {
    const auto topology_source = file_of("TOPOLOGY_FILE", [](const Source& source) {
      return is_hpcc_topology(source.text) || is_simai_topology(source.text);
    });
    if (!topology_source) return {};
    topology_ = topology_of(*topology_source, mistakes_);
    if (!mistakes_.empty()) return {};
    network_ = network_text_of(topology_.draft, topology_source->path, mistakes_);
    if (!mistakes_.empty()) return {};
    network(*topology_source);
    switches();
    reaction();
    traffic();
    name_others();
    result_.said = spec_.said();
    result_.spec = spec_.text(path_ + ", a configuration of HPCC's simulator");
    return std::move(result_);
  }

 private:
  // A file that was given, or that the configuration names, beside it or in the folder around it.
  template <class IsIt>
  std::optional<Source> file_of(std::string_view key, const IsIt& is_it) {
    const std::string name = settings_.text(key, "");
    for (const Source& source : request_.sources)
      if (source.path != path_ && is_it(source)) return source;
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
      mistakes_.add(
          {std::string(key), "is missing", "name it, or give its file behind the configuration", path_});
    else
      settings_.wrong(key, fmt::format("there is no file {}", name),
                      "beside the configuration, or in the folder around it");
    return std::nullopt;
  }

  const std::string& rate() const { return topology_.first_rate(); }

  // A packet has 48 B of headers (14 for PPP, 20 for IP, 8 for UDP, 6 for its number and group:
  // CustomHeader::GetStaticWholeHeaderSize of HPCC's simulator), and what its congestion control adds: a time
  // stamp, or INT for five hops or for one.
  std::int64_t header() {
    const std::int64_t mode = settings_.whole("CC_MODE", 1, 0, 100);
    return 48 + (mode == 7 ? 8 : mode == 3 ? 42 : mode == 10 ? 2 : 0);
  }

  void network(const Source& topology_source) {
    spec_.table("[network]");
    spec_.set("topology", "file", "TOPOLOGY_FILE");
    const std::string name = request_.beside("network.toml");
    spec_.set("file", name, "rates and delays of all links");
    result_.files.push_back({name, network_.text, topology_source.path, false});
    name_inside(network_, spec_);
    name_rest(topology_, spec_);
    spec_.table("[routing]");
    // Hosts that packets can cross make cycles of shortest paths.
    if (network_.inside > 0)
      spec_.set("algorithm", "up-down", "shortest paths could wait for each other in a cycle over hosts");
    else
      spec_.set("algorithm", "ecmp", "one of the shortest paths for each pair of nodes, by a hash");
    if (takes_link_down()) spec_.set("reroute_after", "0 ns", "LINK_DOWN: routes are computed again at once");
  }

  void switches() {
    spec_.table("[switch]");
    set_output_queued(spec_, "packets wait at outputs, and move on when they are complete");
    const std::int64_t mebibytes = settings_.whole("BUFFER_SIZE", 16, 1, 100'000);
    const auto ports = static_cast<std::int64_t>(topology_.most_ports());
    const std::int64_t memory = mebibytes * 1'048'576 / ports;
    packet_ = settings_.whole("PACKET_PAYLOAD_SIZE", 1000, 1, kMostPacketBytes - header());
    const std::int64_t most = std::int64_t{kMostCreditsPerQueue} * (packet_ + header());
    spec_.set("input_memory", fmt::format("{} B", std::min(memory, most)),
              fmt::format("{} MiB (BUFFER_SIZE) of {} ports", mebibytes, ports));
    if (memory > most)
      spec_.without(fmt::format("BUFFER_SIZE = {}", mebibytes),
                    fmt::format("{} B for each of {} ports; here a port has at most {} packets, {} B", memory,
                                ports, kMostCreditsPerQueue, most));
    pauses();
  }

  // Its switches pause a queue that holds more than an eighth of the free memory, which ports share.
  void pauses() {
    const std::string setting = settings_.said("USE_DYNAMIC_PFC_THRESHOLD", "1");
    settings_.whole("USE_DYNAMIC_PFC_THRESHOLD", 1, 0, 1);  // of no effect there
    if (!no_pauses_.empty()) {
      spec_.set("flow_control", "lane-credits", "the queues of a port share its memory");
      spec_.without("PFC, " + setting, fmt::format("here packets wait for credits, because {}", no_pauses_));
      return;
    }
    spec_.set("flow_control", "pfc-shared", "PFC: " + setting);
    spec_.set("alpha", 0.125, "an eighth of the free memory");
    spec_.without(
        "headroom of PFC",
        "the least with which nothing is lost, instead of three times rate x delay, and no memory is "
        "reserved for a queue");
    const auto of_hosts = parse_rate(rate());
    if (std::ranges::any_of(topology_.draft.links, [&](const DraftLink& link) {
          return parse_rate(*link.rate)->bytes_per_ns > of_hosts->bytes_per_ns;
        }))
      spec_.without("threshold of PFC",
                    "HPCC doubles it with the rate of a link; here it is an eighth for all links");
  }

  void reaction() {
    const bool marked = settings_.whole("ENABLE_QCN", 1, 0, 1) == 1;
    const std::int64_t mode = settings_.whole("CC_MODE", 1, 0, 100);
    const bool windows = settings_.whole("HAS_WIN", 1, 0, 1) == 1;
    const std::string said = settings_.said("CC_MODE", "1"), win = settings_.said("HAS_WIN", "1");
    if (mode == 1 && marked)
      dcqcn();
    else if (mode == 7)
      timely();
    else
      uncontrolled(said + (marked ? "" : ", ENABLE_QCN = 0"), windows);
    if (windows && ((mode == 1 && marked) || mode == 7))
      spec_.without(win, "a node has one reaction, so windows do not limit flows beside the rates");
    if (settings_.text("VAR_WIN", "0") != "0" && windows)
      spec_.without(settings_.said("VAR_WIN", "0"), "windows do not follow the rate of a flow");
    for (const std::string_view name : kOfReactions)
      if (settings_.take(name) != nullptr && !spec_.mentions(name))
        spec_.without(settings_.said(name, ""), "of a congestion control that the spec does not have");
  }
  // Settings of congestion control, whichever uses them.
  static constexpr std::string_view kOfReactions[] = {"ALPHA_RESUME_INTERVAL",
                                                      "RATE_DECREASE_INTERVAL",
                                                      "RP_TIMER",
                                                      "EWMA_GAIN",
                                                      "FAST_RECOVERY_TIMES",
                                                      "RATE_AI",
                                                      "RATE_HAI",
                                                      "MIN_RATE",
                                                      "KMIN_MAP",
                                                      "KMAX_MAP",
                                                      "PMAX_MAP",
                                                      "DCTCP_RATE_AI",
                                                      "U_TARGET",
                                                      "MI_THRESH",
                                                      "INT_MULTI",
                                                      "MULTI_RATE",
                                                      "SAMPLE_FEEDBACK",
                                                      "PINT_LOG_BASE",
                                                      "PINT_PROB",
                                                      "FAST_REACT",
                                                      "CLAMP_TARGET_RATE"};

  // Controls that no reaction of Headway is: HPCC (3), DCTCP (8) and HPCC-PINT (10).
  void uncontrolled(const std::string& mode, bool windows) {
    std::vector<std::string_view> names;
    for (const Entry<Reaction>& entry : reactions())
      if (entry.name != "none") names.push_back(entry.name);
    spec_.without(mode, fmt::format("{}; the reactions that node.reaction has are {}",
                                    windows ? "only its windows limit flows, at their largest size"
                                            : "flows are not slowed down",
                                    list_text(names)));
    if (!windows) return;
    spec_.table("[node]");
    spec_.set("reaction", "window", "HAS_WIN: what a link sends in the longest round trip");
  }

  void dcqcn() {
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

  void timely() {
    spec_.table("[node]");
    spec_.set("reaction", "timely", "CC_MODE 7: TIMELY");
    spec_.set("t_low", "50 us", "HPCC's constant");
    spec_.set("t_high", "500 us", "HPCC's constant");
    spec_.set("min_rtt", "20 us", "HPCC's constant");
    spec_.set("rtt_gain", 0.875, "HPCC's constant");
    spec_.set("segment", fmt::format("{} B", packet_), "a rate changes once in a round trip");
    fraction("additive_increase", "RATE_AI", "5Mb/s");
    fraction("least_rate", "MIN_RATE", "100Mb/s");
    spec_.without(
        "CC_MODE = 7",
        "the patched form of TIMELY (docs/modelling.md): a flow approaches its fair rate, with its own "
        "decrease, 0.008, instead of 0.8 times the change of round trips, and without RATE_HAI");
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
    spec_.set("packet", fmt::format("{} B", packet_), "PACKET_PAYLOAD_SIZE");
    spec_.set("header", fmt::format("{} B", header()), "of PPP, IP, UDP and RoCE, and of CC_MODE");
    spec_.table("[[traffic.job]]");
    const auto workload = std::ranges::find_if(
        request_.sources, [](const Source& source) { return is_astra_text(source.text); });
    if (workload != request_.sources.end()) {
      spec_.set("name", "training", "");
      spec_.set("program", "astra-sim", "the workload");
      spec_.set("file", workload->named, "");
      if (settings_.take("FLOW_FILE") != nullptr)
        spec_.without(settings_.said("FLOW_FILE", ""), "the workload is the traffic");
    } else {
      spec_.set("name", "flows", "");
      spec_.set("program", "hpcc", "FLOW_FILE");
      const auto flows =
          file_of("FLOW_FILE", [](const Source& source) { return is_hpcc_flows(source.text); });
      if (!flows) return;
      const std::string name = request_.beside("flows.txt");
      spec_.set("file", name, "with the numbers of nodes that Headway has");
      begin_ = first_start(*flows);
      result_.files.push_back({name, renumbered(*flows, topology_, mistakes_), flows->path, true});
    }
    link_down();
    const double stop = settings_.number("SIMULATOR_STOP_TIME", 3, 1e-9, 1e18);
    if (stop <= kLongestRun) {
      spec_.table("[measure]");
      spec_.set("limit", fmt::format("{} s", stop), "SIMULATOR_STOP_TIME");
      return;
    }
    spec_.without(settings_.said("SIMULATOR_STOP_TIME", ""), "a run ends with its last flow");
  }

  // LINK_DOWN is "TIME A B": that many us after 2 s, the link between two nodes goes down; without a time,
  // none.
  bool takes_link_down() {
    const std::string text = settings_.text("LINK_DOWN", "0 0 0");
    return text != "0" && !text.starts_with("0 ");
  }
  void link_down() {
    if (!takes_link_down()) return;
    std::istringstream words(settings_.text("LINK_DOWN", ""));
    std::int64_t time = -1, a = -1, b = -1;
    std::string more;
    constexpr std::int64_t kLongest = 1'000'000'000'000;  // us
    if (!(words >> time >> a >> b) || words >> more || time < 0 || time > kLongest)
      return settings_.wrong("LINK_DOWN", "is not a time in us and two nodes", "write for example 100 0 16");
    const auto joins = [&](const DraftLink& link) {
      const auto is = [](std::size_t vertex, std::int64_t id) { return std::cmp_equal(vertex, id); };
      return (is(link.a, a) && is(link.b, b)) || (is(link.a, b) && is(link.b, a));
    };
    const std::vector<DraftLink>& links = topology_.draft.links;
    const auto between = std::ranges::count_if(links, joins);
    if (between == 0) return settings_.wrong("LINK_DOWN", fmt::format("no link joins {} and {}", a, b));
    if (between > 1)
      return settings_.wrong("LINK_DOWN", fmt::format("{} links join {} and {}", between, a, b),
                             "remove it, and write [[event]] in the spec, with the link by its end");
    const auto end = [&](std::int64_t id) {
      const auto vertex = static_cast<std::size_t>(id);
      return (network_.is_switch[vertex] ? "" : "node ") + topology_.draft.vertices[vertex].name;
    };
    const SignedWide at = 2 * SignedWide{kSecond} + SignedWide{time} * kMicrosecond - begin_;
    spec_.table("[[event]]");
    spec_.set("link", fmt::format("{} -- {}", end(a), end(b)), settings_.said("LINK_DOWN", ""));
    spec_.set("at", fmt::format("{} ps", static_cast<std::int64_t>(std::max<SignedWide>(at, 0))),
              begin_ > 0 ? "2 s later, from the start of the first flow on" : "2 s later");
    spec_.without(
        "packets in the queues of the link of LINK_DOWN",
        "there they are lost, and sent again; here they wait for it, so that a run that needs them ends "
        "as deadlocked");
  }
  // In picoseconds: the earliest start of the flows, from which a job counts.
  static SignedWide first_start(const Source& flows) {
    std::istringstream lines(flows.text);
    std::string line;
    std::optional<SignedWide> first;
    std::getline(lines, line);  // their number
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      const std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
      if (all.size() != 6) continue;  // the reader of flows says what is wrong
      const auto start = decimal_number(all.back(), kSecond);
      if (start && (!first || *start < *first)) first = start;
    }
    return first.value_or(0);
  }

  void name_others() {
    const std::array<Without, 4> without = {{
        {"rates and windows of single flows; here all flows have those of the longest path",
         {"GLOBAL_T", "RATE_BOUND"}},
        {"retransmission; links of Headway lose nothing",
         {"ERROR_RATE_PER_LINK", "L2_CHUNK_SIZE", "L2_BACK_TO_ZERO"}},
        {"acknowledgements take node.notification_delay, or are packets with node.notification_packet",
         {"L2_ACK_INTERVAL", "ACK_HIGH_PRIO"}},
        {"output; Headway has tables, --out and headway view",
         {"TRACE_FILE", "TRACE_OUTPUT_FILE", "FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "ENABLE_TRACE",
          "QLEN_MON_FILE", "QLEN_MON_START", "QLEN_MON_END", "BW_MON_FILE", "RATE_MON_FILE", "CNP_MON_FILE",
          "MON_START", "MON_END", "QP_MON_INTERVAL", "QLEN_MON_INTERVAL", "BW_MON_INTERVAL"}},
    }};
    settings_.name_others(without, spec_);
  }

  static constexpr double kLongestRun = 1000;  // s; a limit that is meant
  const Request& request_;
  std::string path_, no_pauses_;
  Mistakes& mistakes_;
  Settings settings_;
  HpccTopology topology_;
  NetworkFile network_;
  SpecText spec_;
  Import result_;
  std::int64_t packet_ = 1000;
  SignedWide begin_ = 0;  // ps: from which times of the spec count
};

bool recognises_hpcc(std::string_view text) {
  const std::string settings = without_comments_of_any(text);
  return has_line(settings, "TOPOLOGY_FILE") ||
         (has_line(settings, "CC_MODE") && has_line(settings, "ENABLE_QCN"));
}

Import import_hpcc(const Request& request, Mistakes& mistakes) {
  Import with_pauses = HpccImporter(request, "", mistakes).import();
  if (std::ranges::any_of(mistakes.list(), [](const Mistake& one) { return one.message != kUnknownKey; }))
    return with_pauses;
  const std::string& path = configuration_in(request).path;
  const std::vector<Mistake> wrong = refused(with_pauses, request.path, path);
  if (wrong.empty()) return with_pauses;
  Mistakes same;
  Import with_credits = HpccImporter(request, wrong.front().message, same).import();
  return refused(with_credits, request.path, path).empty() ? with_credits : with_pauses;
}

}  // namespace

Format hpcc() {
  return {"hpcc", "a configuration of HPCC's simulator or SimAI, with a topology, and flows or a workload",
          recognises_hpcc, import_hpcc, 3};
}

}  // namespace headway::imports
