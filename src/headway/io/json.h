// SPDX-License-Identifier: Apache-2.0
// JSON as this program writes it. A file's name may be any bytes: what is no UTF-8 becomes U+FFFD, as a
// result must never be lost for the name of its folder, and what a terminal would obey is escaped.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "headway/base/visible.h"

namespace headway {

using Json = nlohmann::ordered_json;

inline std::string json_text(const Json& json, int indent = -1) {
  return escaped(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace headway
