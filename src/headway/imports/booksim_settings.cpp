// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/booksim_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headway::imports {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Blanks replace comments, so that places stay.
std::string without_comments(std::string text) {
  for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at))
    for (; at < text.size() && text[at] != '\n'; ++at) text[at] = ' ';
  return text;
}

}  // namespace

std::vector<Setting> settings_of_booksim(const Source& source, Mistakes& mistakes) {
  const std::string text = without_comments(source.text);
  std::vector<Setting> settings;
  long line = 1;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t semicolon = std::min(text.find(';', start), text.size());
    const std::string_view statement = std::string_view(text).substr(start, semicolon - start);
    const std::size_t begin = std::min(statement.find_first_not_of(" \t\r\n"), statement.size());
    const long first = line + std::ranges::count(statement.substr(0, begin), '\n');
    line += std::ranges::count(statement, '\n');
    const std::string where = fmt::format("{}:{}", source.path, first);
    const std::size_t equals = statement.find('=');
    if (const std::string_view name = trimmed(statement.substr(0, equals));
        equals != std::string_view::npos) {
      settings.push_back({std::string(name), std::string(trimmed(statement.substr(equals + 1))), where});
      if (semicolon == text.size() || settings.back().value.find('\n') != std::string::npos)
        mistakes.add({std::string(name), "has no semicolon at its end", "", where});
    } else if (!trimmed(statement).empty()) {
      mistakes.add({std::string(trimmed(statement)), "is not a setting", "write name = value;", where});
    }
    start = semicolon + 1;
  }
  return settings;
}

std::span<const Without> without_in_booksim() {
  static const std::array<Without, 6> kWithout = {{
      {"allocators of a router; a free output of Headway picks one request by switch.arbiter",
       {"vc_allocator", "sw_allocator", "alloc_iters", "arb_type", "spec_sw_allocator", "spec_check_elig",
        "spec_check_cred", "spec_mask_by_reqs", "vc_busy_when_full", "vc_prioritize_empty",
        "vc_priority_donation", "vc_shuffle_requests", "class_priority", "noq"}},
      {"flits: a packet of Headway keeps its output until all of it is through",
       {"wait_for_tail_credit", "hold_switch_for_packet", "input_speedup", "output_speedup", "vct"}},
      {"credits return over the link and cost nothing else", {"output_delay"}},
      {"of requests and replies, batches, bursts, or files of networks, which this configuration does not "
       "use",
       {"batch_size",
        "batch_count",
        "max_outstanding_requests",
        "write_fraction",
        "read_request_begin_vc",
        "read_request_end_vc",
        "write_request_begin_vc",
        "write_request_end_vc",
        "read_reply_begin_vc",
        "read_reply_end_vc",
        "write_reply_begin_vc",
        "write_reply_end_vc",
        "read_request_subnet",
        "read_reply_subnet",
        "write_request_subnet",
        "write_reply_subnet",
        "read_request_size",
        "write_request_size",
        "read_reply_size",
        "write_reply_size",
        "burst_alpha",
        "burst_beta",
        "burst_r1",
        "perm_seed",
        "packet_size_rate",
        "network_file",
        "channel_file",
        "in_ports",
        "out_ports",
        "private_bufs",
        "private_buf_size",
        "private_buf_start_vc",
        "private_buf_end_vc",
        "max_held_slots",
        "feedback_aging_scale",
        "feedback_offset",
        "output_buffer_size",
        "fail_seed",
        "x",
        "y",
        "xr",
        "yr"}},
      {"verdicts of BookSim; Headway has its own (docs/verdicts.md)",
       {"latency_thres", "warmup_thres", "acc_warmup_thres", "stopping_thres", "acc_stopping_thres",
        "measure_stats", "include_queuing", "deadlock_warn_timeout"}},
      {"output; Headway has tables, --out and headway view",
       {"pair_stats", "print_activity", "print_csv_results", "viewer_trace", "watch_file", "watch_flits",
        "watch_packets", "watch_transactions", "watch_out", "stats_out", "sent_packets_out", "sim_power",
        "power_output_file", "tech_file", "channel_width", "channel_sweep"}},
  }};
  return kWithout;
}

}  // namespace headway::imports
