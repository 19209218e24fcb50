// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway {

// The word for several things: "links", "memories", "classes". `one` is the word for one thing.
std::string several(std::string_view one);
// A count of things: "1 link", "2 links", "1 memory", "2 memories".
std::string plural(std::size_t count, std::string_view one);

}  // namespace headway
