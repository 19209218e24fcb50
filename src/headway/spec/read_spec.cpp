// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/read_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "headway/base/paths.h"
#include "headway/base/small_letters.h"
#include "headway/base/visible.h"
#include "headway/config/nearest.h"
#include "headway/config/other_names.h"
#include "headway/config/parameter_values.h"
#include "headway/config/parameters.h"
#include "headway/config/row_reader.h"
#include "headway/spec/job_copies.h"
#include "headway/spec/key_paths.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// For types that a document has.
template <class V>
bool convert(const Document& node, V& value) {
  const auto* given = node.get<V>();
  if (given != nullptr) value = *given;
  return given != nullptr;
}
bool convert(const Document& node, double& value) {
  if (const auto* number = node.get<double>())
    value = *number;
  else if (const auto* whole = node.get<std::int64_t>())
    value = static_cast<double>(*whole);
  else
    return false;
  return true;
}
template <class Quantity>
bool convert_quantity(const Document& node, std::optional<Quantity> (*parse)(std::string_view),
                      Quantity& value) {
  const auto* text = node.get<std::string>();
  const auto quantity = text != nullptr ? parse(*text) : std::nullopt;
  if (quantity) value = *quantity;
  return quantity.has_value();
}
bool convert(const Document& node, Bytes& value) { return convert_quantity(node, parse_bytes, value); }
bool convert(const Document& node, Duration& value) { return convert_quantity(node, parse_duration, value); }
bool convert(const Document& node, Rate& value) { return convert_quantity(node, parse_rate, value); }
template <class Number>
  requires std::is_arithmetic_v<Number>
bool convert(const Document& node, std::vector<Number>& value) {
  const auto* array = node.get<Document::Array>();
  if (array == nullptr) return false;
  value.clear();
  return std::ranges::all_of(*array,
                             [&](const Document& element) { return convert(element, value.emplace_back()); });
}

// The numbers from 8 to 15 for "8-15"; nullopt if the text is no range of at most a million nodes.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of_nodes(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000;
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = parse_number<std::int64_t>(text.substr(0, dash));
  const auto last = parse_number<std::int64_t>(text.substr(dash + 1));
  if (!first || !last || *last < *first || *last - *first >= kMost) return std::nullopt;
  return std::pair(*first, *last);
}

// A wrong value as shown in a message, at most kLongest characters.
std::string shown(const Document& node) {
  constexpr std::size_t kLongest = 60;
  std::string text = to_text(node);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

// The unit in small letters, without the i of KiB.
std::string plain_unit(std::string_view unit) {
  std::string result;
  for (const char c : unit)
    if (c != 'i') result += in_small_letters(c);
  return result;
}

// The text with the units that its own can mean: 64 kB or 64 KiB for 64 KB, 100 Gbit/s for 100 Gbps, 5 us for
// 5 usec or 5 µs. Empty if there are none.
std::string with_meant_unit(const Document& node, std::string_view units) {
  constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"bps", "bit/s"}, {"Bps", "B/s"}, {"sec", "s"}, {"µs", "us"}, {"μs", "us"}};
  const auto* text = node.get<std::string>();
  const std::size_t start = text != nullptr ? text->find_first_not_of("0123456789./ ") : std::string::npos;
  if (start == std::string::npos || start == 0) return "";
  std::string given = text->substr(start);
  for (const auto& [spelling, ours] : kSpellings)
    if (given.ends_with(spelling)) given.replace(given.size() - spelling.size(), spelling.size(), ours);
  std::vector<std::string> meant;
  for (std::size_t at = 0; at < units.size();) {
    const std::size_t end = std::min(units.find(',', at), units.size());
    const std::string_view unit = units.substr(at, end - at);
    if (plain_unit(unit) == plain_unit(given))
      meant.push_back(fmt::format("{}{}", text->substr(0, start), unit));
    at = end + 2;
  }
  const std::vector<std::string_view> views(meant.begin(), meant.end());
  return views.empty() ? "" : list_text(views, "or");
}

