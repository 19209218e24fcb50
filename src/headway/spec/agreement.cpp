// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/agreement.h"

#include <algorithm>
#include <utility>

namespace headway {

void Agreement::add(const Document& document) {
  if (documents_++ == 0) {
    first_ = document;
    return;
  }
  if (kind_ == Kind::same) {
    if (document == first_) return;
    part();
  }
  look_into(document);
}

// Called when a document first differs; all documents before it were equal to the first one.
void Agreement::part() {
  const auto add_part = [&](const std::string& name, const Document& value) {
    Agreement part;
    part.documents_ = documents_ - 1;
    part.first_ = value;
    parts_.emplace_back(name, std::move(part));
  };
  kind_ = Kind::otherwise;
  if (const auto* table = first_.get<Document::Table>()) {
    kind_ = Kind::tables;
    for (const Document::Member& member : *table) add_part(member.name, member.value);
  } else if (const auto* list = first_.get<Document::Array>()) {
    kind_ = Kind::lists;
    for (const Document& element : *list) add_part("", element);
  }
}

void Agreement::look_into(const Document& document) {
  const auto* table = document.get<Document::Table>();
  const auto* list = document.get<Document::Array>();
  if (kind_ == Kind::tables && table != nullptr) {
    for (std::size_t i = 0; i < table->size(); ++i) {
      const std::string& name = (*table)[i].name;
      // usually at the same position as before
      auto part = i < parts_.size() && parts_[i].first == name
                      ? parts_.begin() + static_cast<std::ptrdiff_t>(i)
                      : std::ranges::find(parts_, name, &std::pair<std::string, Agreement>::first);
      if (part == parts_.end()) part = parts_.emplace(parts_.end(), name, Agreement());
      part->second.add((*table)[i].value);
    }
  } else if (kind_ == Kind::lists && list != nullptr && list->size() == parts_.size()) {
    for (std::size_t i = 0; i < list->size(); ++i) parts_[i].second.add((*list)[i]);
  } else {
    kind_ = Kind::otherwise;
    parts_.clear();
  }
}

Document Agreement::result(const Document* base) const {
  if (kind_ == Kind::same) return first_;
  if (kind_ == Kind::otherwise) return base != nullptr ? *base : first_;
  if (kind_ == Kind::lists) {
    const auto* said = base != nullptr ? base->get<Document::Array>() : nullptr;
    Document::Array list;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      list.push_back(parts_[i].second.result(said != nullptr && i < said->size() ? &(*said)[i] : base));
    return Document(std::move(list));
  }
  Document::Table table;
  for (const auto& [name, part] : parts_) {
    const Document* said = base != nullptr ? base->member(name) : nullptr;
    if (part.documents_ == documents_)
      table.push_back({name, "", part.result(said)});
    else if (said != nullptr)
      table.push_back({name, "", *said});
  }
  if (base != nullptr && base->get<Document::Table>() != nullptr)
    for (const Document::Member& member : std::get<Document::Table>(base->value))
      if (std::ranges::find(parts_, member.name, &std::pair<std::string, Agreement>::first) == parts_.end())
        table.push_back({member.name, "", member.value});
  return Document(std::move(table));
}

}  // namespace headway
