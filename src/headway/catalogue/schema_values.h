// SPDX-License-Identifier: Apache-2.0
// JSON Schemas of single values of a spec, from the descriptions of their parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/config/document.h"
#include "headway/config/parameters.h"
#include "headway/io/json.h"
#include "headway/spec/spec.h"

namespace headway::catalogue {

// What a value must be, without help.
Json schema_of(const Parameter& parameter, const bool& value);
Json schema_of(const Parameter& parameter, const std::int64_t& value);
Json schema_of(const Parameter& parameter, const double& value);
Json schema_of(const Parameter& parameter, const std::string& value);
Json schema_of(const Parameter& parameter, const InputFile& value);
Json schema_of(const Parameter& parameter, const Bytes& value);
Json schema_of(const Parameter& parameter, const Duration& value);
Json schema_of(const Parameter& parameter, const Rate& value);
Json schema_of(const Parameter& parameter, const std::vector<std::int64_t>& value);
Json schema_of(const Parameter& parameter, const std::vector<double>& value);
Json schema_of(const Parameter& parameter, const std::vector<std::string>& value);
Json schema_of(const Parameter& parameter, const NodeSet& value);
Json schema_of_load(const Parameter& parameter);

// The same with the help and the default as editors show them.
Json with_help(Json schema, const Parameter& parameter, const std::string& facts,
               const std::optional<Document>& standard);

// The schema of values that satisfy one of both.
Json either(const Json& a, const Json& b);

}  // namespace headway::catalogue
