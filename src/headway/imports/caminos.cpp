// SPDX-License-Identifier: Apache-2.0
// CAMINOS: one object Configuration. Lists of experiments become lists of [sweep].
#include <fmt/format.h>

#include <algorithm>

#include "headway/config/parameter_values.h"
#include "headway/imports/caminos_fields.h"
#include "headway/imports/formats.h"
#include "headway/imports/settings.h"
#include "headway/imports/spec_text.h"

namespace headway::imports {
namespace {

struct CaminosRouting {
  std::string_view topology;  // of Headway; empty: any
  std::string_view name;
  std::string_view algorithm;
  std::int64_t lanes;
};
constexpr CaminosRouting kCaminosRoutings[] = {
    {"mesh", "DOR", "dor", 1},
    {"torus", "DOR", "dor", 1},
    {"hyperx", "DOR", "dor", 1},
    {"mesh", "Shortest", "adaptive", 2},
    {"torus", "Shortest", "adaptive", 3},
    {"hyperx", "Shortest", "adaptive", 2},
    {"dragonfly", "Shortest", "minimal", 2},
    {"slim-fly", "Shortest", "minimal", 2},
    {"pgft", "Shortest", "adaptive", 1},
    {"pgft", "UpDown", "adaptive", 1},
    {"mesh", "Valiant", "valiant", 2},
    {"torus", "Valiant", "valiant", 4},
    {"hyperx", "Valiant", "valiant", 2},
    {"dragonfly", "Valiant", "valiant", 3},
    {"slim-fly", "Valiant", "valiant", 4},
    {"dragonfly", "PAR", "par", 4},
    {"dragonfly", "DragonflyDirect", "minimal", 2},
};

class CaminosImporter {
 public:
  CaminosImporter(const CaminosValue& configuration, Mistakes& mistakes)
      : mistakes_(mistakes), fields_(configuration, mistakes) {}

  std::string spec(const std::string& path) {
    seeds();
    spec_.table("[units]");
    spec_.set("cycle", "1 ns", "the time of one phit on a link");
    spec_.set("flit", "16 B", "a phit; any size will do");
    packet_ = fields_.whole("maximum_packet_size", 16);
    const std::vector<CaminosValue> routers = fields_.experiments("router");
    bubble_ = !routers.empty() && routers[0].field("bubble") != nullptr &&
              routers[0].field("bubble")->name == "true";
    topology();
    routing();
    router(routers);
    traffic();
    spec_.table("[measure]");
    spec_.set("warmup", fmt::format("{} cycles", fields_.whole("warmup", 0)), "warmup");
    spec_.set("duration",
              fmt::format("{} cycles", std::max<std::int64_t>(1, fields_.whole("measured", 10000))),
              "measured");
    if (!sweep_.empty()) {
      spec_.table("[sweep]");
      for (const auto& [key, values] : sweep_) spec_.set(fmt::format("\"{}\"", key), values, "experiments");
    }
    fields_.without({"launch_configurations", "statistics_", "temporal_statistics", "memory_report_period"},
                    "output and launching; Headway has tables, --out and --jobs", spec_);
    fields_.without({"server_queue_size", "general_frequency_divisor"}, "no counterpart", spec_);
    fields_.name_others(spec_);
    return spec_.text(path + ", a configuration of CAMINOS");
  }

 private:
  void seeds() {
    const std::vector<CaminosValue> seeds = fields_.experiments("random_seed");
    if (seeds.empty()) return;
    spec_.set("seed", whole_number(fields_.number_of("random_seed", seeds.front()).value_or(1)),
              "random_seed");
    if (seeds.size() > 1)
      spec_.set("seeds", static_cast<std::int64_t>(seeds.size()), "consecutive seeds; CAMINOS lists them");
  }

  // The single value of a key that has no experiments here.
  const CaminosValue* single(std::string_view key) {
    found_ = fields_.experiments(key);
    if (found_.size() > 1)
      fields_.wrong(key, found_[1].where, "experiments of this key have no counterpart",
                    "import one of them at a time");
    return found_.empty() ? nullptr : &found_.front();
  }

