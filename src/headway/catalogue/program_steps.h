// SPDX-License-Identifier: Apache-2.0
// docs/steps.md: what the built-in programs do, made from their operations.
#pragma once

#include <string>

namespace headway::catalogue {

std::string steps_page();  // as Markdown, without its head

}  // namespace headway::catalogue
