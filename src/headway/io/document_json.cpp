// SPDX-License-Identifier: Apache-2.0
#include "headway/io/document_json.h"

namespace headway {

Json json_of(const Document& document) {
  if (const auto* table = document.get<Document::Table>()) {
    Json json = Json::object();
    for (const Document::Member& member : *table) json[member.name] = json_of(member.value);
    return json;
  }
  if (const auto* array = document.get<Document::Array>()) {
    Json json = Json::array();
    for (const Document& element : *array) json.push_back(json_of(element));
    return json;
  }
  if (const auto* text = document.get<std::string>()) return *text;
  if (const auto* real = document.get<double>()) return *real;
  if (const auto* whole = document.get<std::int64_t>()) return *whole;
  return *document.get<bool>();
}

}  // namespace headway
