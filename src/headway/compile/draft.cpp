// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/draft.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "headway/base/error.h"
#include "headway/base/paths.h"
#include "headway/compile/load.h"
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

// Reads everything that does not need the network.
ReadDraft read(Document document, const MemoryFiles& in_memory, Mistakes& mistakes) {
  replace_units(document, mistakes);
  const SweepAxes axes(document, mistakes);
  return {read_spec(document, mistakes, kEveryChoice, InputFiles(in_memory)), axes.table()};
}

// The draft with every default, and with the given parameters of members that are not chosen.
Document complete(const Document& document, const MemoryFiles& files) {
  Mistakes none;
  const ReadDraft draft = read(document, files, none);
  Document whole = resolved(draft.file.spec);
  whole.set("seeds", written_seeds(draft.file.seeds, draft.file.until));
  whole.set("sweep", draft.sweep);
  std::map<std::string, Document> idle;  // sorted, because the order in the draft does not matter
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

// Makes the file names in the lists of a sweep absolute; `key` is the path of the node.
void make_absolute_in_sweep(Document& node, const std::string& key, const MemoryFiles& in_memory) {
  if (auto* const table = std::get_if<Document::Table>(&node.value)) {
    for (Document::Member& member : *table)
      make_absolute_in_sweep(member.value, key + '.' + member.name, in_memory);
  } else if (auto* const list = std::get_if<Document::Array>(&node.value)) {
    for (Document& element : *list) make_absolute_in_sweep(element, key, in_memory);
  } else if (auto* const text = std::get_if<std::string>(&node.value)) {
    if (is_key_of_file(key) && !in_memory.contains(*text)) *text = path_named_at(node.where, *text);
  }
}

// Removes the last name of the path from the table or list that has it.
bool remove(Document& document, const std::string& path) {
  if (document.find(path) == nullptr) return false;
  const std::string key = document.with_indices(path);
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

void add_texts(const Document& document, std::set<std::string, std::less<>>& texts) {
  if (const auto* text = document.get<std::string>()) texts.insert(*text);
  if (const auto* table = document.get<Document::Table>())
    for (const Document::Member& member : *table) add_texts(member.value, texts);
  if (const auto* list = document.get<Document::Array>())
    for (const Document& element : *list) add_texts(element, texts);
}

}  // namespace

SpecDraft::SpecDraft(Document document, const MemoryFiles& files) {
  const Document given = document;
  try {
    take(std::move(document), files);
  } catch (const SpecError&) {
    check_experiment(given, {}, {.files = files});  // its error also lists the mistakes of the whole spec
    throw;
  }
}

void SpecDraft::take(Document document, MemoryFiles files) {
  Mistakes mistakes;
  const ReadDraft draft = read(document, files, mistakes);
  mistakes.throw_if_any();
  make_absolute(document, draft.file.spec);
  if (const Document* const sweep = document.find("sweep"))
    make_absolute_in_sweep(const_cast<Document&>(*sweep), "sweep", files);
  if (!files.empty()) {
    std::set<std::string, std::less<>> named;
    add_texts(document, named);
    std::erase_if(files, [&](const auto& file) { return !named.contains(file.first); });
  }
  files_ = std::move(files);
  document_ = std::move(document);
}

void SpecDraft::set(const std::string& key, Document value, const MemoryFiles& files) {
  Document changed = document_;
  MemoryFiles all = files_;
  all.insert(files.begin(), files.end());
  if (const auto problem = changed.set(key, value)) throw SpecError({{key, *problem, "", value.where}});
  if (key == "sweep")
    *this = SpecDraft(std::move(changed), all);  // its error lists the mistakes of all points
  else
    take(std::move(changed), std::move(all));
}

bool SpecDraft::erase(const std::string& key) {
  Document changed = document_;
  if (!remove(changed, key)) return false;
  take(std::move(changed), files_);
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
  const ReadDraft draft = read(document_, files_, none);
  Document whole = resolved(draft.file.spec);
  whole.set("seeds", written_seeds(draft.file.seeds, draft.file.until));
  if (const Document* const standard = whole.find(key)) return *standard;
  // Throws if the key does not exist: sets it to any value and looks for the mistake "unknown key".
  Document probe = document_;
  if (const auto problem = probe.set(key, Document(false))) throw SpecError({{key, *problem, "", ""}});
  Mistakes mistakes;
  read(probe, files_, mistakes);
  for (const Mistake& mistake : mistakes.list())
    if (mistake.message == kUnknownKey) throw SpecError({mistake});
  return std::nullopt;
}

bool operator==(const SpecDraft& a, const SpecDraft& b) {
  // as text, because a NaN does not equal itself
  return a.document_ == b.document_ ||
         to_text(complete(a.document_, a.files_)) == to_text(complete(b.document_, b.files_));
}

}  // namespace headway
