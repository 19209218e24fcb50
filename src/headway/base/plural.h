// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway {

// A count of things: "1 link", "2 links", "1 memory", "2 memories". `one` is the word for one thing.
std::string plural(std::size_t count, std::string_view one);

}  // namespace headway
