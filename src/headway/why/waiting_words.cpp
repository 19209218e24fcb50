// SPDX-License-Identifier: Apache-2.0
#include "headway/why/waiting_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/plural.h"

namespace headway {

std::string packets_text(double packets) {
  return packets < 9.95 ? fmt::format("{:.2g}", packets) : fmt::format("{:.0f}", packets);
}

std::string and_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string counted(double count, std::string_view one) {
  return plural(static_cast<std::size_t>(std::llround(std::clamp(count, 0.0, 1e15))), one);
}

std::string mean_packets(double packets) {
  const std::string text = packets_text(packets);
  return text + (text == "1" ? " packet" : " packets");
}

std::string packets_wait(double packets) {
  return mean_packets(packets) + (packets_text(packets) == "1" ? " waits" : " wait");
}

std::string verdict_text(const Result& result, std::string_view run) {
  switch (result.status) {
    case Status::ok:
    case Status::deadlock:
      break;
    case Status::too_short:
      return "The window is too short for a verdict: " + result.detail;
    case Status::unfinished:
      return "Jobs are not done: " + result.detail;
    case Status::not_steady:
      return fmt::format("{} is not steady: {}", run, result.detail);
    case Status::saturated:
      return fmt::format("{} is saturated: {}", run, result.detail);
  }
  return "";
}

std::string percent(double share) {
  return share > 0 && share < 0.0095 ? fmt::format("{:.1f} %", 100 * share)
                                     : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace headway
