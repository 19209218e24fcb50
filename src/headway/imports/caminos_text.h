// SPDX-License-Identifier: Apache-2.0
// The grammar of configurations of CAMINOS: Name { key: value, ... }, [ ... ], ![ ... ] for several
// experiments, numbers, texts in quotes, true and false; // and /* */ begin comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"

namespace headway::imports {

struct CaminosField;

struct CaminosValue {
  enum class Kind { number, text, truth, object, list, experiments };
  Kind kind = Kind::object;
  std::string name;  // of an object; the text of a number, a text or a truth
  std::vector<CaminosField> fields;
  std::vector<CaminosValue> elements;
  std::string where;  // "main.cfg:3"

  const CaminosValue* field(std::string_view key) const;
  // As in the configuration, shortened.
  std::string shown() const;
};

struct CaminosField {
  std::string key;
  CaminosValue value;
};

// An empty object if the text has a mistake, which is reported.
CaminosValue parse_caminos(const std::string& path, const std::string& text, Mistakes& mistakes);

}  // namespace headway::imports