  void topology() {
    spec_.table("[network]");
    const CaminosValue* const object = single("topology");
    if (object == nullptr) return;
    CaminosFields fields(*object, mistakes_);
    const std::string& name = object->name;
    if (name == "Mesh" || name == "Torus" || name == "Hamming") {
      topology_ = name == "Mesh" ? "mesh" : name == "Torus" ? "torus" : "hyperx";
      spec_.set("topology", topology_, name);
      spec_.set("sides", list_of(fields.wholes("sides")), "sides");
      spec_.set("nodes_per_switch", fields.whole("servers_per_router", 1), "servers_per_router");
      if (name == "Hamming") fields.without({"wiring"}, "ports in another order", spec_);
    } else if (name == "Dragonfly" || name == "CanonicDragonfly") {
      topology_ = "dragonfly";
      spec_.set("topology", topology_, name);
      const std::int64_t global = fields.whole("global_ports_per_router", 1);
      spec_.set("p", fields.whole("servers_per_router", global), "servers_per_router");
      spec_.set("a", fields.whole("group_size", 2 * global), "group_size");
      spec_.set("h", global, "global_ports_per_router");
      if (fields.take("number_of_groups") != nullptr)
        spec_.set("g", fields.whole("number_of_groups", 2), "number_of_groups");
      const CaminosValue* const arrangement = fields.take("global_arrangement");
      if (arrangement == nullptr || arrangement->name == "Palmtree")
        spec_.set("arrangement", "palm-tree", "global_arrangement");
      else
        fields.wrong("global_arrangement", arrangement->where, arrangement->name + " has no counterpart",
                     "translated: \"Palmtree\"");
      fields.without({"global_lag", "lag"}, "no counterpart", spec_);
    } else if (name == "SlimFly") {
      topology_ = "slim-fly";
      spec_.set("topology", topology_, name);
      spec_.set("q", fields.whole("prime", 5), "prime");
      spec_.set("nodes_per_switch", fields.whole("servers_per_router", 1), "servers_per_router");
      fields.without({"primitive"}, "Headway has its own primitive element", spec_);
    } else if (name == "XGFT") {
      topology_ = "pgft";
      spec_.set("topology", topology_, name);
      std::vector<std::int64_t> children = fields.wholes("down"), parents = fields.wholes("up");
      children.insert(children.begin(), fields.whole("servers_per_leaf", 1));
      parents.insert(parents.begin(), 1);
      spec_.set("children", list_of(children), "servers_per_leaf, down");
      spec_.set("parents", list_of(parents), "up");
      fields.take("height");
    } else {
      fields_.wrong("topology", object->where, name + " has no counterpart",
                    "translated: \"Mesh\", \"Torus\", \"Hamming\", \"Dragonfly\", \"SlimFly\" and \"XGFT\"; "
                    "others can be written as "
                    "files (docs/files.md)");
      return;
    }
    fields.name_others(spec_);
    links();
  }

  void links() {
    spec_.set("link.rate", "1 flit/cycle", "a phit per cycle");
    std::int64_t delay = 0;
    for (const CaminosValue& list : fields_.experiments("link_classes"))
      for (const CaminosValue& link : list.elements) {
        CaminosFields fields(link, mistakes_);
        const std::int64_t own = fields.whole("delay", 1);
        if (delay > 0 && own != delay)
          spec_.without(fmt::format("a class of links with delay {}", own),
                        "all links have the delay of the first class");
        delay = delay == 0 ? own : delay;
        fields.without({"frequency_divisor", "transference_speed"}, "all links have one rate", spec_);
        fields.name_others(spec_);
      }
    spec_.set("link.delay", fmt::format("{} cycles", std::max<std::int64_t>(1, delay)), "link_classes");
  }

