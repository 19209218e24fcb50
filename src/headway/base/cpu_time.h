// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headway {

// Processor time of the calling thread so far.
double cpu_seconds();

}  // namespace headway
