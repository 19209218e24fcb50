// SPDX-License-Identifier: Apache-2.0
// BookSim 2: "name = value;" with // comments (src/config.l and config.y of its sources, whose defaults apply
// here).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "headway/base/input_file.h"

#include "headway/imports/anynet.h"
#include "headway/imports/booksim_channel.h"
#include "headway/imports/booksim_routings.h"
#include "headway/imports/booksim_settings.h"
#include "headway/imports/formats.h"
#include "headway/imports/settings.h"

namespace headway::imports {
namespace {

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0 && result < 1'000'000'000; --exponent) result *= base;
  return result;
}

class BooksimImporter {
 public:
  BooksimImporter(const Request& request, Mistakes& mistakes)
      : request_(request),
        mistakes_(mistakes),
        settings_(settings_of_booksim(request.first(), mistakes), request.first().path, mistakes) {}

  Import import() {
    k_ = settings_.whole("k", 8, 1, 65535);
    n_ = settings_.whole("n", 2, 1, 16);
    c_ = settings_.whole("c", 1, 1, 65535);
    packet_ = settings_.whole("packet_size", 1, 1, 4095);
    run();
    spec_.table("[units]");
    spec_.set("cycle", "1 ns", "the time of one flit on a link");
    spec_.set("flit", "16 B", "any size will do: loads and times count flits");
    const std::string topology = settings_.text("topology", "torus");
    network(topology);
    const BooksimRouting* const found = routing(topology);
    switches(found);
    traffic();
    measure();
    settings_.name_others(without_in_booksim(), spec_);
    return {spec_.text(request_.first().path + ", a configuration of BookSim 2"), std::move(files_),
            spec_.said()};
  }

 private:
  void run() {
    if (settings_.text("seed", "0") == "time")
      spec_.without("seed = time", "a run of Headway can be repeated");
    else
      spec_.set("seed", settings_.whole("seed", 0, 0), settings_.said("seed", "0"));
    if (const std::int64_t seeds = settings_.whole("sim_count", 1, 1, 1'000'000); seeds > 1)
      spec_.set("seeds", seeds, settings_.said("sim_count", "1"));
  }

  void network(const std::string& topology) {
    static constexpr Translation kTopologies[] = {{"mesh", "mesh"},
                                                  {"torus", "torus"},
                                                  {"cmesh", "mesh"},
                                                  {"fly", "generalised-cube"},
                                                  {"flatfly", "hyperx"},
                                                  {"dragonflynew", "dragonfly"},
                                                  {"fattree", "k-ary-n-tree"},
                                                  {"anynet", "file"}};
    spec_.table("[network]");
    const auto name = translated(settings_, "topology", topology, kTopologies);
    if (!name) return;
    spec_.set("topology", *name, settings_.said("topology", "torus"));
    if (*name == "file") return anynet_file();
    const std::string size = fmt::format("k = {}, n = {}", k_, n_);
    if (*name == "mesh" || *name == "torus" || *name == "hyperx")
      spec_.set("sides", list_of(std::vector(static_cast<std::size_t>(n_), k_)), size);
    if (topology == "cmesh" || topology == "flatfly") {
      spec_.set("nodes_per_switch", c_, settings_.said("c", "1"));
      for (const std::string_view key : {"x", "y", "xr", "yr"})
        if (const Setting* place = settings_.take(key))
          spec_.without(
              fmt::format("{} = {}", key, place->value),
              "the places of routers and nodes; in Headway the nodes of a switch have consecutive numbers, "
              "so other patterns than uniform differ");
    }
    if (*name == "generalised-cube") {
      spec_.set("nodes", power(k_, n_), size);
      spec_.set("fan_in", k_, "k");
    }
    if (*name == "k-ary-n-tree") {
      spec_.set("k", k_, settings_.said("k", "8"));
      spec_.set("n", n_, settings_.said("n", "2"));
    }
    if (*name == "dragonfly") {
      spec_.set("p", k_, "k nodes, 2k switches and k global links: the only dragonfly of BookSim");
      spec_.set("a", 2 * k_, "2k");
      spec_.set("h", k_, "k");
    }
    links(topology);
  }

