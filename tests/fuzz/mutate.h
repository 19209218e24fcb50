// SPDX-License-Identifier: Apache-2.0
// Plausible changes of files, determined by the random stream. Documents: keys, values and tables are
// replaced by others that a spec could have. Text: changes of lines and bytes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/rng.h"
#include "headway/config/document.h"

namespace headway::test {

// A random element of the list.
template <class List>
const auto& any_of(const List& list, Rng& rng) {
  return std::begin(list)[rng.below(static_cast<std::uint32_t>(std::size(list)))];
}

// Changes documents, using the keys and values of other documents.
class DocumentMutator {
 public:
  // Collects the keys and values of these documents and the keys that the program documents.
  explicit DocumentMutator(const std::vector<Document>& documents);

  // Makes one to four changes.
  void mutate(Document& document, Rng& rng) const;

  // A random argument for --set, like "switch.queues=8".
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

// Makes one to four changes of lines, numbers, separators or bytes. The text may become empty.
void mutate_text(std::string& text, Rng& rng);

// Names and texts that look valid to a reader or a parser, and numbers near the limits of their types.
std::string strange_text(Rng& rng);
std::string strange_number(Rng& rng);

}  // namespace headway::test
