// SPDX-License-Identifier: Apache-2.0
// The memory that this process may use: what the machine has, or less where a container or a user's limit
// says so.
#pragma once

#include <cstdint>
#include <string>

namespace headway {

std::uint64_t machine_memory();

// Of that, what nobody has taken yet.
std::uint64_t available_memory();

// "5.6 GiB".
std::string memory_text(std::uint64_t bytes);

}  // namespace headway
