// SPDX-License-Identifier: Apache-2.0
#include "headway/base/time_text.h"

#include <fmt/format.h>

namespace headway {

std::string time_text(double ns, double half_width) {
  const double size = std::abs(ns), unit = size >= 1e6 ? 1e6 : size >= 1e4 ? 1e3 : 1;
  return fmt::format("{:.4g}{} {}", ns / unit,
                     std::isnan(half_width) ? "" : fmt::format(" ± {:.2g}", half_width / unit),
                     unit == 1e6   ? "ms"
                     : unit == 1e3 ? "us"
                                   : "ns");
}

}  // namespace headway
