// SPDX-License-Identifier: Apache-2.0
// Reads a network file: a TOML file with all switches, nodes and links.
//
//     [[switch]]                          # numbered in the order of the file
//     name = "leaf0"                      # default: its number
//     ports = 36                          # default: as many as are used
//
//     [[node]]                            # nodes, too, are numbered in the order of the file
//     at = "leaf0:3"                      # switch and port; without a port, the lowest that is free
//     name = "host3"                      # default: its number
//     count = 1                           # number of such nodes; default 1
//     rate = "1 GB/s"                     # of its link, as is delay; default: network.link
//
//     [[node]]                            # a node with several links
//     [[node.link]]                       # in place of `at`, `rate` and `delay` of the node
//     at = "nvswitch0"
//     scale_up = true                     # used before the others where the destination has such a link, too
//     [[node.link]]
//     at = "leaf0"
//     rail = 3                            # messages rather stay on a rail
//
//     [[link]]
//     ends = ["leaf0:18", "spine0:0"]
//     count = 2                           # parallel links; default 1
//     delay = "20 ns"
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headway/config/nearest.h"
#include "headway/config/row_reader.h"
#include "headway/config/table_reader.h"
#include "headway/config/toml.h"
#include "headway/topology/distances.h"
#include "headway/topology/fabric.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

constexpr std::int64_t kMostNamedNodes = 1 << 20;

// A network file in another form, most likely.
bool has_no_list_of_tables(std::string_view text) { return text.find("[[") == std::string_view::npos; }

class FabricReader {
 public:
  explicit FabricReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  Fabric read(const std::string& text, const std::string& file) {
    Document document;
    try {
      document = parse_toml(text, file);
    } catch (const SpecError& error) {
      mistakes_.add_all(error.mistakes());
      if (has_no_list_of_tables(text))
        mistakes_.add({"network.file", "is no TOML, and not the output of ibnetdiscover",
                       "headway import reads lists of links, graphs, and networks of other tools",
                       file + ":1:1"});
      return {};
    }
    TableReader top(document, "", mistakes_);
    const auto for_each = [&](std::string_view name,
                              void (FabricReader::*add)(TableReader&, const Document&)) {
      top.for_each(name, [&](const Document& table, const std::string& key) {
        TableReader entry(table, key, mistakes_);
        (this->*add)(entry, table);
        entry.refuse_others();
      });
    };
    for_each("switch", &FabricReader::add_switch);
    for_each("node", &FabricReader::add_nodes);
    for_each("link", &FabricReader::add_links);
    top.refuse_others();
    check_numbers("switch", fabric_.switch_names, switch_places_);
    check_numbers("node", fabric_.node_names, node_places_);
    if (fabric_.nodes.empty())
      mistakes_.add({"topology.node", "there is no node", "write [[node]] and its keys below", file});
    place_ends();
    const auto has_one = [](const std::vector<HostLink>& links) { return links.size() == 1; };
    if (std::ranges::all_of(fabric_.hosts, has_one)) fabric_.hosts.clear();
    if (mistakes_.empty()) check_connected(fabric_, mistakes_);
    return std::move(fabric_);
  }

 private:
  // The names that the file gives to switches or to nodes: to which, and where.
  struct GivenName {
    std::size_t number;
    std::string where;
  };
  using GivenNames = std::map<std::string, GivenName>;

  // The name of the switch or node with this number: its number, unless the file gives one, which must be
  // new.
  std::string name_of(TableReader& entry, const Document& table, std::size_t number, GivenNames& given) {
    const auto name = entry.text_of("name");
    if (!name) return std::to_string(number);
    const Document* const written = table.member("name");
    const std::string& where = written != nullptr ? written->where : table.where;
    if (const auto [first, fresh] = given.emplace(*name, GivenName{number, where}); !fresh)
      entry.wrong("name", written != nullptr ? *written : table,
                  "there is another \"" + *name + "\", at " + first->second.where);
    return *name;
  }

  // No given name is the number of another switch or node, which has this name.
  void check_numbers(std::string_view kind, const std::vector<std::string>& names, const GivenNames& given) {
    for (const auto& [name, which] : given)
      if (const auto number = whole_number(name);
          number && *number < names.size() && *number != which.number && names[*number] == name)
        mistakes_.add({std::string(kind) + ".name",
                       "\"" + name + "\" is the name of " + std::string(kind) + " " + name + ", too",
                       "a " + std::string(kind) + " without a name is called by its number", which.where});
  }