  // The network that the configuration names, beside it.
  void anynet_file() {
    const std::string name = settings_.text("network_file", "");
    const std::filesystem::path path = std::filesystem::path(request_.first().path).parent_path() / name;
    if (name.empty()) return settings_.wrong("topology", "anynet needs a network_file");
    Mistakes unreadable;
    const InputFile file(path.string());
    const std::string* const text = file.text("network_file", unreadable);
    mistakes_.add_all(unreadable.list());
    if (text == nullptr) return;
    const Anynet read = read_anynet({path.string(), *text}, mistakes_);
    const NetworkFile network = network_text_of(read.draft, path.string(), mistakes_);
    spec_.set("file", request_.beside("network.toml"), settings_.said("network_file", ""));
    files_.push_back({request_.beside("network.toml"), network.text, path.string(), false});
    name_one_way(read, spec_);
    for (const DraftLink& link : read.draft.links)
      channel_.delay = std::max(channel_.delay, static_cast<std::int64_t>(std::stoll(*link.delay)));
  }

  void links(const std::string& topology) {
    spec_.set("link.rate", "1 flit/cycle", "every link of BookSim");
    const bool by_place = settings_.whole("use_noc_latency", 1, 0, 1) == 1;
    std::int64_t delay = 1;
    std::string why = "the delay of BookSim's links";
    if (topology == "dragonflynew") {
      delay = 10;
      why = "links in a group";
      spec_.without(
          "lengths of links",
          "in BookSim 10 cycles in a group, 100 between groups and 1 to nodes; here all have 10 cycles");
    } else if (by_place && topology == "torus") {
      delay = 2;
      why = "a folded torus (use_noc_latency = 1)";
      spec_.without("lengths of links", "links to nodes take 1 cycle in BookSim, and 2 like the others here");
    } else if (by_place && (topology == "flatfly" || topology == "cmesh")) {
      spec_.without(
          "use_noc_latency = 1" + std::string(settings_.take("use_noc_latency") ? "" : ", the default"),
          "lengths of links by their places; here all have 1 cycle, as with use_noc_latency = 0");
    }
    spec_.set("link.delay", fmt::format("{} cycle{}", delay, delay == 1 ? "" : "s"), why);
    channel_.delay = delay;
  }

  const BooksimRouting* routing(const std::string& topology) {
    const std::string name = settings_.text("routing_function", "none");
    std::vector<Translation> table;
    for (const BooksimRouting& one : booksim_routings())
      if (one.topology == topology) table.push_back({one.name, one.algorithm});
    if (table.empty() || !translated(settings_, "routing_function", name, table)) return nullptr;
    const auto found = std::ranges::find_if(booksim_routings(), [&](const BooksimRouting& one) {
      return one.topology == topology && one.name == name;
    });
    spec_.table("[routing]");
    spec_.set("algorithm", found->algorithm, settings_.said("routing_function", "none"));
    if (topology == "torus" && found->algorithm == "dor")
      spec_.set("rings", "dateline", "BookSim halves the VCs at one link of every ring");
    if (!found->note.empty()) spec_.without(fmt::format("routing_function = {}", name), found->note);
    return &*found;
  }

  void switches(const BooksimRouting* found) {
    spec_.table("[switch]");
    static constexpr Translation kRouters[] = {{"iq", "iq"}};
    translated(settings_, "router", settings_.text("router", "iq"), kRouters);
    channels(found);
    pipeline();
    buffers();
    if (const double speedup = settings_.number("internal_speedup", 1, 1, 1000); speedup > 1) {
      spec_.set("architecture", "cioq", settings_.said("internal_speedup", "1"));
      spec_.set("crossbar_speedup", speedup, "internal_speedup");
      const std::int64_t room = settings_.whole("output_buffer_size", -1, -1, 1'000'000);
      spec_.set("output_memory", fmt::format("{} flits", std::max(room < 0 ? 4096 : room, packet_)),
                room < 0 ? "unlimited in BookSim" : "output_buffer_size");
    }
    static constexpr Translation kPriorities[] = {
        {"none", "round-robin"}, {"local_age", "oldest-first"}, {"network_age", "oldest-injected"}};
    const std::string priority = settings_.text("priority", "none");
    if (const auto arbiter = translated(settings_, "priority", priority, kPriorities))
      spec_.set("arbiter", *arbiter, settings_.said("priority", "none"));
  }

