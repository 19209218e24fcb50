// SPDX-License-Identifier: Apache-2.0
// What a name means, as text: a key of a spec, a member of a family, or a metric.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace headway::catalogue {

// Emphasises a word where the text is shown.
using Bold = std::function<std::string(std::string_view)>;
inline std::string plain(std::string_view word) { return std::string(word); }

// Explains everything with this name, separated by blank lines. The last part of a key is enough. Empty if
// nothing has this name; topics() lists all names.
std::string explained(std::string_view name, const Bold& bold = plain);

}  // namespace headway::catalogue
