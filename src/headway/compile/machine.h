// SPDX-License-Identifier: Apache-2.0
// The memory that this process can use: that of the machine, or less if a container or a user limit restricts
// it.
#pragma once

#include <cstdint>
#include <string>

namespace headway {

std::uint64_t machine_memory();

// The free part of it.
std::uint64_t available_memory();

// "5.6 GiB".
std::string memory_text(std::uint64_t bytes);

}  // namespace headway