  void add_switch(TableReader& entry, const Document& table) {
    const auto number = static_cast<SwitchId>(fabric_.switch_names.size());
    fabric_.switch_names.push_back(name_of(entry, table, number, switch_places_));
    fabric_.switch_places.push_back(table.where);
    switch_of_.emplace(fabric_.switch_names.back(), number);
    const auto ports = entry.whole("ports", 1, kMostSwitchPorts);
    fabric_.ports.push_back(ports ? static_cast<std::uint32_t>(*ports) : 0);
    open_ended_.push_back(!ports);
    users_.emplace_back();
  }

  void add_nodes(TableReader& entry, const Document& table) {
    const std::int64_t count = entry.whole("count", 1, kMostNamedNodes).value_or(1);
    std::vector<Wire> wires;
    std::vector<HostLink> links;
    entry.for_each("link", [&](const Document& of_link, const std::string& key) {
      TableReader link(of_link, key, mistakes_);
      wires.push_back(node_link(link, of_link, count));
      links.push_back(host_link(link));
      link.refuse_others();
    });
    if (links.empty()) {
      wires.push_back(node_link(entry, table, count));
      links.emplace_back();
    }
    const std::string name = name_of(entry, table, fabric_.node_names.size(), node_places_);
    for (std::int64_t i = 0; i < count; ++i) {
      fabric_.node_names.push_back(i == 0 ? name : std::to_string(fabric_.node_names.size()));
      fabric_.nodes.insert(fabric_.nodes.end(), wires.begin(), wires.end());
      fabric_.hosts.push_back(links);
    }
  }

  // The link of a node, whose keys are those of the node or of an element of its list.
  Wire node_link(TableReader& entry, const Document& table, std::int64_t count) {
    Wire wire;
    const Document* const at = entry.take("at");
    if (at == nullptr)
      mistakes_.add({"node", "has no switch", "write at = \"NAME\" or \"NAME:PORT\"", table.where});
    else if (const auto end = end_of(entry, "at", *at, count))
      wire.ends = {*end};
    read_link(entry, wire);
    return wire;
  }

  static HostLink host_link(TableReader& entry) {
    HostLink link;
    if (const Document* const value = entry.take("scale_up")) {
      if (const auto* const is_so = value->get<bool>())
        link.scale_up = *is_so;
      else
        entry.wrong("scale_up", *value, "must be true or false");
    }
    if (const auto rail = entry.whole("rail", 0, kMostSwitchPorts))
      link.rail = static_cast<std::uint32_t>(*rail);
    return link;
  }

  void add_links(TableReader& entry, const Document& table) {
    const std::int64_t count = entry.whole("count", 1, kMostSwitchPorts).value_or(1);
    Wire wire;
    const Document* const ends = entry.take("ends");
    const auto* both = ends == nullptr ? nullptr : ends->get<Document::Array>();
    if (both == nullptr || both->size() != 2)
      mistakes_.add({"link.ends", "a link has two ends", "write ends = [\"NAME:PORT\", \"NAME:PORT\"]",
                     ends == nullptr ? table.where : ends->where});
    else
      for (const Document& end : *both)
        if (const auto place = end_of(entry, "ends", end, count)) wire.ends.push_back(*place);
    read_link(entry, wire);
    if (wire.ends.size() == 2)
      fabric_.links.insert(fabric_.links.end(), static_cast<std::size_t>(count), wire);
  }