  // The lanes divide the VCs. The halves of a ring share the middle one of an odd number.
  void channels(const BooksimRouting* found) {
    const std::int64_t channels = settings_.whole("num_vcs", 16, 1, 1000);
    const std::int64_t lanes = found == nullptr ? 1 : found->lanes;
    const bool halves = found != nullptr && found->topology == "torus" && found->algorithm == "dor";
    const std::int64_t each = (channels + (halves ? lanes - 1 : 0)) / lanes;
    if (each > 0)
      spec_.set("virtual_channels", each,
                fmt::format("{}{}", settings_.said("num_vcs", "16"),
                            lanes > 1 ? fmt::format(" in {} lanes", lanes) : ""));
    if (channels % lanes != 0 || channels < lanes)
      spec_.without(settings_.said("num_vcs", "16"),
                    halves && each > 1
                        ? fmt::format("in BookSim both halves of a ring have {} and share one; "
                                      "here each has its own",
                                      each)
                        : fmt::format("the routing has {} lanes here", lanes));
  }

  // The cycles that a head takes from its arrival to its departure.
  void pipeline() {
    const std::int64_t allocation = settings_.whole("vc_alloc_delay", 1, 1, 1000),
                       transfer = settings_.whole("sw_alloc_delay", 1, 1, 1000);
    const bool speculative = settings_.whole("speculative", 0, 0, 1) == 1;
    const std::int64_t switching =
        settings_.whole("st_prepare_delay", 0, 0, 1000) + settings_.whole("st_final_delay", 1, 0, 1000);
    const std::int64_t head = settings_.whole("routing_delay", 1, 0, 1000) +
                              (speculative ? std::max(allocation, transfer) : allocation + transfer);
    channel_.packet = packet_;
    channel_.head = head + switching;
    channel_.serial = head - 1;
    channel_.credit_loop =
        2 * channel_.delay + transfer + switching + settings_.whole("credit_delay", 1, 0, 1000) + 1;
    spec_.set(
        "routing_delay", fmt::format("{} cycles", channel_.head),
        "the sum of routing_delay, vc_alloc_delay, sw_alloc_delay, st_prepare_delay and st_final_delay");
    spec_.without(
        "pipeline stages",
        "their sum is one delay of a head, which begins when it arrives; in BookSim it begins when the "
        "packet in front has left the VC");
  }

  void buffers() {
    const std::int64_t buffer = settings_.whole("vc_buf_size", 8, 1, 1'000'000);
    if (settings_.text("buffer_policy", "private") != "private" || settings_.whole("buf_size", -1, -1) > 0)
      settings_.wrong("buffer_policy", "memory that VCs share has no counterpart", "translated: private");
    const std::int64_t packets = channel_.packets_for(buffer);
    const std::int64_t memory = std::max(buffer, packets * packet_);
    spec_.set("cell", "1 flit", "memory is counted in flits");
    spec_.set(
        "queue_memory", fmt::format("{} flits", memory),
        settings_.said("vc_buf_size", "8") +
            (memory > buffer ? fmt::format(", for {} packet{}", packets, packets == 1 ? "" : "s") : ""));
    if (packet_ > 1)
      spec_.without(
          "wormhole switching",
          "a packet moves on only if all of it has room (virtual cut-through), and its room returns when "
          "all of it has left");
    spec_.without(
        settings_.said("vc_buf_size", "8"),
        fmt::format("a VC of {} flits alone passes {:.2f} of a link's rate here, and in BookSim one of "
                    "{} flits {:.2f}",
                    memory, channel_.rate_here(packets), buffer, channel_.rate_in_booksim(buffer)));
    if (settings_.take("credit_delay") != nullptr)
      spec_.without(settings_.said("credit_delay", "1"),
                    "part of that rate; here credits take the delay of the link");
  }

