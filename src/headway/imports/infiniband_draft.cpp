// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/infiniband_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/units.h"
#include "headway/imports/formats.h"
#include "headway/imports/text_rows.h"
#include "headway/topology/infiniband_speeds.h"
#include "headway/topology/topology.h"

namespace headway::imports {
namespace {

std::string in_quotes(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return '"' + text + '"';
}

// The speeds of the links of a dump.
LinkExtremes extremes_of_dump(std::string_view dump, bool& any) {
  LinkExtremes links;
  any = false;
  for (std::size_t at = dump.find('x'); at != std::string_view::npos; at = dump.find('x', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && dump[begin - 1] >= '0' && dump[begin - 1] <= '9') --begin;
    const std::string_view word = dump.substr(begin, dump.find_first_of(" \t\r\n", at) - begin);
    const auto rate = begin < at ? infiniband_rate(word) : std::nullopt;
    if (!rate) continue;
    const double bytes = rate->bytes_per_ns.to_double();
    links.fastest = any ? std::max(links.fastest, bytes) : bytes;
    links.slowest_host = any ? std::min(links.slowest_host, bytes) : bytes;
    any = true;
  }
  return links;
}

}  // namespace

void InfinibandDraft::add(const std::string& key, const Device& device, std::uint32_t line) {
  const auto [found, fresh] = devices_.emplace(key, Known{device, 0, line, {}});
  if (fresh) return;
  Device& known = found->second.device;
  known.is_switch |= device.is_switch;
  if (known.guid == 0) known.guid = device.guid;
  if (known.lid == 0) known.lid = device.lid;
  if (known.description.empty()) known.description = device.description;
}

void InfinibandDraft::has_port(const std::string& key, std::uint32_t port) {
  std::uint32_t& ports = devices_.at(key).ports;
  ports = std::max(ports, port);
}

void InfinibandDraft::link(const PortOf& from, const PortOf& to, const std::string& speed,
                           std::uint32_t line) {
  for (const PortOf& end : {from, to}) {
    if (end.port == 0 || end.port + 1 >= kMostSwitchPorts)
      return wrong(line, fmt::format("{} is no port with a link", name_of(end)));
    has_port(end.device, end.port);
  }
  const auto [found, fresh] = devices_.at(from.device).links.emplace(from.port, Peer{to, speed, line});
  if (!fresh)
    wrong(line, fmt::format("{} is used twice", name_of(from)),
          "see " + place_in(source_.path, found->second.line));
}

void InfinibandDraft::wrong(std::uint32_t line, std::string message, std::string hint) {
  constexpr std::size_t kMostListedOfDump = 20;
  if (wrong_++ < kMostListedOfDump)
    mistakes_.add({"FILE", std::move(message), std::move(hint), place_in(source_.path, line)});
  if (wrong_ == kMostListedOfDump + 1)
    mistakes_.add({"FILE", "and more mistakes in this file", "", source_.path});
}

std::string InfinibandDraft::name_of(const PortOf& port) const {
  const auto found = devices_.find(port.device);
  const std::string& description = found == devices_.end() ? port.device : found->second.device.description;
  return fmt::format("port {} of \"{}\"", port.port, description.empty() ? port.device : description);
}

// Gives both ends of each link the link and its speed.
void InfinibandDraft::complete() {
  struct Missing {
    PortOf at;
    Peer peer;
  };
  std::vector<Missing> missing;
  for (auto& [key, known] : devices_)
    for (auto& [port, peer] : known.links) {
      const PortOf here{key, port};
      Known& other = devices_.at(peer.to.device);
      const auto back = other.links.find(peer.to.port);
      if (back == other.links.end()) {
        missing.push_back({peer.to, {here, peer.speed, peer.line}});
      } else if (back->second.to != here) {
        wrong(peer.line,
              fmt::format("{} leads to {}, and that to {}", name_of(here), name_of(peer.to),
                          name_of(back->second.to)),
              "see " + place_in(source_.path, back->second.line));
      } else if (peer.speed.empty()) {
        peer.speed = back->second.speed;
      }
      if (!known.device.is_switch && !other.device.is_switch)
        wrong(peer.line,
              fmt::format("{} and {} are linked without a switch", name_of(here), name_of(peer.to)));
    }
  for (Missing& one : missing) {
    const auto [found, fresh] = devices_.at(one.at.device).links.emplace(one.at.port, one.peer);
    if (!fresh && found->second.to != one.peer.to)
      wrong(one.peer.line, fmt::format("{} is used twice", name_of(one.at)),
            "see " + place_in(source_.path, found->second.line));
  }
}

std::string InfinibandDraft::text() {
  if (!any_wrong()) complete();
  std::map<std::uint64_t, const Known*> of_guid;
  for (auto& [key, known] : devices_) {
    if (any_wrong()) break;
    if (known.device.guid == 0) known.device.guid = known.device.lid;
    const auto [found, fresh] = of_guid.emplace(known.device.guid, &known);
    if (!fresh)
      wrong(known.line, fmt::format("\"{}\" and \"{}\" have one GUID or LID",
                                    found->second->device.description, known.device.description));
  }
  if (any_wrong()) return "";
  std::string text = fmt::format("# Topology file: generated by headway import from {}\n", source_.path);
  for (const bool switches : {true, false})
    for (const auto& [key, known] : devices_) {
      const Device& device = known.device;
      if (device.is_switch != switches || known.links.empty()) continue;
      text += fmt::format("\n{}\t{} \"{}-{:016x}\"\t# {}\n", switches ? "Switch" : "Ca", known.ports,
                          switches ? 'S' : 'H', device.guid, in_quotes(device.description));
      for (const auto& [port, peer] : known.links) {
        const Device& other = devices_.at(peer.to.device).device;
        text +=
            fmt::format("[{}]\t\"{}-{:016x}\"[{}]\t# {}{} lid {} {}\n", port, other.is_switch ? 'S' : 'H',
                        other.guid, peer.to.port, switches ? "" : fmt::format("lid {} lmc 0 ", device.lid),
                        in_quotes(other.description), other.lid, peer.speed);
      }
    }
  return text;
}

std::string infiniband_word(std::string_view width, std::string_view gigabits, bool is_fdr10) {
  struct LaneSpeed {
    std::string_view gigabits, name;
  };
  static constexpr LaneSpeed kLanes[] = {{"2.5", "SDR"},     {"5.0", "DDR"},      {"10.0", "QDR"},
                                         {"14.0625", "FDR"}, {"25.78125", "EDR"}, {"53.125", "HDR"},
                                         {"106.25", "NDR"},  {"212.5", "XDR"}};
  if (!width.ends_with('X') && !width.ends_with('x')) return "";
  for (const LaneSpeed& lane : kLanes)
    if (lane.gigabits == gigabits) {
      std::string word =
          fmt::format("{}x{}", width.substr(0, width.size() - 1), is_fdr10 ? "FDR10" : lane.name);
      return infiniband_rate(word) ? word : "";
    }
  return "";
}

Import import_of_dump(const Request& request, std::string dump, std::string_view what, Mistakes& mistakes) {
  const Source& source = request.first();
  const Source* routes = nullptr;
  for (std::size_t i = 1; i < request.sources.size(); ++i) {
    if (is_lft_dump(request.sources[i].text))
      routes = &request.sources[i];
    else
      mistakes.add({"FILE", "is no dump of forwarding tables", "its tables begin with \"Unicast lids\"",
                    request.sources[i].path});
  }
  if (!mistakes.empty()) return {};
  SpecText spec;
  std::vector<ImportedFile> files;
  bool any = false;
  const LinkExtremes links = extremes_of_dump(dump.empty() ? source.text : dump, any);
  spec.table("[network]");
  spec.set("topology", "file", what);
  if (dump.empty()) {
    spec.set("file", source.named, "as it is");
  } else {
    files.push_back({request.beside("ibnetdiscover"), std::move(dump), source.path, false});
    spec.set("file", files[0].name, "its links in the form of ibnetdiscover");
  }
  if (!any) {
    spec.set("link.rate", kAssumedRate, "assumed, the file gives no speeds");
    spec.say(fmt::format("link.rate = \"{}\": assumed, the file gives no speeds", kAssumedRate));
  }
  spec.set("link.delay", kAssumedDelay, "assumed, a dump has no delays");
  spec.say(fmt::format("link.delay = \"{}\": assumed, a dump has no delays", kAssumedDelay));
  if (routes == nullptr) return with_usual_routing(request, what, links, std::move(files), std::move(spec));
  spec.table("[routing]");
  spec.set("algorithm", "table", "the dumped forwarding tables");
  spec.set("file", routes->named, "as it is");
  add_usual_traffic(links, spec);
  return {spec.text(fmt::format("{}, {}", source.path, what)), std::move(files), spec.said()};
}

}  // namespace headway::imports