  void routing() {
    spec_.table("[routing]");
    Document::Array algorithms;
    for (const CaminosValue& object : fields_.experiments("routing")) {
      std::vector<std::string_view> names;
      const CaminosRouting* found = nullptr;
      for (const CaminosRouting& one : kCaminosRoutings) {
        if (one.topology != topology_) continue;
        names.push_back(one.name);
        if (one.name == object.name) found = &one;
      }
      if (found == nullptr) {
        if (!names.empty())
          fields_.wrong("routing", object.where, object.name + " has no counterpart",
                        "translated: " + list_text(names));
        continue;
      }
      lanes_ = std::max(lanes_, found->lanes);
      algorithms.emplace_back(std::string(found->algorithm));
      CaminosFields fields(object, mistakes_);
      if (found->algorithm == "dor" && fields.take("order") != nullptr && algorithms.size() == 1)
        spec_.set("order", list_of(fields.wholes("order")), "order");
      fields.without(
          {"first", "second", "selection_", "exclude_", "intermediate_", "pattern", "source_group_pattern"},
          "Headway has its own routes and lanes of both halves", spec_);
      fields.name_others(spec_);
      if (object.name == "Shortest" && found->algorithm == "adaptive" && topology_ != "pgft")
        spec_.without(
            "routing Shortest",
            "packets may take any shortest path, which can block for ever in CAMINOS; here they have "
            "an escape by dimension order");
    }
    if (algorithms.empty()) return;
    spec_.set("algorithm", algorithms.front(), "routing");
    if (topology_ == "torus" && std::get<std::string>(algorithms.front().value) == "dor") {
      spec_.set("rings", bubble_ ? "bubble" : "dateline",
                bubble_ ? "router.bubble" : "router.bubble is false: lanes keep rings from blocking");
      if (!bubble_) lanes_ = std::max<std::int64_t>(lanes_, 2);
    }
    if (algorithms.size() > 1) sweep_.emplace_back("routing.algorithm", Document(algorithms));
  }

  void router(const std::vector<CaminosValue>& routers) {
    spec_.table("[switch]");
    if (routers.empty()) return;
    if (routers.size() > 1)
      fields_.wrong("router", routers[1].where, "experiments of this key have no counterpart",
                    "import one of them at a time");
    const CaminosValue& object = routers.front();
    if (object.name != "Basic" && object.name != "InputOutput")
      return fields_.wrong("router", object.where, object.name + " has no counterpart",
                           "translated: \"Basic\" and \"InputOutput\"");
    CaminosFields fields(object, mistakes_);
    const std::int64_t channels = fields.whole("virtual_channels", 1),
                       buffer = fields.whole("buffer_size", 64);
    if (!bubble_) spec_.set("cell", "1 flit", "memory is counted in phits");
    spec_.set("queue_memory", fmt::format("{} flits", std::max(buffer, packet_)), "buffer_size");
    if (!bubble_ && buffer > packet_ && buffer < 2 * packet_)
      spec_.without(
          fmt::format("buffer_size = {}", buffer),
          fmt::format("a queue has room for one packet of {} phits, which returns when all of it has "
                      "left: {} cycles later than in CAMINOS, where it returns phit by phit",
                      packet_, buffer - packet_));
    if (channels / lanes_ > 1)
      spec_.set("virtual_channels", channels / lanes_,
                fmt::format("{} in {} lane{}", channels, lanes_, lanes_ > 1 ? "s" : ""));
    else if (channels != lanes_)
      spec_.without(fmt::format("virtual_channels = {}", channels),
                    fmt::format("the routings have {} lanes here", lanes_));
    if (const std::int64_t output = fields.whole("output_buffer_size", 0); output > 0) {
      spec_.set("architecture", "cioq", "output_buffer_size");
      spec_.set("output_memory",
                fmt::format("{} flits", std::max(output, packet_) * std::max(channels, lanes_)),
                "output_buffer_size of every virtual channel");
    }
    if (fields.whole("flit_size", packet_) != packet_)
      spec_.without("flit_size", "a packet moves on only if all of it has room (virtual cut-through)");
    fields.take("bubble");
    fields.without({"virtual_channel_policies", "allocator"},
                   "the channel with the most room is taken (switch.channel)", spec_);
    fields.without({"intransit_priority", "allow_request_busy_port", "output_prioritize_lowest_label",
                    "output_priorize_lowest_label", "neglect_busy_output", "transmission_mechanism",
                    "to_server_mechanism", "from_server_mechanism", "delay", "crossbar_delay",
                    "crossbar_frequency_divisor"},
                   "Headway's switches have their own rules (docs/modelling.md)", spec_);
    fields.name_others(spec_);
  }