// The keys of other tables that other tools call by this name.
std::vector<std::string> keys_called_otherwise(std::string_view name) {
  std::vector<std::string> paths;
  for (const std::string_view ours : called_here(name)) {
    const std::vector<std::string> keys = keys_called(ours.substr(ours.rfind('.') + 1));
    if (std::ranges::find(keys, ours) != keys.end()) paths.emplace_back(ours);
  }
  return paths;
}

// "did you mean "a", "b" or "c"?", with the first few.
std::string did_you_mean(const std::vector<std::string>& names) {
  constexpr std::size_t kFew = 3;
  const auto few = std::span(names).first(std::min(kFew, names.size()));
  return "did you mean " + list_text(std::vector<std::string_view>(few.begin(), few.end()), "or") + "?";
}

// Reads one table.
class Reader final : public ParameterVisitor<Reader, SpecFields> {
 public:
  Reader(const Document& table, std::string path, const std::vector<std::string>& swept,
         const InputFiles& files, Mistakes& mistakes, std::vector<Mistake>& idle)
      : table_(table),
        path_(std::move(path)),
        swept_(swept),
        files_(files),
        mistakes_(mistakes),
        idle_(idle) {}

  template <class V>
  void visit(const Parameter& parameter, V& value) {
    if (const Document* node = taken(parameter.name)) read(parameter, *node, value);
  }

  void choice(const Parameter& parameter, ChoiceField& choice) override {
    const Document* node = taken(parameter.name);
    const std::vector<std::string_view> names = choice.names();
    bool known = true;
    if (node != nullptr) {
      const auto* name = node->get<std::string>();
      known = name != nullptr && contains(names, *name);
      if (known)
        choice.choose(*name);
      else
        wrong_name(parameter.name, *node, names);
    }
    if (known) choice.describe(*this);
    for (const ChoiceField::Member& member : choice.members()) {
      if (known && member.name == choice.name()) continue;
      const bool allowed = !known || swept_ == kEveryChoice ||
                           std::ranges::find(swept_, path_ + std::string(parameter.name)) != swept_.end();
      EachParameter foreign([&](const Parameter& of_member, const auto&) {
        foreign_.push_back({of_member.name, member.name, parameter.name, choice.name(), allowed});
      });
      member.describe(foreign);
    }
  }

  void table(const Parameter& parameter, const Describe& describe) override {
    const Document* node = taken(parameter.name);
    if (node == nullptr) return;
    if (node->get<Document::Table>() == nullptr)
      return wrong(parameter.name, *node, fmt::format("must be a table, not {}", shown(*node)), "");
    read_table(*node, path_ + std::string(parameter.name) + '.', describe);
  }

