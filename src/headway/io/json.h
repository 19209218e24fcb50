// SPDX-License-Identifier: Apache-2.0
// JSON as this program writes it. A file name can contain any bytes. Invalid UTF-8 becomes U+FFFD, so that no
// result is lost because of the name of its directory. Terminal control characters are escaped.
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
