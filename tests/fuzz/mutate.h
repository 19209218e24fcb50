// SPDX-License-Identifier: Apache-2.0
// Valid-looking changes of files, the same for the same random stream: of documents, whose keys, values and
// tables are changed into others that a spec could have, and of text, line by line and byte by byte.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/rng.h"
#include "headway/config/document.h"

namespace headway::test {

// A word of the list.
template <class List>
const auto& any_of(const List& list, Rng& rng) {
  return std::begin(list)[rng.below(static_cast<std::uint32_t>(std::size(list)))];
}

// Changes documents, with the words of others: their keys, and what stands under them.
class DocumentMutator {
 public:
  // Takes the keys of the documents and their values as words, and what the program itself documents.
  explicit DocumentMutator(const std::vector<Document>& documents);

  // One to four changes.
  void mutate(Document& document, Rng& rng) const;

  // What --set takes: "switch.queues=8".
  std::string setting(Rng& rng) const;

 private:
  void collect(const Document& value);
  void change(Document& document, Rng& rng) const;
  void change_value(const std::string& key, Document& value, Rng& rng) const;
  void change_members(Document::Table& from, Document::Table& to, Rng& rng) const;
  void add_sweep(Document& document, Rng& rng) const;
  Document another(const std::string& key, const Document& value, Rng& rng) const;

  std::map<std::string, std::vector<Document>> values_of_;  // the last part of a key -> its values
  std::vector<std::string> keys_;
  std::vector<std::string> paths_;  // "switch.queues"
  std::vector<Document::Member> tables_;
};

// One to four changes of lines, numbers, separators or bytes. The text may become empty.
void mutate_text(std::string& text, Rng& rng);

// Names and texts that look valid to the eye or to a parser, and numbers at the edges of what types hold.
std::string strange_text(Rng& rng);
std::string strange_number(Rng& rng);

}  // namespace headway::test
