// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/draft.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/spec/earlier_keys.h"
#include "headway/spec/read_spec.h"
#include "headway/spec/spec_files.h"
#include "headway/spec/sweep_axes.h"
#include "headway/spec/units_table.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

struct ReadDraft {
  SpecFile file;
  Document sweep;
};

// Reads all that can be read without the network.
ReadDraft read(Document document, Mistakes& mistakes) {
  replace_units(document, mistakes);
  const SweepAxes axes(document, mistakes);
  InputFiles files;
  return {read_spec(document, kEveryChoice, files, mistakes), axes.table()};
}

// What a draft asks for: every key with its default, and the parameters of members that are not chosen.
Document complete(const Document& document) {
  Mistakes none;
  const ReadDraft draft = read(document, none);
  Document whole = resolved(draft.file.spec);
  whole.set("seeds", written_seeds(draft.file.seeds, draft.file.until));
  whole.set("sweep", draft.sweep);
  std::map<std::string, Document> idle;  // in an order that does not depend on the draft's
  for (const Mistake& key : draft.file.idle)
    if (const Document* const value = document.find(key.key)) idle.emplace(key.key, *value);
  Document::Table values;
  for (const auto& [key, value] : idle) values.push_back({key, "", value});
  whole.set("idle", Document(std::move(values)));
  return whole;
}

void make_absolute(Document& document, const Spec& spec) {
  for (const auto& [key, file] : file_keys_of(spec))
    if (const Document* const given = document.find(key))
      document.set(key, Document(file.path(), given->where));
}

// Removes the last name of the path from the table or list that has it.
bool remove(Document& document, const std::string& key) {
  if (document.find(key) == nullptr) return false;
  const std::size_t dot = key.rfind('.');
  const std::string_view outer = dot == std::string::npos ? "" : std::string_view(key).substr(0, dot);
  std::string name = key.substr(dot == std::string::npos ? 0 : dot + 1);
  auto* table = const_cast<Document*>(document.find(outer));
  if (auto* const single = std::get_if<Document::Array>(&table->value)) table = &single->front();
  const std::size_t bracket = name.find('[');
  if (bracket != std::string::npos) {
    auto* const list = const_cast<Document*>(table->member(name.substr(0, bracket)));
    if (auto* const elements = std::get_if<Document::Array>(&list->value)) {
      elements->erase(elements->begin() + std::stol(name.substr(bracket + 1)));
      return true;
    }
    name.resize(bracket);  // a single table, which counts as a list of one
  }
  return std::erase_if(std::get<Document::Table>(table->value),
                       [&](const Document::Member& member) { return member.name == name; }) > 0;
}

}  // namespace

SpecDraft::SpecDraft(Document document) {
  const Document given = document;
  try {
    take(std::move(document));
  } catch (const SpecError&) {
    check_experiment(given);  // says more
    throw;
  }
}

void SpecDraft::take(Document document) {
  Mistakes mistakes;
  EarlierKeys earlier;
  earlier.replace(document, mistakes);
  const ReadDraft draft = read(document, mistakes);
  mistakes.throw_if_any();
  make_absolute(document, draft.file.spec);
  document_ = std::move(document);
  if (!earlier.note().empty()) note_ = earlier.note();
}

void SpecDraft::set(const std::string& key, Document value) {
  Document changed = document_;
  if (const auto problem = changed.set(key, value)) throw SpecError({{key, *problem, "", value.where}});
  if (key == "sweep")
    *this = SpecDraft(std::move(changed));  // whose error tells of all points
  else
    take(std::move(changed));
}

bool SpecDraft::erase(const std::string& key) {
  Document changed = document_;
  if (!remove(changed, key)) return false;
  take(std::move(changed));
  return true;
}

std::optional<Document> SpecDraft::value(const std::string& key) const {
  const std::vector<std::string> paths = document_.meant_by(key);
  if (paths.size() < 2) return single_value(key);
  Document::Array values;
  for (const std::string& path : paths)
    if (const auto value = single_value(path)) values.push_back(*value);
  return Document(std::move(values));
}

std::optional<Document> SpecDraft::single_value(const std::string& key) const {
  if (const Document* const given = document_.find(key)) return *given;
  Mistakes none;
  const ReadDraft draft = read(document_, none);
  Document whole = resolved(draft.file.spec);
  whole.set("seeds", written_seeds(draft.file.seeds, draft.file.until));
  if (const Document* const standard = whole.find(key)) return *standard;
  // Is it a key at all? Then it can be set, though perhaps not to this value.
  Document probe = document_;
  if (const auto problem = probe.set(key, Document(false))) throw SpecError({{key, *problem, "", ""}});
  Mistakes mistakes;
  EarlierKeys().replace(probe, mistakes);
  read(probe, mistakes);
  for (const Mistake& mistake : mistakes.list())
    if (mistake.message == kUnknownKey) throw SpecError({mistake});
  return std::nullopt;
}

bool operator==(const SpecDraft& a, const SpecDraft& b) {
  // as text, because a NaN does not equal itself
  return a.document_ == b.document_ || to_text(complete(a.document_)) == to_text(complete(b.document_));
}

}  // namespace headway
