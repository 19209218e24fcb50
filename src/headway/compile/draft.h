// SPDX-License-Identifier: Apache-2.0
// A spec that its user is still writing, key by key. Its keys exist, and every value has the type and the
// range of its key. Rules that need the whole spec or its network are checked when it is loaded
// (compile/load.h): a draft can lack keys, and it can have parameters of members that no key chooses yet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headway/base/input_file.h"
#include "headway/config/document.h"

namespace headway {

class SpecDraft {
 public:
  SpecDraft() = default;
  // Throws SpecError with all mistakes, also those that only the check of the whole spec finds.
  explicit SpecDraft(Document document, const MemoryFiles& files = {});

  // The given keys and values, except that file names are absolute. A valid argument of load_experiment.
  const Document& document() const { return document_; }
  // The files in memory that the draft names.
  const MemoryFiles& files() const { return files_; }

  // Sets a dotted key, as --set does; `files` are the files in memory that the value names. If it throws
  // SpecError, the draft is unchanged.
  void set(const std::string& key, Document value, const MemoryFiles& files = {});
  // Removes a key, which then has its default. Returns false if the key was not given. Throws SpecError if
  // the draft would not be valid without it; the draft is then unchanged.
  bool erase(const std::string& key);

  bool has(std::string_view key) const { return document_.find(key) != nullptr; }
  // The given value, or else the default. For a key that means several values, such as the load of all flows,
  // the list of them. Nullopt if the key has no value. Throws SpecError if there is no such key.
  std::optional<Document> value(const std::string& key) const;

  // Two drafts are equal if they describe the same experiment: defaults and the order of keys do not matter.
  friend bool operator==(const SpecDraft& a, const SpecDraft& b);

 private:
  void take(Document document, MemoryFiles files);
  std::optional<Document> single_value(const std::string& key) const;

  Document document_{Document::Table{}};
  MemoryFiles files_;
};

}  // namespace headway
