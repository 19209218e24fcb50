// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/booksim_channel.h"

#include <algorithm>

namespace headway::imports {

double BooksimChannel::rate_in_booksim(std::int64_t buffer) const {
  const auto flits = static_cast<double>(packet), room = static_cast<double>(buffer);
  const double by_credits = flits / room * static_cast<double>(credit_loop) +
                            std::min(1.0, flits / room) * static_cast<double>(serial);
  return flits / std::max(flits + static_cast<double>(serial), by_credits);
}

double BooksimChannel::rate_here(std::int64_t packets) const {
  return std::min(1.0,
                  static_cast<double>(packets * packet) / static_cast<double>(2 * delay + head + packet));
}

// Choice: at least the memory of the configuration, and the fewest packets that pass two thirds of BookSim's
// rate. A packet that is blocked holds buffers of several routers there, which costs about what a queue that
// passes all of the rate would gain (docs/coming-from.md has the measured saturation).
std::int64_t BooksimChannel::packets_for(std::int64_t buffer) const {
  std::int64_t packets = std::max<std::int64_t>(1, buffer / packet);
  while (rate_here(packets) < 2.0 / 3 * rate_in_booksim(buffer)) ++packets;
  return packets;
}

}  // namespace headway::imports
