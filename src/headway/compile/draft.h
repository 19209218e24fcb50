// SPDX-License-Identifier: Apache-2.0
// A spec that its user is still writing, key by key. Its keys exist, and every value has the type and the
// range of its key. What needs the whole spec or its network is checked when it is loaded (compile/load.h): a
// draft can lack keys, and it can have parameters of members that no key chooses yet.
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

  // The keys that were given, as they were given, except that names of files are absolute and earlier keys
  // are replaced. load_experiment takes it.
  const Document& document() const { return document_; }
  // The files in memory that it names.
  const MemoryFiles& files() const { return files_; }
  // Names the earlier keys that were replaced (spec/earlier_keys.h); empty: none.
  const std::string& note() const { return note_; }

  // Sets a dotted key, as --set does; `files` are those in memory that the value names. Throws SpecError; the
  // draft is then as it was.
  void set(const std::string& key, Document value, const MemoryFiles& files = {});
  // Removes a key, which then has its default. Returns false if the key was not given. Throws SpecError if
  // the draft is not valid without it; it is then as it was.
  bool erase(const std::string& key);

  bool has(std::string_view key) const { return document_.find(key) != nullptr; }
  // The value that was given, or else the default. A key that means several values, such as the load of all
  // flows, gives the list of them. Nullopt if the key has no value. Throws SpecError if there is no such key.
  std::optional<Document> value(const std::string& key) const;

  // Two drafts are equal if they ask for the same: defaults and the order of keys do not matter.
  friend bool operator==(const SpecDraft& a, const SpecDraft& b);

 private:
  void take(Document document, MemoryFiles files);
  std::optional<Document> single_value(const std::string& key) const;

  Document document_{Document::Table{}};
  MemoryFiles files_;
  std::string note_;
};

}  // namespace headway
