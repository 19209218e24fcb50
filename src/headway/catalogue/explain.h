// SPDX-License-Identifier: Apache-2.0
// What a name means, as text: a key of a spec, a member of a family, a named value, a metric, a table or a
// status.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace headway::catalogue {

// Emphasises a word where the text is shown.
using Bold = std::function<std::string(std::string_view)>;
inline std::string plain(std::string_view word) { return std::string(word); }

// Explains everything with this name, separated by blank lines: first what has it here, whatever the case of
// its letters, then what other tools call so (config/other_names.h). The last part of a key is enough.
// Paragraphs have at most `width` columns. Empty if nothing has this name; names.h lists our names.
std::string explained(std::string_view name, const Bold& bold = plain, std::size_t width = 80);

}  // namespace headway::catalogue