  // A single table counts as a list of one.
  void list(const Parameter& parameter, const ListField& list) override {
    const Document* node = taken(parameter.name);
    if (node == nullptr) return;
    const auto* array = node->get<Document::Array>();
    const std::size_t size = array != nullptr ? array->size() : 1;
    list.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const Document& element = array != nullptr ? (*array)[i] : *node;
      const std::string name = fmt::format("{}[{}]", parameter.name, i);
      if (element.get<Document::Table>() == nullptr)
        wrong(name, element, fmt::format("must be a table, not {}", shown(element)),
              fmt::format("write [[{}{}]] and its keys below", path_, parameter.name));
      else
        read_table(element, path_ + name + '.', [&](SpecFields& fields) { list.describe(i, fields); });
    }
  }

  void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) override {
    const Document* node = taken(parameter.name);
    if (node == nullptr) return;
    const auto* array = node->get<Document::Array>();
    if (array == nullptr) {
      LoadSpec::Point point{Duration{0}, 1.0};
      if (read(parameter, *node, point.load)) points = {point};
      return;
    }
    points.clear();
    for (const Document& element : *array) {
      const auto* pair = element.get<Document::Array>();
      LoadSpec::Point point{Duration{0}, 0.0};
      if (pair == nullptr || pair->size() != 2 || !convert((*pair)[0], point.at) ||
          !convert((*pair)[1], point.load) || point.at < Duration{0} || !in_range(parameter, point.load))
        wrong(parameter.name, element,
              fmt::format("{} is not a list of a time and a load, both at least 0", shown(element)),
              "write for example [[\"0 us\", 0.0], [\"3 ms\", 1.0]]");
      else if (!points.empty() && point.at <= points.back().at)
        wrong(parameter.name, element,
              fmt::format("the time of {} is not after that of the previous point", shown(element)), "");
      else
        points.push_back(point);
    }
    if (array->empty()) wrong(parameter.name, *node, "has no points", "");
    if (points.empty()) points = {{Duration{0}, 0.0}};
  }

  void seeds(SpecFile& file) {
    const Document* node = table_.member("seeds");
    if (node == nullptr || node->get<Document::Table>() == nullptr) return describe_seeds(file.seeds, *this);
    taken("seeds");
    SeedsUntil until;
    const std::size_t mistakes_before = mistakes_.list().size();
    read_table(*node, "seeds.", [&](SpecFields& fields) { until.describe(fields); });
    if (mistakes_.list().size() != mistakes_before) return;
    if (until.metric.empty())
      wrong("seeds", *node, "has no until",
            "write for example { until = \"latency_mean_ns\", relative = 0.05 }");
    if (until.at_most < until.at_least)
      mistakes_.add({"seeds.at_most",
                     fmt::format("{} is less than at_least, {}", until.at_most, until.at_least), "",
                     node->where});
    file.seeds = until.at_most;
    file.until = until;
  }

  // Reports keys that are not known.
  void refuse_others(const std::vector<std::string_view>& also_known) {
    std::vector<std::string_view> known = taken_;
    known.insert(known.end(), also_known.begin(), also_known.end());
    for (const auto& member : std::get<Document::Table>(table_.value)) {
      if (contains(known, member.name)) continue;
      const auto foreign = std::ranges::find(foreign_, member.name, &Foreign::parameter);
      if (foreign == foreign_.end())
        unknown_key(member, known);
      else if (foreign->allowed)
        idle_.push_back(foreign_key(member, *foreign));
      else
        mistakes_.add(foreign_key(member, *foreign));
    }
  }

 private:
  // A parameter of a member that was not chosen.
  struct Foreign {
    std::string_view parameter;
    std::string_view member;
    std::string_view choice;  // the key that chooses
    std::string_view chosen;
    bool allowed;
  };

  const Document* taken(std::string_view name) {
    taken_.push_back(name);
    return table_.member(name);
  }

  void read_table(const Document& node, std::string path, const Describe& describe) {
    Reader reader(node, std::move(path), swept_, files_, mistakes_, idle_);
    describe(reader);
    reader.refuse_others({});
  }

  template <class V>
  bool read(const Parameter& parameter, const Document& node, V& value) {
    constexpr TypeWords kWords = type_words<V>();
    V given{};
    if (!convert(node, given)) {
      not_of_type(parameter, node, kWords);
    } else if (!in_range(parameter, given)) {
      if constexpr (std::same_as<V, std::string>)
        wrong_name(parameter.name, node, {parameter.choices.begin(), parameter.choices.end()});
      else
        wrong(parameter.name, node, fmt::format("{} is out of range", shown(node)),
              range_text(parameter, kWords.base));
    } else {
      value = std::move(given);
      return true;
    }
    return false;
  }
  bool read(const Parameter& parameter, const Document& node, NodeSet& set) {
    if (const auto* text = node.get<std::string>(); text != nullptr && *text == "all") {
      set = {};
      return true;
    }
    const auto* table = node.get<Document::Table>();
    constexpr std::string_view kValid =
        "\"all\", or a table with one of fraction, first, nodes, random, rest, such as { first = 8 }";
    if (table == nullptr || table->size() != 1) {
      wrong(parameter.name, node, fmt::format("{} is not a valid choice of nodes", shown(node)),
            std::string(kValid));
      return false;
    }
    NodeSetKeys keys;
    const std::size_t mistakes_before = mistakes_.list().size();
    const std::string path = path_ + std::string(parameter.name) + '.';
    const Document numbers = with_ranges(node, path);
    read_table(numbers, path, [&](SpecFields& fields) { keys.describe(fields); });
    if (mistakes_.list().size() != mistakes_before) return false;
    using Kind = NodeSet::Kind;
    if (keys.fraction)
      set = {Kind::fraction, *keys.fraction, 0, {}};
    else if (keys.first)
      set = {Kind::first, 1.0, *keys.first, {}};
    else if (keys.random)
      set = {Kind::random, *keys.random, 0, {}};
    else if (keys.rest)
      set = {Kind::rest, 1.0, 0, {}};
    else if (table->front().name == "nodes")
      set = {Kind::nodes, 1.0, 0, keys.nodes};
    else
      wrong(parameter.name, node, "rest = false does not choose any nodes", std::string(kValid));
    return mistakes_.list().size() == mistakes_before;
  }
  // A set in which every "8-15" in a list of nodes is written out.
  Document with_ranges(const Document& set, const std::string& path) {
    Document result = set;
    auto& member = std::get<Document::Table>(result.value).front();
    const auto* nodes = member.name == "nodes" ? member.value.get<Document::Array>() : nullptr;
    if (nodes == nullptr) return result;
    Document::Array numbers;
    for (const Document& node : *nodes) {
      const auto* text = node.get<std::string>();
      const auto range = text != nullptr ? range_of_nodes(*text) : std::nullopt;
      if (range)
        for (std::int64_t number = range->first; number <= range->second; ++number)
          numbers.emplace_back(number, node.where);
      else if (text != nullptr)
        mistakes_.add({path + "nodes", fmt::format("{} is not a range of nodes", shown(node)),
                       "write for example \"8-15\"", node.where});
      else
        numbers.push_back(node);
    }
    member.value.value = std::move(numbers);
    return result;
  }
  bool read(const Parameter& parameter, const Document& node, InputFile& file) {
    std::string path;
    if (!convert(node, path)) {
      not_of_type(parameter, node, type_words<InputFile>());
      return false;
    }
    if (const InputFile* const in_memory = files_.in_memory(path)) {
      file = *in_memory;
      return true;
    }
    path = path_named_at(node.where, path);
    if (!is_utf8(path) || path.find('\0') != std::string::npos) {
      wrong(parameter.name, node,
            fmt::format("the file's full name, {}, is not valid text", shown(Document(path))),
            "rename the file or its directory: a spec can only contain UTF-8 without zero bytes");
      return false;
    }
    file = files_.at(path);
    return true;
  }
  // A single name counts as a list of one. Where names are free, a whole number counts as a name, because
  // switches without names have numbers.
  bool read(const Parameter& parameter, const Document& node, std::vector<std::string>& names) {
    const Document::Array single{node};
    const auto name_in = [&](const Document& element) -> std::optional<std::string> {
      if (const auto* name = element.get<std::string>()) return *name;
      const auto* number = parameter.choices.empty() ? element.get<std::int64_t>() : nullptr;
      return number != nullptr ? std::optional(std::to_string(*number)) : std::nullopt;
    };
    const auto* list = name_in(node) ? &single : node.get<Document::Array>();
    if (list == nullptr) {
      wrong(parameter.name, node, fmt::format("must be a list of names, not {}", shown(node)),
            parameter.choices.empty() ? "write texts in quotes"
                                      : fmt::format("write for example [\"{}\"]; valid: {}",
                                                    parameter.choices.front(), range_text(parameter)));
      return false;
    }
    const std::size_t mistakes_before = mistakes_.list().size();
    std::vector<std::string> given, repeated;
    for (const Document& element : *list) {
      const std::optional<std::string> name = name_in(element);
      if (!name && parameter.choices.empty()) {
        wrong(parameter.name, element, fmt::format("{} is not a text", shown(element)),
              "write a text in quotes");
      } else if (!name || !in_range(parameter, *name)) {
        no_such_name(parameter.name, element, fmt::format("{} is not a valid name", shown(element)),
                     {parameter.choices.begin(), parameter.choices.end()});
      } else if (std::ranges::find(given, *name) == given.end()) {
        given.push_back(*name);
      } else if (std::ranges::find(repeated, *name) == repeated.end()) {
        repeated.push_back(*name);
        wrong(parameter.name, element, fmt::format("contains {} twice", shown(element)), "");
      }
    }
    if (mistakes_.list().size() != mistakes_before) return false;
    names = std::move(given);
    return true;
  }
  template <class V>
  bool read(const Parameter& parameter, const Document& node, std::optional<V>& value) {
    V given{};
    if (read(parameter, node, given)) value = given;
    return value.has_value();
  }

  void not_of_type(const Parameter& parameter, const Document& node, const TypeWords& words) {
    const bool is_number = node.get<std::int64_t>() != nullptr || node.get<double>() != nullptr;
    if (words.units.empty())
      wrong(parameter.name, node, fmt::format("must be {}, not {}", words.name, shown(node)),
            range_text(parameter));
    else if (is_number)
      wrong(parameter.name, node, fmt::format("{} has no unit", shown(node)),
            fmt::format("write a unit, for example \"{}\"", words.example));
    else if (const std::string meant = with_meant_unit(node, words.units); !meant.empty())
      wrong(parameter.name, node, fmt::format("{} is not {}", shown(node), words.name),
            fmt::format("did you mean {}? units: {}", meant, words.units));
    else
      wrong(parameter.name, node, fmt::format("{} is not {}", shown(node), words.name),
            fmt::format("write a number and one of {}, for example \"{}\"", words.units, words.example));
  }

  void wrong_name(std::string_view key, const Document& node, const std::vector<std::string_view>& names) {
    no_such_name(key, node, fmt::format("{} is not a valid value", shown(node)), names);
  }
  void no_such_name(std::string_view key, const Document& node, std::string message,
                    const std::vector<std::string_view>& names) {
    const auto* name = node.get<std::string>();
    const auto meant = name != nullptr ? nearest(*name, names) : std::nullopt;
    mistakes_.add(
        {path_ + std::string(key),
         std::move(message),
         (meant ? fmt::format("did you mean \"{}\"? ", *meant) : "") + "valid: " + list_text(names, "or"),
         node.where,
         {names.begin(), names.end()},
         std::string(meant.value_or(""))});
  }

  void unknown_key(const Document::Member& member, const std::vector<std::string_view>& known) {
    std::vector<std::string_view> candidates = known;
    for (const Foreign& foreign : foreign_)
      if (!contains(candidates, foreign.parameter)) candidates.push_back(foreign.parameter);
    const std::vector<std::string_view> names = table_.element_names();
    if (contains(names, member.name))
      return mistakes_.add(
          {path_ + member.name, std::string(kUnknownKey),
           fmt::format("a file has the keys of \"{}\" in its own table, where the name is", member.name),
           member.where});
    candidates.insert(candidates.end(), names.begin(), names.end());
    const std::string valid = "valid here: " + list_text(known);
    std::string meant(nearest(member.name, candidates).value_or("")), hint;
    if (!meant.empty()) {
      hint = did_you_mean({meant});
    } else if (const std::vector<std::string> otherwise = keys_called_otherwise(member.name);
               !otherwise.empty()) {
      meant = otherwise.front();
      hint = did_you_mean(otherwise);
    } else {
      std::vector<std::string> elsewhere = keys_called(member.name);
      std::erase(elsewhere, without_indices(path_ + member.name));  // a key of the other kernel
      if (!elsewhere.empty()) meant = elsewhere.front();
      hint = elsewhere.empty() ? valid : did_you_mean(elsewhere) + ' ' + valid;
    }
    mistakes_.add({path_ + member.name,
                   std::string(kUnknownKey),
                   std::move(hint),
                   member.where,
                   {known.begin(), known.end()},
                   std::move(meant)});
  }

  Mistake foreign_key(const Document::Member& member, const Foreign& found) const {
    std::vector<std::string_view> owners;
    for (const Foreign& foreign : foreign_)
      if (foreign.parameter == member.name && foreign.choice == found.choice)
        owners.push_back(foreign.member);
    return {path_ + member.name, fmt::format("{} \"{}\" has no such parameter", found.choice, found.chosen),
            fmt::format("{} {} it", list_text(owners), owners.size() == 1 ? "has" : "have"), member.where};
  }

  void wrong(std::string_view name, const Document& node, std::string message, std::string hint) {
    mistakes_.add({path_ + std::string(name), std::move(message), std::move(hint), node.where});
  }

  const Document& table_;
  std::string path_;
  const std::vector<std::string>& swept_;
  const InputFiles& files_;
  Mistakes& mistakes_;
  std::vector<Mistake>& idle_;
  std::vector<std::string_view> taken_;
  std::vector<Foreign> foreign_;
};

