// SPDX-License-Identifier: Apache-2.0
// An InfiniBand fabric as a list of linked ports, which is written in the form of ibnetdiscover: topology
// "file" reads that, and tables of routes find its switches and nodes by GUIDs and LIDs.
//
// Choice: a link that is listed at one of its ends only is whole. A speed listed at one end holds for both.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/imports/import.h"
#include "headway/imports/network_draft.h"

namespace headway::imports {

class InfinibandDraft {
 public:
  InfinibandDraft(const Source& source, Mistakes& mistakes) : source_(source), mistakes_(mistakes) {}

  struct Device {
    bool is_switch = false;
    std::uint64_t guid = 0;
    std::uint32_t lid = 0;
    std::string description;
  };
  struct PortOf {
    std::string device;  // by the key under which it was added
    std::uint32_t port = 0;
    auto operator<=>(const PortOf&) const = default;
  };

  // What is known of a device; fields that are still empty are filled.
  void add(const std::string& key, const Device& device, std::uint32_t line);
  // A port of a device, linked or not.
  void has_port(const std::string& key, std::uint32_t port);
  // `speed` is "4xEDR", or empty.
  void link(const PortOf& from, const PortOf& to, const std::string& speed, std::uint32_t line);
  void wrong(std::uint32_t line, std::string message, std::string hint = "");
  bool any_wrong() const { return wrong_ > 0; }

  // The dump; reports links that cannot be.
  std::string text();

 private:
  struct Peer {
    PortOf to;
    std::string speed;
    std::uint32_t line;
  };
  struct Known {
    Device device;
    std::uint32_t ports = 0, line = 0;
    std::map<std::uint32_t, Peer> links;  // [port]
  };
  void complete();
  std::string name_of(const PortOf& port) const;

  const Source& source_;
  Mistakes& mistakes_;
  std::map<std::string, Known> devices_;
  std::size_t wrong_ = 0;
};

// "4X" and "14.0625" Gbps of a lane -> "4xFDR"; empty if there is no such speed.
std::string infiniband_word(std::string_view width, std::string_view gigabits, bool is_fdr10);

// The spec of a dump in the form of ibnetdiscover: a new file with this text, or, if it is empty, the source.
// A further source with forwarding tables becomes its routes.
Import import_of_dump(const Request& request, std::string dump, std::string_view what, Mistakes& mistakes);

}  // namespace headway::imports
