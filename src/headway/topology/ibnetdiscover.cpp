// SPDX-License-Identifier: Apache-2.0
// Reads the output of ibnetdiscover for an InfiniBand fabric (infiniband-diags, ibnetdiscover(8), section
// "Topology file format"). A section per switch, channel adapter and router lists the links of its ports:
//
//     Switch  24 "S-005442ba00003080"    # "ISR9024" base port 0 lid 6 lmc 0
//     [22]    "H-0008f10403961354"[1](8f10403961355)    # "host7 HCA-1" lid 4 4xSDR
//     [10]    "S-0008f10400410015"[1]                   # "SW-6IB4" lid 3 4xSDR
//
// Every connected port of an adapter or router at a switch is a node. Choice: nodes are numbered by switch
// and port, so that the nodes of a switch have consecutive numbers. Ports keep the numbers of the dump; port
// 0, the switch itself, has no link. A link must be listed in the sections of both of its ends; this check
// finds damaged files. Both ends give the speed of a link. It may be missing at one of them, but they must
// not contradict each other. Choice: if no link has a speed, all have the rate of network.link; if only some
// have one, the others are mistakes.
//
// A network of ibsim, OpenSM's simulator, has the same sections with any names: Switch 8 "leaf0", Hca 1
// "node3". A port without a number is port 1. What ibsim says when it starts may stand above a dump. Its
// commands in a file of a network ("do", "include", "module") are refused, because they change the network.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "headway/base/parse_number.h"
#include "headway/config/row_reader.h"
#include "headway/topology/fabric.h"
#include "headway/topology/infiniband_speeds.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

// Reads a line token by token.
class Scanner {
 public:
  explicit Scanner(std::string_view line) : rest_(line) {}