  void traffic() {
    spec_.table("[traffic]");
    spec_.set("packet", fmt::format("{} flit{}", packet_, packet_ == 1 ? "" : "s"),
              settings_.said("packet_size", "1"));
    spec_.table("[[traffic.flow]]");
    pattern();
    arrivals();
    const bool flits = settings_.whole("injection_rate_uses_flits", 0, 0, 1) == 1;
    const double rate = settings_.number("injection_rate", 0.1, 0, 1);
    spec_.set(
        "load", std::min(1.0, flits ? rate : rate * static_cast<double>(packet_)),
        fmt::format("{} {} per cycle", settings_.said("injection_rate", "0.1"), flits ? "flits" : "packets"));
    refuse_unless("classes", 1, "flows with service levels are classes (docs/lanes.md)");
    refuse_unless("use_read_write", 0, "jobs with the program request-reply have requests and replies");
    refuse_unless("subnets", 1, "import one of the networks at a time");
    refuse_unless("link_failures", 0, "network.failures has failed links; up-down and ecmp go around them");
    if (settings_.text("sim_type", "latency") == "batch")
      settings_.wrong("sim_type", "batch has no counterpart",
                      "write a job with operations (docs/program-files.md)");
  }

  // Settings that do nothing with one value, and with others something that Headway does not have.
  void refuse_unless(std::string_view name, std::int64_t neutral, std::string hint) {
    if (const std::int64_t value = settings_.whole(name, neutral, 0); value != neutral)
      settings_.wrong(name, fmt::format("{} has no counterpart", value), std::move(hint));
  }

  void pattern() {
    static constexpr Translation kPatterns[] = {
        {"uniform", "uniform"},     {"bitcomp", "complement"},      {"bitrev", "bit-reversal"},
        {"transpose", "transpose"}, {"shuffle", "perfect-shuffle"}, {"randperm", "permutation"},
        {"tornado", "tornado"},     {"neighbor", "neighbour"},      {"bad_dragon", "next-group"}};
    const std::string given = settings_.text("traffic", "uniform");
    const auto name = translated(settings_, "traffic", given, kPatterns);
    if (!name) return;
    spec_.set("pattern", *name, settings_.said("traffic", "uniform"));
    if (*name == "uniform") spec_.without("traffic = uniform", "nodes also send to themselves in BookSim");
    if (*name == "next-group") spec_.set("size", 2 * k_ * k_, "the nodes of a group");
    if (*name == "permutation" && settings_.take("perm_seed"))
      spec_.without(settings_.said("perm_seed", "0"), "Headway draws the permutation from the seed");
  }

  void arrivals() {
    const std::string process = settings_.text("injection_process", "bernoulli");
    static constexpr Translation kProcesses[] = {{"bernoulli", "bernoulli"}};
    if (!translated(settings_, "injection_process", process, kProcesses)) return;
    if (packet_ == 1)
      spec_.set("arrivals", "bernoulli", settings_.said("injection_process", "bernoulli"));
    else
      spec_.set("arrivals", "poisson",
                "bernoulli by cycle, which is close to it for packets of several flits");
  }

  void measure() {
    const std::int64_t period = settings_.whole("sample_period", 1000, 1, 1'000'000'000);
    spec_.table("[measure]");
    spec_.set("warmup", fmt::format("{} cycles", period * settings_.whole("warmup_periods", 3, 0, 1'000'000)),
              "warmup_periods x sample_period");
    spec_.set("duration", fmt::format("{} cycles", period * settings_.whole("max_samples", 10, 1, 1'000'000)),
              "max_samples x sample_period; BookSim stops earlier if its results converge");
  }

  const Request& request_;
  Mistakes& mistakes_;
  Settings settings_;
  SpecText spec_;
  std::vector<ImportedFile> files_;
  std::int64_t k_ = 8, n_ = 2, c_ = 1, packet_ = 1;
  BooksimChannel channel_;
};

// A configuration has settings; names and values of other formats do not end with a semicolon.
bool recognises_booksim(std::string_view text) {
  const std::string settings = without_comments_of_any(text);
  return settings.find('=') != std::string::npos && settings.find(';') != std::string::npos;
}

Import import_booksim(const Request& request, Mistakes& mistakes) {
  return BooksimImporter(request, mistakes).import();
}

}  // namespace

Format booksim() { return {"booksim", "a configuration of BookSim 2", recognises_booksim, import_booksim}; }

}  // namespace headway::imports
