// SPDX-License-Identifier: Apache-2.0
// The output of iblinkinfo (infiniband-diags): a section per switch and adapter, and a row per port.
//
//     Switch: 0x0002c9020046c588 leaf1:
//                2    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>       3    1[  ] "host1 HCA-1" ( )
//                2    5[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//     CA: host1 HCA-1:
//           0x0002c903000cc89b      3    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>       2    1[  ]
//           "leaf1" ( )
//
// A device is known by its LID. Choice: what has no section is an adapter, as with --switches-only. With
// --line, rows have no sections but GUIDs at both ends, and a device with several rows is a switch, because
// the ports of a switch have one GUID, those that are down too.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "headway/base/parse_number.h"
#include "headway/imports/formats.h"
#include "headway/imports/infiniband_draft.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::string_view kArrowBegin = "==(", kArrowEnd = ")==>";
constexpr std::string_view kRowExample =
    "a row is LID PORT[  ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> LID PORT[  ] \"NAME\" ( )";

// One end of a row: [0xGUID] ["NAME"] LID PORT[EXTERNAL], in the order in which they stand.
struct LinkEnd {
  std::optional<std::uint64_t> guid;
  std::string name;
  std::uint32_t lid = 0, port = 0;
};

std::string_view trimmed_row(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? ""
                                         : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The words before the bracket of the port; the name may stand before or behind them.
std::optional<LinkEnd> end_in(std::string_view text) {
  LinkEnd end;
  std::size_t bracket = 0;
  for (bool in_name = false; bracket < text.size() && (in_name || text[bracket] != '['); ++bracket)
    in_name ^= text[bracket] == '"';
  if (bracket == text.size()) return std::nullopt;
  std::string_view before = trimmed_row(text.substr(0, bracket));
  if (const std::size_t open = text.find('"', bracket), close = text.rfind('"');
      open < close && close < text.size())
    end.name = text.substr(open + 1, close - open - 1);
  std::vector<std::string_view> words;
  while (!before.empty()) {
    if (before.front() == '"') {
      const std::size_t close = before.find('"', 1);
      if (close == std::string_view::npos) return std::nullopt;
      end.name = trimmed_row(before.substr(1, close - 1));
      before = trimmed_row(before.substr(close + 1));
      continue;
    }
    words.push_back(before.substr(0, before.find_first_of(" \t\"")));
    before = trimmed_row(before.substr(words.back().size()));
  }
  if (!words.empty() && words[0].starts_with("0x")) {
    end.guid = parse_number<std::uint64_t>(words[0].substr(2), 16);
    if (!end.guid) return std::nullopt;
    words.erase(words.begin());
  }
  if (words.size() != 2) return std::nullopt;
  const auto lid = parse_number<std::uint32_t>(words[0]), port = parse_number<std::uint32_t>(words[1]);
  if (!lid || !port) return std::nullopt;
  end.lid = *lid;
  end.port = *port;
  return end;
}

class LinkInfo {
 public:
  LinkInfo(const Source& source, Mistakes& mistakes) : text_(source.text), draft_(source, mistakes) {}

  std::string read() {
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::string_view row = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(row.size() + 1, rest.size()));
      ++line_;
      read_row(trimmed_row(row));
    }
    for (const Row& row : rows_) add_row(row);
    return draft_.text();
  }

 private:
  struct Row {
    LinkEnd here;
    std::optional<LinkEnd> there;   // none: the port is down
    std::optional<bool> in_switch;  // the section; none: there are no sections
    std::uint64_t section_guid = 0;
    std::string section_name, speed;
    std::uint32_t line = 0;
  };

  void read_row(std::string_view row) {
    if (row.empty() || row.starts_with('#') || row.starts_with("ibwarn: ")) return;
    if (const std::size_t arrow = row.find(kArrowBegin); arrow != std::string_view::npos)
      return read_port(row, arrow);
    for (const auto& [head, is_switch] :
         {std::pair<std::string_view, bool>("Switch: ", true), {"CA: ", false}, {"Router: ", false}}) {
      if (!row.starts_with(head) || !row.ends_with(':')) continue;
      std::string_view name = trimmed_row(row.substr(head.size(), row.size() - head.size() - 1));
      section_guid_ = 0;
      if (is_switch) {
        const auto guid = name.starts_with("0x")
                              ? parse_number<std::uint64_t>(name.substr(2, name.find(' ') - 2), 16)
                              : std::nullopt;
        if (!guid)
          return draft_.wrong(line_, "this head has no GUID of a switch", "write Switch: 0xGUID NAME:");
        section_guid_ = *guid;
        name = name.find(' ') == std::string_view::npos ? "" : trimmed_row(name.substr(name.find(' ')));
      }
      section_ = is_switch;
      section_name_ = name;
      return;
    }
    draft_.wrong(line_, "this row is not one of iblinkinfo", std::string(kRowExample));
  }

  void read_port(std::string_view row, std::size_t arrow) {
    const std::size_t close = row.find(kArrowEnd, arrow);
    const auto here = end_in(row.substr(0, arrow));
    if (!here || close == std::string_view::npos)
      return draft_.wrong(line_, "this is not the row of a port", std::string(kRowExample));
    Row port{*here, {}, section_, section_guid_, section_name_, "", line_};
    const std::string_view state = row.substr(arrow + kArrowBegin.size(), close - arrow - kArrowBegin.size());
    const std::string_view there = trimmed_row(row.substr(close + kArrowEnd.size()));
    const TextRows words = rows_of(state);
    const bool up =
        state.find("Down") == std::string_view::npos && !there.starts_with('[') && !there.starts_with('"');
    if (up) {
      port.there = end_in(there);
      if (!port.there)
        return draft_.wrong(line_, "the other end of the link is missing", std::string(kRowExample));
      const auto& state_words =
          words.rows.empty() ? std::vector<std::string_view>{} : words.rows.front().words;
      if (state_words.size() < 3 || state_words[2] != "Gbps")
        return draft_.wrong(line_, "the width and speed of the link are missing", std::string(kRowExample));
      port.speed =
          infiniband_word(state_words[0], state_words[1], state.find("FDR10") != std::string_view::npos);
      if (port.speed.empty())
        return draft_.wrong(
            line_, fmt::format("\"{} {} Gbps\" is not a width and speed", state_words[0], state_words[1]),
            "such as 4X 25.78125 Gbps; of a lane 2.5, 5.0, 10.0, 14.0625, 25.78125, 53.125, 106.25 or 212.5");
    }
    if (port.here.guid && !port.here.name.empty() && !port.in_switch) ++rows_of_guid_[*port.here.guid];
    rows_.push_back(std::move(port));
  }

  void add_row(const Row& row) {
    const bool by_guid = !row.in_switch;
    if (by_guid && !row.here.guid)
      return draft_.wrong(row.line, "this row has no section and no GUID",
                          "write Switch: 0xGUID NAME: above it");
    const std::string here = key(row.here, by_guid);
    if (!by_guid && row.here.lid == 0)
      return draft_.wrong(row.line, "this port has no LID",
                          "a subnet manager must have assigned LIDs, or use --line");
    draft_.add(here,
               {row.in_switch.value_or(by_guid && rows_of_guid_[*row.here.guid] > 1),
                row.here.guid ? *row.here.guid : row.section_guid, row.here.lid,
                by_guid ? row.here.name : row.section_name},
               row.line);
    draft_.has_port(here, row.here.port);
    if (!row.there) return;
    if (by_guid && !row.there->guid)
      return draft_.wrong(row.line, "the other end has no GUID", "iblinkinfo --line writes both");
    if (!by_guid && row.there->lid == 0)
      return draft_.wrong(row.line, "the other end has no LID",
                          "a subnet manager must have assigned LIDs, or use --line");
    const std::string there = key(*row.there, by_guid);
    // Its own section, if it comes, knows its GUID; the LID stands for it until then.
    draft_.add(there,
               {by_guid && rows_of_guid_[*row.there->guid] > 1, row.there->guid.value_or(0), row.there->lid,
                row.there->name},
               row.line);
    draft_.link({here, row.here.port}, {there, row.there->port}, row.speed, row.line);
  }

  static std::string key(const LinkEnd& end, bool by_guid) {
    return by_guid ? fmt::format("{:016x}", *end.guid) : fmt::format("{:08}", end.lid);
  }

  std::string_view text_;
  InfinibandDraft draft_;
  std::uint32_t line_ = 0;
  std::optional<bool> section_;
  std::uint64_t section_guid_ = 0;
  std::string section_name_;
  std::vector<Row> rows_;
  std::map<std::uint64_t, std::uint32_t> rows_of_guid_;
};

bool recognises_linkinfo(std::string_view text) {
  return text.find(kArrowBegin) != std::string_view::npos && text.find(kArrowEnd) != std::string_view::npos;
}

Import import_linkinfo(const Request& request, Mistakes& mistakes) {
  std::string dump = LinkInfo(request.first(), mistakes).read();
  if (!mistakes.empty()) return {};
  return import_of_dump(request, std::move(dump), "the output of iblinkinfo", mistakes);
}

}  // namespace

Format iblinkinfo() {
  return {"iblinkinfo", "the output of iblinkinfo, and perhaps forwarding tables", recognises_linkinfo,
          import_linkinfo, 2};
}

}  // namespace headway::imports
