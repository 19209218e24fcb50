// SPDX-License-Identifier: Apache-2.0
// A network as a file of another tool describes it: switches and hosts with names, and links that may lack
// their rate or delay. Written as a file of topology "file" and a spec with uniform traffic.
//
// Choice: a host with links to switches is a node with these links. Where a host has a link to another host,
// or some hosts only reach each other over others, a host with several links is a switch with a node of its
// own, because nodes do not pass packets on. The link between them is at least as fast as the links of the
// host together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/import.h"
#include "headway/imports/spec_text.h"

namespace headway::imports {

struct DraftVertex {
  std::string name;
  std::string where;  // of the file that describes it
  bool is_host = false;
  bool is_scale_up = false;  // a switch inside a server, such as an NVSwitch
};
struct DraftLink {
  std::size_t a = 0, b = 0;                          // vertices
  std::optional<std::string> rate = {}, delay = {};  // none: the file does not say
};

struct NetworkDraft {
  static constexpr std::size_t kMostVertices = 1 << 20, kMostDraftLinks = 1 << 20;
  std::vector<DraftVertex> vertices;
  std::vector<DraftLink> links;
};

// What is assumed where a file does not say it.
inline constexpr std::string_view kAssumedRate = "100 Gbit/s", kAssumedDelay = "100 ns";

// How fast the links are, which says how much memory they need and how long a run is to be.
struct LinkExtremes {
  double fastest = 12.5, slowest_host = 12.5;  // bytes/ns
  double longest = 100;                        // ns
  double slowest_part = 1;                     // of a host's rate that one of its links has, at least
};
// A file of topology "file", whose nodes have the order of the hosts.
struct NetworkFile {
  std::string text;
  std::size_t inside = 0;  // hosts that are switches with a node
  LinkExtremes links;
  std::vector<bool> is_switch = {};  // [vertex]
};
// Adds the mistakes of the network, such as switches that no host reaches.
NetworkFile network_text_of(const NetworkDraft& draft, const std::string& path, Mistakes& mistakes);
void name_inside(const NetworkFile& network, SpecText& spec);

// A spec of the network and uniform traffic. `spec` has what the reader has to say; `what` describes the
// file.
Import import_of(const NetworkDraft& draft, const Request& request, std::string_view what, SpecText spec,
                 Mistakes& mistakes);

// The spec up to its network, with routing and switches: by shortest paths if they cannot wait for each other
// in a cycle. `traffic` follows; uniform traffic if it is empty.
Import with_usual_routing(const Request& request, std::string_view what, const LinkExtremes& links,
                          std::vector<ImportedFile> files, SpecText spec, const SpecText& traffic = {});
// The switches, and the traffic and measured time of a spec whose source has none.
void add_usual_traffic(const LinkExtremes& links, SpecText& spec, const SpecText& traffic = {});

}  // namespace headway::imports