  bool take(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  template <class Number = std::uint32_t>
  std::optional<Number> number(int base = 10) {
    skip();
    return take_number<Number>(rest_, base);
  }
  std::optional<std::string> quoted() {
    if (!take("\"")) return std::nullopt;
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::string_view word() {
    skip();
    const std::string_view text = rest_.substr(0, rest_.find_first_of(" \t\r"));
    rest_.remove_prefix(text.size());
    return text;
  }
  bool at_end() {
    skip();
    return rest_.empty();
  }
  // Skips a text in these brackets, if there is one: "[ext 4]", "(8f10403961355)".
  void skip_in(char open, char close) {
    skip();
    if (rest_.empty() || rest_.front() != open) return;
    const std::size_t end = rest_.find(close);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }
  std::string_view rest_;
};

struct PortLine {
  std::string peer;  // "S-005442ba00003080"
  std::uint32_t peer_port = 0;
  std::string description;  // of the peer
  std::uint32_t lid = 0;    // of the peer
  std::optional<Rate> rate;
  std::string speed;  // as written
  std::uint32_t line = 0;
};
struct Section {
  bool is_switch = false;
  std::string id;
  std::uint32_t ports = 0;
  std::string description;
  std::uint32_t line = 0;
  std::map<std::uint32_t, PortLine> links;  // [port]
};

class IbnetdiscoverReader {
 public:
  IbnetdiscoverReader(const std::string& text, const std::string& file, Mistakes& mistakes)
      : rows_(&text, file, "network.file", mistakes), mistakes_(mistakes) {}

  Fabric read() {
    while (rows_.next()) read_row();
    if (!rows_.any_wrong()) check_both_ends();
    if (!rows_.any_wrong()) check_speeds();
    if (!rows_.any_wrong()) make_fabric();
    if (!rows_.any_wrong() && fabric_.nodes.empty())
      rows_.wrong_at(0, "there is no node at a switch");
    else if (!rows_.any_wrong())
      check_connected(fabric_, mistakes_);
    rows_.finish();
    return std::move(fabric_);
  }

 private:
  void read_row() {
    Scanner scanner(rows_.whole());
    if (scanner.take("Chassis") || scanner.take("Non-Chassis")) return;
    if (scanner.take("[")) return read_link(scanner);
    if (scanner.take("Switch ") || scanner.take("Switch\t")) return read_section(scanner, "S-");
    for (const char* const adapter : {"Ca ", "Ca\t", "Hca ", "Hca\t"})
      if (scanner.take(adapter)) return read_section(scanner, "H-");
    if (scanner.take("Rt ") || scanner.take("Rt\t")) return read_section(scanner, "R-");
    for (const char* const key :
         {"vendid=", "devid=", "sysimgguid=", "switchguid", "caguid", "rtguid", "hcaguids"})
      if (scanner.take(key)) return;
    if (sections_.empty() && is_said_by_ibsim(rows_.whole())) return;
    for (const char* const command : {"do ", "include ", "module "})
      if (scanner.take(command))
        return rows_.wrong(std::string(command) + "is a command of ibsim, which changes the network",
                           "write the network without it, or export it with ibnetdiscover under ibsim-run");
    rows_.wrong("this line is not one of ibnetdiscover",
                "a line begins a section of a switch or adapter, or describes one of its ports");
  }

  // The lines of a console of ibsim, and warnings of the library under it.
  static bool is_said_by_ibsim(std::string_view line) {
    for (const std::string_view begin : {"parsing: ", "Network simulator ready", "MaxNet", "MaxLinearCap",
                                         "MaxMcastCap", "sim> ", "sim (inactive)> ", "ibwarn: ", "pdebug"})
      if (line.starts_with(begin)) return true;
    return line.find(": parsed ") != std::string_view::npos;  // FILE: parsed 24 lines
  }

  void read_section(Scanner& scanner, std::string_view kind) {
    section_ = nullptr;
    const auto ports = scanner.number();
    auto id = scanner.quoted();
    const bool fits = id && !id->empty() && (guid_of(*id) ? id->starts_with(kind) : !has_kind(*id));
    if (!ports || *ports == 0 || *ports >= kMostSwitchPorts || !fits)
      return rows_.wrong(
          "this is not the head of a section",
          "write its number of ports and \"" + std::string(kind) + "\" with 16 digits, or a name of ibsim");
    scanner.take("#");
    const std::string description = scanner.quoted().value_or(guid_of(*id) ? "" : *id);
    const auto [found, fresh] = number_of_.emplace(*id, sections_.size());
    if (!fresh)
      return rows_.wrong("there is another section of \"" + *id + "\"",
                         "see " + rows_.place(sections_[found->second].line));
    sections_.push_back({kind == "S-", std::move(*id), *ports, description, rows_.line(), {}});
    section_ = &sections_.back();
  }

  // Reads a port line after its "[".
  void read_link(Scanner& scanner) {
    if (sections_.empty()) return rows_.wrong("a section must precede the first port");
    if (section_ == nullptr) return;  // its head is wrong
    PortLine link;
    link.line = rows_.line();
    const auto port = scanner.number();
    const bool begins = port && scanner.take("]");
    scanner.skip_in('[', ']');
    scanner.skip_in('(', ')');
    auto peer = begins ? scanner.quoted() : std::nullopt;
    const bool named = peer && (guid_of(*peer) || !has_kind(*peer));
    const bool numbered = named && scanner.take("[");
    const auto peer_port = numbered                   ? scanner.number()
                           : named && !guid_of(*peer) ? std::optional(1U)
                                                      : std::nullopt;
    if (!peer_port || (numbered && !scanner.take("]")))
      return rows_.wrong("this is not a link", "a link is [PORT] \"S-GUID\"[PORT] # \"NAME\" lid LID 4xEDR");
    link.peer = std::move(*peer);
    link.peer_port = *peer_port;
    scanner.skip_in('[', ']');
    scanner.skip_in('(', ')');
    if (!scanner.at_end() && !read_comment(scanner, link)) return;
    if (*port == 0 || *port > section_->ports)
      return rows_.wrong("\"" + section_->id + "\" has no port " + std::to_string(*port),
                         "ports 1 to " + std::to_string(section_->ports));
    const auto [found, fresh] = section_->links.emplace(*port, std::move(link));
    if (!fresh)
      rows_.wrong(name_of(section_->id, *port) + " is used twice", "see " + rows_.place(found->second.line));
  }

  // # "NAME" lid 4 4xSDR, or in the section of an adapter # lid 4 lmc 0 "NAME" lid 6 4xSDR
  bool read_comment(Scanner& scanner, PortLine& link) {
    if (!scanner.take("#")) {
      rows_.wrong("\"" + std::string(scanner.word()) + "\" is not expected here", "a comment begins with #");
      return false;
    }
    for (bool named = false; !scanner.at_end();) {
      if (auto name = scanner.quoted()) {
        link.description = std::move(*name);
        named = true;
        continue;
      }
      const std::string_view word = scanner.word();
      const auto number = word == "lid" || word == "lmc" ? scanner.number() : std::nullopt;
      if (word == "lid" && named) link.lid = number.value_or(0);
      if (word.find('x') == std::string_view::npos || !(word.front() >= '0' && word.front() <= '9')) continue;
      link.rate = infiniband_rate(word);
      link.speed = word;
      if (link.rate) continue;
      rows_.wrong("\"" + std::string(word) + "\" is not the width and speed of a link",
                  "such as 4xEDR; speeds are " + infiniband_speed_names());
      return false;
    }
    return true;
  }

  static std::optional<std::uint64_t> guid_of(std::string_view id) {
    if (!has_kind(id)) return std::nullopt;
    Scanner scanner(id.substr(2));
    const auto guid = scanner.number<std::uint64_t>(16);
    return scanner.at_end() ? guid : std::nullopt;
  }

  // "S-..." or the like, which is followed by a GUID.
  static bool has_kind(std::string_view id) {
    return id.size() == 18 && (id[0] == 'S' || id[0] == 'H' || id[0] == 'R') && id[1] == '-';
  }
  bool is_switch(const std::string& id) const {
    const auto found = number_of_.find(id);
    return found == number_of_.end() ? id.starts_with("S-") : sections_[found->second].is_switch;
  }

  void check_both_ends() {
    const bool has_adapters = std::ranges::any_of(sections_, [](const Section& s) { return !s.is_switch; });
    for (const Section& section : sections_)
      for (const auto& [port, link] : section.links) {
        const auto peer = number_of_.find(link.peer);
        if (peer == number_of_.end()) {
          if (has_kind(link.peer) && !is_switch(link.peer) && !has_adapters)
            continue;  // the dump lists only switches
          rows_.wrong_at(link.line, "there is no section of \"" + link.peer + "\"", "is the file complete?");
          continue;
        }
        const auto& links = sections_[peer->second].links;
        const auto back = links.find(link.peer_port);
        if (back == links.end() || back->second.peer != section.id || back->second.peer_port != port)
          rows_.wrong_at(
              link.line,
              name_of(link.peer, link.peer_port) + " does not lead back to " + name_of(section.id, port),
              back == links.end() ? "its section does not list it" : "see " + rows_.place(back->second.line));
        else if (!section.is_switch && !is_switch(link.peer))
          rows_.wrong_at(link.line, "two adapters are linked without a switch");
      }
  }

  // The other end of a link; null if the dump lists only switches and this is a link of a node.
  PortLine* other_end(const PortLine& link) {
    const auto peer = number_of_.find(link.peer);
    return peer == number_of_.end() ? nullptr : &sections_[peer->second].links.at(link.peer_port);
  }
  static std::string name_of(const std::string& id, std::uint32_t port) {
    return "port " + std::to_string(port) + " of \"" + id + '"';
  }

  void check_speeds() {
    bool some_have = false;
    for (Section& section : sections_)
      for (auto& [port, link] : section.links) {
        PortLine* const back = other_end(link);
        if (back != nullptr && !link.rate) link.rate = back->rate;
        some_have |= link.rate.has_value();
      }
    for (const Section& section : sections_)
      for (const auto& [port, link] : section.links) {
        const PortLine* const back = other_end(link);
        if (back != nullptr && back->line < link.line) continue;  // reported at its other end
        const std::string ends = name_of(section.id, port) + " and " + name_of(link.peer, link.peer_port);
        if (!link.rate && some_have)
          rows_.wrong_at(link.line, "the link between " + ends + " has no speed, but others have one",
                         "write it behind the name, such as 4xEDR");
        else if (back != nullptr && link.rate != back->rate)
          rows_.wrong_at(link.line, ends + " contradict each other: " + link.speed + " and " + back->speed,
                         "see " + rows_.place(back->line));
      }
  }

  // The description if no other one has this name, otherwise the GUID.
  static std::vector<std::string> unique_names(const std::vector<std::pair<std::string, std::string>>& from) {
    std::map<std::string, int> uses;
    for (const auto& [description, id] : from) {
      ++uses[description];
      if (id != description) ++uses[id];
    }
    std::vector<std::string> names;
    for (const auto& [description, id] : from)
      names.push_back(description.empty() || uses[description] > 1 ? id : description);
    return names;
  }

  void make_fabric() {
    std::map<std::string, SwitchId> switch_of;
    std::vector<std::pair<std::string, std::string>> switches, nodes;
    for (const Section& section : sections_) {
      if (!section.is_switch) continue;
      switch_of.emplace(section.id, static_cast<SwitchId>(switches.size()));
      switches.emplace_back(section.description, section.id);
      fabric_.switch_places.push_back(rows_.place(section.line));
      fabric_.ports.push_back(section.ports + 1);
      fabric_.switch_guids.push_back(guid_of(section.id).value_or(0));  // 0: ibsim names no GUIDs
    }
    for (const Section& section : sections_) {
      if (!section.is_switch) continue;
      const SwitchId sw = switch_of[section.id];
      for (const auto& [port, link] : section.links) {
        const End here = {sw, port, rows_.place(link.line)};
        if (!is_switch(link.peer)) {
          fabric_.nodes.push_back({{here}, link.rate, {}});
          fabric_.node_lids.push_back(link.lid);
          const bool described = !link.description.empty() || has_kind(link.peer);
          nodes.emplace_back(described ? link.description : link.peer,
                             link.peer + '/' + std::to_string(link.peer_port));
        } else if (const SwitchId there = switch_of[link.peer];
                   std::pair(sw, port) < std::pair(there, link.peer_port)) {
          fabric_.links.push_back({{here, {there, link.peer_port, rows_.place(link.line)}}, link.rate, {}});
        }
      }
    }
    fabric_.switch_names = unique_names(switches);
    fabric_.node_names = unique_names(nodes);
  }

  RowReader rows_;
  Mistakes& mistakes_;
  std::vector<Section> sections_;
  Section* section_ = nullptr;  // the current section; null if its head is wrong
  std::map<std::string, std::size_t> number_of_;
  Fabric fabric_;
};

}  // namespace

bool is_ibnetdiscover(std::string_view text) {
  constexpr int kFirstLines = 40;
  for (int line = 0; line < kFirstLines && !text.empty(); ++line) {
    Scanner scanner(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (scanner.take("# Topology file: generated") || scanner.take("vendid=0x") || scanner.take("Switch\t") ||
        scanner.take("Switch ") || scanner.take("Hca\t") || scanner.take("Hca "))
      return true;
  }
  return false;
}

Fabric read_ibnetdiscover(const std::string& text, const std::string& file, Mistakes& mistakes) {
  return IbnetdiscoverReader(text, file, mistakes).read();
}

}  // namespace headway
