// SPDX-License-Identifier: Apache-2.0
// The ports report of infiniband-diags, `ibnetdiscover -p`: a row per port, and what it is linked to.
//
//     CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe9003009ce5b0 ( 'node1 HCA-1' - 'leaf1' )
//     SW  1719 12 0x7cfe9003009ce5b0 4x ???                                    'leaf1'
//
// The kind of the device, its LID, its port, the GUID of the port, width and speed. Ports of a switch have
// the GUID of the switch. Choice: a port of an adapter with several is a device of its own, as it is one node
// anyway.
#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"
#include "headway/imports/formats.h"
#include "headway/imports/infiniband_draft.h"
#include "headway/imports/text_rows.h"
#include "headway/topology/infiniband_speeds.h"

namespace headway::imports {
namespace {

struct ReportedPort {
  bool is_switch = false;
  std::uint32_t lid = 0, port = 0;
  std::uint64_t guid = 0;
};

std::optional<std::uint64_t> guid_in(std::string_view word) {
  return word.starts_with("0x") ? parse_number<std::uint64_t>(word.substr(2), 16) : std::nullopt;
}

bool is_kind(std::string_view word) { return word == "CA" || word == "SW" || word == "RT"; }

// Four words: CA 134 1 0x7cfe9003003b4bde.
std::optional<ReportedPort> reported(const std::vector<std::string_view>& words, std::size_t at) {
  if (at + 4 > words.size() || !is_kind(words[at])) return std::nullopt;
  const auto lid = parse_number<std::uint32_t>(words[at + 1]),
             port = parse_number<std::uint32_t>(words[at + 2]);
  const auto guid = guid_in(words[at + 3]);
  if (!lid || !port || !guid) return std::nullopt;
  return ReportedPort{words[at] == "SW", *lid, *port, *guid};
}

bool recognises_report(std::string_view text) {
  const TextRows rows = rows_of(text);
  return std::ranges::any_of(rows.rows,
                             [](const TextRow& row) { return reported(row.words, 0).has_value(); });
}

// The names of ( 'A' - 'B' ), or of 'A'.
std::pair<std::string, std::string> names_in(std::string_view line) {
  const std::size_t first = line.find('\'');
  if (first == line.rfind('\'')) return {};
  const std::size_t last = line.rfind('\'');
  const std::string_view both = line.substr(first + 1, last - first - 1);
  const std::size_t between = both.find("' - '");
  if (between == std::string_view::npos) return {std::string(both), ""};
  return {std::string(both.substr(0, between)), std::string(both.substr(between + 5))};
}

class PortsReport {
 public:
  PortsReport(const Source& source, Mistakes& mistakes) : text_(source.text), draft_(source, mistakes) {}

  std::string read() {
    std::string_view rest = text_;
    std::uint32_t line = 0;
    while (!rest.empty()) {
      const std::string_view row = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(row.size() + 1, rest.size()));
      ++line;
      const TextRows words = rows_of(row);
      if (!words.rows.empty() && !row.starts_with("ibwarn: ")) read_row(row, words.rows.front().words, line);
    }
    return draft_.text();
  }

 private:
  void read_row(std::string_view row, const std::vector<std::string_view>& words, std::uint32_t line) {
    const auto port = reported(words, 0);
    if (!port || words.size() < 6)
      return draft_.wrong(line, "this row is not one of ibnetdiscover -p",
                          "a row is CA 4 1 0xGUID 4x EDR - SW 7 3 0xGUID ( 'host1' - 'leaf1' )");
    const auto [name, peer_name] = names_in(row);
    const std::string key = add(*port, name, line);
    if (words[6 < words.size() ? 6 : 5] != "-") return draft_.has_port(key, port->port);  // without a link
    const auto peer = reported(words, 7);
    if (!peer)
      return draft_.wrong(line, "the other end of the link is missing", "behind \"-\": SW 7 3 0xGUID");
    std::string speed;
    if (words[5] != "???") {
      speed = fmt::format("{}{}", words[4], words[5]);
      if (!infiniband_rate(speed))
        return draft_.wrong(line, fmt::format("\"{} {}\" is not a width and speed", words[4], words[5]),
                            "such as 4x EDR; speeds are " + infiniband_speed_names());
    }
    draft_.link({key, port->port}, {add(*peer, peer_name, line), peer->port}, speed, line);
  }

  std::string add(const ReportedPort& port, const std::string& name, std::uint32_t line) {
    std::string key = fmt::format("{:016x}", port.guid);
    draft_.add(key, {port.is_switch, port.guid, port.lid, name}, line);
    return key;
  }

  std::string_view text_;
  InfinibandDraft draft_;
};

Import import_report(const Request& request, Mistakes& mistakes) {
  std::string dump = PortsReport(request.first(), mistakes).read();
  if (!mistakes.empty()) return {};
  return import_of_dump(request, std::move(dump), "the output of ibnetdiscover -p", mistakes);
}

}  // namespace

Format ibnetdiscover_ports() {
  return {"ibnetdiscover-ports",
          "the output of ibnetdiscover -p, and perhaps forwarding tables (dump_lfts.sh)", recognises_report,
          import_report, 2};
}

}  // namespace headway::imports
