// SPDX-License-Identifier: Apache-2.0
// The settings of a configuration of names and values. Those that an importer does not take are named in the
// spec, or are mistakes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/spec_text.h"

namespace headway::imports {

struct Setting {
  std::string name;
  std::string value;
  std::string where;  // "mesh.cfg:3:1"
};

// Names without counterpart, and what they would be.
struct Without {
  std::string_view reason;
  std::vector<std::string_view> names;
};

class Settings {
 public:
  // `file`: the place of mistakes about what it does not set.
  Settings(std::vector<Setting> settings, std::string file, Mistakes& mistakes)
      : settings_(std::move(settings)), file_(std::move(file)), mistakes_(mistakes) {}

  // The last setting of this name; null if there is none.
  const Setting* take(std::string_view name);
  std::string text(std::string_view name, std::string_view otherwise);
  std::int64_t whole(std::string_view name, std::int64_t otherwise, std::int64_t least,
                     std::int64_t most = 1'000'000'000);
  double number(std::string_view name, double otherwise, double least, double most = 1e12);

  // "k = 8", or "k = 8, the default".
  std::string said(std::string_view name, std::string_view otherwise) const;
  void wrong(std::string_view name, std::string message, std::string hint = "");

  // Names in the spec what was not taken; reports names that are not known.
  void name_others(std::span<const Without> without, SpecText& spec);

 private:
  const Setting* find(std::string_view name) const;

  std::vector<Setting> settings_;
  std::string file_;
  std::vector<std::string> known_;
  Mistakes& mistakes_;
};

// The member of a table of pairs for a name; a mistake if there is none.
struct Translation {
  std::string_view from;
  std::string_view to;
};
std::optional<std::string> translated(Settings& settings, std::string_view name, std::string_view value,
                                      std::span<const Translation> table);

}  // namespace headway::imports
