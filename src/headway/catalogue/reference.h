// SPDX-License-Identifier: Apache-2.0
// The generated pages of the documentation: docs/keys.md, docs/families.md, docs/metrics.md, docs/steps.md.
#pragma once

#include <string>

#include "headway/catalogue/parameter_row.h"
#include "headway/config/names.h"

namespace headway {

namespace catalogue {

enum class ReferencePage { keys, families, metrics, steps };
constexpr auto names_in_specs(ReferencePage) { return name_list("keys", "families", "metrics", "steps"); }

// As Markdown.
std::string reference_page(ReferencePage page);

// "a size: at least 1 B; default 4 KiB"
std::string facts_of(const ParameterRow& row);

}  // namespace catalogue
}  // namespace headway