// The routing of a spec that names none: one that can route its topology.
std::string_view usual_routing(std::string_view topology, bool has_failures) {
  constexpr std::string_view kOfGrids[] = {"mesh", "torus", "hyperx"},
                             kOfGroups[] = {"dragonfly", "dragonfly-plus", "slim-fly"};
  const bool is_grid = std::ranges::find(kOfGrids, topology) != std::end(kOfGrids);
  const bool has_groups = std::ranges::find(kOfGroups, topology) != std::end(kOfGroups);
  if (has_failures && (is_grid || has_groups)) return "up-down";
  if (topology == "rails") return "up-down";
  return is_grid ? "dor" : has_groups ? "minimal" : "det";
}

// What an output-queued switch has unless its spec says otherwise: a queue for each output, first in, first
// out.
void use_output_queues(SwitchSpec& switches) {
  switches.scheme = choose(schemes(), "voqsw");
  switches.arbiter = ArbiterKind::oldest_first;
}

}  // namespace

SpecFile read_spec(const Document& document, Mistakes& mistakes, const std::vector<std::string>& swept,
                   const InputFiles& files) {
  SpecFile file;
  Reader reader(document, "", swept, files, mistakes, file.idle);
  reader.seeds(file);
  const auto gives = [&](std::string_view key) { return document.find(key) != nullptr; };
  if (const Document* topology = document.find("network.topology"))
    if (const auto* name = topology->get<std::string>())
      std::get<EventSpec>(file.spec).routing.algorithm =
          choose(routings(), usual_routing(*name, gives("network.failures")));
  if (const Document* architecture = document.find("switch.architecture"))
    if (const auto* name = architecture->get<std::string>(); name != nullptr && *name == "oq")
      use_output_queues(std::get<EventSpec>(file.spec).switches);
  describe(file.spec, reader);
  reader.refuse_others({"sweep"});
  if (auto* spec = std::get_if<EventSpec>(&file.spec)) add_copies(spec->traffic);
  if (auto* spec = std::get_if<EventSpec>(&file.spec); spec != nullptr && spec->traffic.has_foreground_job())
    if (!gives("measure.until") && !gives("measure.warmup") && !gives("measure.duration"))
      spec->measure.until = Until::done;
  return file;
}

UnitsTable read_units(const Document& table, Mistakes& mistakes) {
  UnitsTable units;
  if (table.get<Document::Table>() == nullptr) {
    mistakes.add({"units", fmt::format("must be a table, not {}", shown(table)),
                  "write [units] and below it cycle = \"10 ns\" or flit = \"8 B\"", table.where});
    return units;
  }
  const std::vector<std::string> swept;
  InputFiles files;
  std::vector<Mistake> idle;
  Reader reader(table, "units.", swept, files, mistakes, idle);
  units.describe(reader);
  reader.refuse_others({});
  return units;
}

}  // namespace headway
