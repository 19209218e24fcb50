// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headway {

// Processor time that the calling thread has used.
double cpu_seconds();

}  // namespace headway