  void traffic() {
    spec_.table("[traffic]");
    spec_.set("packet", fmt::format("{} flits", packet_), "maximum_packet_size");
    const CaminosValue* const object = single("traffic");
    if (object == nullptr) return;
    if (object->name != "HomogeneousTraffic")
      return fields_.wrong(
          "traffic", object->where, object->name + " has no counterpart",
          "translated: \"HomogeneousTraffic\"; jobs have programs, such as collectives (docs/programs.md)");
    const CaminosValue traffic = *object;
    CaminosFields fields(traffic, mistakes_);
    spec_.table("[[traffic.flow]]");
    patterns(fields.experiments("pattern"), fields);
    const std::int64_t message = fields.whole("message_size", packet_);
    if (message != packet_) spec_.set("message", fmt::format("{} flits", message), "message_size");
    spec_.set("arrivals", message == 1 ? "bernoulli" : "poisson", "at random in every cycle");
    Document::Array loads;
    for (const CaminosValue& load : fields.experiments("load"))
      loads.emplace_back(fields.number_of("load", load).value_or(0));
    if (!loads.empty()) spec_.set("load", loads.front(), "load");
    if (loads.size() > 1) sweep_.emplace_back("traffic.flow.load", Document(loads));
    fields.without({"servers", "tasks"}, "all nodes send", spec_);
    fields.name_others(spec_);
  }

  void patterns(const std::vector<CaminosValue>& objects, CaminosFields& traffic) {
    static constexpr Translation kPatterns[] = {
        {"Uniform", "uniform"}, {"RandomPermutation", "permutation"}, {"Hotspots", "hotspot"}};
    Document::Array names;
    for (const CaminosValue& object : objects) {
      const auto* const found = std::ranges::find(kPatterns, object.name, &Translation::from);
      if (found == std::end(kPatterns)) {
        traffic.wrong("pattern", object.where, object.name + " has no counterpart",
                      "translated: \"Uniform\", \"RandomPermutation\" and \"Hotspots\"; pattern \"matrix\" "
                      "reads any weights from a file");
        continue;
      }
      names.emplace_back(std::string(found->to));
      CaminosFields fields(object, mistakes_);
      if (object.name == "Hotspots") {
        const std::vector<std::int64_t> nodes = fields.wholes("destinations");
        if (nodes.size() == 1 && objects.size() == 1)
          spec_.set("destination", nodes.front(), "Hotspots");
        else
          traffic.wrong("pattern", object.where, "several hot spots have no counterpart",
                        "write a flow with pattern \"set\"");
      }
      fields.without({"extra_random_destinations", "allow_self"}, "no counterpart", spec_);
      fields.name_others(spec_);
    }
    if (!names.empty()) spec_.set("pattern", names.front(), "pattern");
    if (names.size() > 1) sweep_.emplace_back("traffic.flow.pattern", Document(names));
  }

  Mistakes& mistakes_;
  CaminosFields fields_;
  SpecText spec_;
  std::vector<std::pair<std::string, Document>> sweep_;
  std::vector<CaminosValue> found_;
  std::string topology_;
  std::int64_t packet_ = 16, lanes_ = 1;
  bool bubble_ = false;
};

bool recognises_caminos(std::string_view text) {
  return has_line(without_comments_of_any(text), "Configuration");
}

Import import_caminos(const Request& request, Mistakes& mistakes) {
  const Source& source = request.first();
  const CaminosValue configuration = parse_caminos(source.path, source.text, mistakes);
  if (!mistakes.empty()) return {};
  if (configuration.name != "Configuration")
    mistakes.add({"FILE", "is no Configuration of CAMINOS", "", configuration.where});
  return {CaminosImporter(configuration, mistakes).spec(source.path)};
}

}  // namespace

Format caminos() { return {"caminos", "a configuration of CAMINOS", recognises_caminos, import_caminos}; }

}  // namespace headway::imports
