// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/flow_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "headway/base/visible.h"
#include "headway/spec/job_copies.h"
#include "headway/spec/key_paths.h"

namespace headway {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}

// The key of the flow, trace or job whose default name this resembles: traffic.flow[1] for "flow1", "Flow_1"
// and "flow-01". Empty if there is none.
std::string key_that_resembles(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != '_' && c != '-') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view kind : {"flow", "trace", "job"}) {
    std::string_view number = text;
    if (!number.starts_with(kind)) continue;
    number.remove_prefix(kind.size());
    if (number.empty() || !std::ranges::all_of(number, is_digit)) continue;
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
    return fmt::format("traffic.{}[{}]", kind, number);
  }
  return "";
}

const std::string kNotifications = "notifications";

class NameChecker {
 public:
  NameChecker(const EventSpec& spec, Mistakes& mistakes) : mistakes_(mistakes) {
    if (spec.node.notification_packet.count > 0) key_of_.emplace(kNotifications, "node.notification_packet");
  }

  // `key` is that of the flow, trace or job.
  void check(const std::string& name, const std::string& key) {
    const std::string resembles = key_that_resembles(name);
    if (name.empty())
      wrong(key, "a name has at least one character");
    else if (!std::ranges::all_of(name, is_in_name))
      wrong(key, fmt::format("\"{}\" is not a name", visible(name)),
            "a name consists of letters, digits, _ and -");
    else if (std::ranges::all_of(name, is_digit))
      wrong(key, fmt::format("\"{}\" is a number, not a name", name),
            "flows have their numbers by their order in the file");
    else if (is_key("traffic." + name))
      wrong(key, fmt::format("\"{}\" is a key of the table traffic", name), "choose another name");
    else if (!resembles.empty() && resembles != key)
      wrong(key, fmt::format("\"{}\" looks like the name of {}", name, resembles), "choose another name");
    else if (const auto [first, fresh] = key_of_.emplace(name, key); !fresh)
      wrong(key, fmt::format("\"{}\" is also the name of {}", name, first->second),
            "flows, traces and jobs have different names");
  }

 private:
  void wrong(const std::string& key, std::string message, std::string hint = "") {
    mistakes_.add(key + ".name", std::move(message), std::move(hint));
  }

  Mistakes& mistakes_;
  std::map<std::string, std::string> key_of_;  // name -> key of what has it
};

// What has a name: a flow, a trace or a job of the spec's file.
struct Named {
  const std::optional<std::string>& name;
  std::string_view kind;
  std::size_t number;  // in the file
  std::int64_t copies = 1;

  std::string key() const { return fmt::format("traffic.{}[{}]", kind, number); }
  std::string name_of_copy(std::int64_t copy) const {
    const std::string of_all = name ? *name : fmt::format("{} {}", kind, number);
    return copies == 1 ? of_all : fmt::format("{}-{}", of_all, copy);
  }
};

// All flows, then all traces, then all jobs.
template <class Visit>
void for_each_named(const TrafficSpec& traffic, Visit&& visit) {
  for (std::size_t flow = 0; flow < traffic.flows.size(); ++flow)
    visit(Named{traffic.flows[flow].name, "flow", flow});
  for (std::size_t trace = 0; trace < traffic.traces.size(); ++trace)
    visit(Named{traffic.traces[trace].name, "trace", trace});
  std::size_t number = 0;
  for (const std::size_t job : first_copies(traffic))
    visit(Named{traffic.jobs[job].name, "job", number++, traffic.jobs[job].copies});
}

}  // namespace

std::vector<std::string> flow_names(const TrafficSpec& traffic) {
  std::vector<std::string> names;
  for_each_named(traffic, [&](const Named& it) {
    for (std::int64_t copy = 0; copy < it.copies; ++copy) names.push_back(it.name_of_copy(copy));
  });
  return names;
}

std::vector<std::string> flow_names_in_results(const EventSpec& spec) {
  std::vector<std::string> names = flow_names(spec.traffic);
  if (spec.node.notification_packet.count > 0)
    names.insert(names.end() - static_cast<std::ptrdiff_t>(spec.traffic.jobs.size()), kNotifications);
  return names;
}

void check_flow_names(const EventSpec& spec, Mistakes& mistakes) {
  std::optional<NameChecker> checker;  // most specs have no names
  for_each_named(spec.traffic, [&](const Named& it) {
    if (!it.name) return;
    if (!checker) checker.emplace(spec, mistakes);
    checker->check(*it.name, it.key());
    for (std::int64_t copy = 0; it.copies > 1 && copy < it.copies; ++copy)
      checker->check(it.name_of_copy(copy), it.key());
  });
}

}  // namespace headway