  void read_link(TableReader& entry, Wire& wire) {
    wire.rate = entry.quantity<Rate>("rate", parse_rate, Rate{Rational(1, 1'000'000'000)}, "1 GB/s");
    wire.delay = entry.quantity<Duration>("delay", parse_duration, Duration{0}, "4 ns");
  }

  // "NAME" or "NAME:PORT".
  std::optional<End> end_of(TableReader& entry, std::string_view key, const Document& value,
                            std::int64_t count) {
    const auto* text = value.get<std::string>();
    if (text == nullptr) {
      entry.wrong(key, value, to_text(value) + " is not a switch", "write \"NAME\" or \"NAME:PORT\"");
      return std::nullopt;
    }
    const auto known = [&](const std::string& name) { return switch_of_.find(name); };
    auto found = known(*text);
    End end{kNone, kNone, value.where};
    const std::size_t colon = text->rfind(':');
    if (found == switch_of_.end() && colon != std::string::npos) {
      const std::string port = text->substr(colon + 1);
      found = known(text->substr(0, colon));
      const auto number = whole_number(port);
      if (!number || port.size() > 5) {
        entry.wrong(key, value, "\"" + port + "\" is not a port", "a whole number, at least 0");
        return std::nullopt;
      }
      end.port = *number;
    }
    if (found == switch_of_.end()) {
      const std::string name = text->substr(0, colon);
      const std::vector<std::string_view> names(fabric_.switch_names.begin(), fabric_.switch_names.end());
      const auto meant = nearest(name, names);
      entry.wrong(key, value, "there is no switch \"" + name + "\"",
                  meant ? "did you mean \"" + std::string(*meant) + "\"?" : "");
      return std::nullopt;
    }
    end.sw = found->second;
    if (end.port != kNone && count > 1) {
      entry.wrong(key, value, "one port cannot hold " + std::to_string(count) + " links",
                  "omit the port to use the lowest free ports");
      return std::nullopt;
    }
    if (end.port != kNone && !open_ended_[end.sw] && end.port >= fabric_.ports[end.sw]) {
      entry.wrong(key, value,
                  "switch \"" + fabric_.switch_names[end.sw] + "\" has no port " + std::to_string(end.port),
                  "ports 0 to " + std::to_string(fabric_.ports[end.sw] - 1));
      return std::nullopt;
    }
    return end;
  }

  void place_ends() {
    for (const bool given : {true, false})
      for (std::vector<Wire>* wires : {&fabric_.nodes, &fabric_.links})
        for (Wire& wire : *wires)
          for (End& end : wire.ends)
            if ((end.port != kNone) == given) place(end);
    for (SwitchId sw = 0; sw < users_.size(); ++sw)
      if (open_ended_[sw])
        fabric_.ports[sw] =
            std::max<std::uint32_t>(1, users_[sw].empty() ? 0 : users_[sw].rbegin()->first + 1);
  }

  void place(End& end) {
    auto& users = users_[end.sw];
    const std::string name = "switch \"" + fabric_.switch_names[end.sw] + "\"";
    if (end.port == kNone) {
      std::uint32_t& free = first_free_[end.sw];
      while (users.contains(free)) ++free;
      const std::int64_t most = open_ended_[end.sw] ? kMostSwitchPorts : fabric_.ports[end.sw];
      if (free >= most) {
        mistakes_.add({"ports", name + " has no free port", "it has " + std::to_string(most), end.where});
        return;
      }
      end.port = free;
    }
    const auto [first, fresh] = users.emplace(end.port, end.where);
    if (!fresh)
      mistakes_.add({"ports", "port " + std::to_string(end.port) + " of " + name + " is used twice",
                     "see " + first->second, end.where});
  }

  Mistakes& mistakes_;
  Fabric fabric_;
  GivenNames switch_places_, node_places_;
  std::map<std::string, SwitchId> switch_of_;
  std::vector<bool> open_ended_;  // [switch] `ports` is not given; it follows from use
  std::vector<std::map<std::uint32_t, std::string>> users_;  // [switch] port -> where
  std::map<SwitchId, std::uint32_t> first_free_;
};

}  // namespace

Fabric read_network_file(const std::string& text, const std::string& file, Mistakes& mistakes) {
  return FabricReader(mistakes).read(text, file);
}

void check_connected(const Fabric& fabric, Mistakes& mistakes) {
  std::vector<std::vector<SwitchId>> next(fabric.ports.size());
  for (const Wire& link : fabric.links) {
    next[link.ends[0].sw].push_back(link.ends[1].sw);
    next[link.ends[1].sw].push_back(link.ends[0].sw);
  }
  // Nodes with several links can join networks that no switch joins.
  std::vector<SwitchId> from = {fabric.nodes[0].ends[0].sw};
  if (!fabric.hosts.empty())
    for (const Wire& link : fabric.nodes) from.push_back(link.ends[0].sw);
  const Distances reached =
      breadth_first(static_cast<std::uint32_t>(next.size()), from, [&](SwitchId sw, auto&& visit) {
        for (const SwitchId other : next[sw]) visit(kNone, other);
      });
  for (SwitchId sw = 0; sw < next.size(); ++sw)
    if (!reached.has_path(sw))
      mistakes.add({"topology",
                    "switch \"" + fabric.switch_names[sw] + "\" is not connected to node \"" +
                        fabric.node_names[0] + "\"" + (fabric.hosts.empty() ? "" : " nor to another one"),
                    "", fabric.switch_places[sw]});
}

}  // namespace headway
