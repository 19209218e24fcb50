// SPDX-License-Identifier: Apache-2.0
// Each table is read key by key; the remaining keys are unknown. After a missing or wrong value reading
// continues, so that all mistakes are found at once.
#include "headway/papers/paper_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "headway/base/visible.h"
#include "headway/config/nearest.h"
#include "headway/config/table_reader.h"
#include "headway/config/toml.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

// Maximum length of a word that is safe in a file name, in a claim's expression and in a command.
constexpr std::size_t kLongestWord = 64;
bool is_plain_word(std::string_view word) {
  constexpr std::string_view kFirst = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !word.empty() && word.size() <= kLongestWord && kFirst.find(word[0]) != std::string_view::npos &&
         word.find_first_not_of(std::string(kFirst) + "._+-") == std::string_view::npos;
}
std::string plain_words() {
  return fmt::format("at most {} letters, digits and . _ + -, the first a letter or a digit", kLongestWord);
}

// Reads the members of one table of a paper's files and reports unknown ones at the end.
class PaperTable : public TableReader {
 public:
  using TableReader::TableReader;
  PaperTable(const PaperTable&) = delete;
  PaperTable& operator=(const PaperTable&) = delete;
  ~PaperTable() { refuse_others(); }

  // Text; a missing one is a mistake unless it is optional.
  std::string text(std::string_view name, bool optional = false) {
    const Document* const value = take(name);
    if (value == nullptr && !optional) missing(name);
    const auto text = text_of(name);
    if (text) check_printable(name, *text, *value);
    return text.value_or("");
  }

  // A name that files, commands and claims use as a reference.
  std::string word(std::string_view name) {
    const std::string word = text(name);
    const Document* const value = take(name);
    if (value != nullptr && value->get<std::string>() && !is_plain_word(word))
      wrong(name, *value, fmt::format("\"{}\" is not a plain word", visible(word)), plain_words());
    return word;
  }

  std::optional<double> number(std::string_view name) {
    const Document* value = take(name);
    if (value == nullptr) return std::nullopt;
    if (const auto* whole = value->get<std::int64_t>()) return static_cast<double>(*whole);
    if (const auto* number = value->get<double>(); number != nullptr && std::isfinite(*number))
      return *number;
    wrong(name, *value, "must be a number");
    return std::nullopt;
  }

  bool flag(std::string_view name, bool otherwise) {
    const Document* value = take(name);
    if (value == nullptr) return otherwise;
    if (const auto* flag = value->get<bool>()) return *flag;
    wrong(name, *value, "must be true or false");
    return otherwise;
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> list;
    for_each(name, [&](const Document& element, const std::string&) {
      if (const auto* text = element.get<std::string>()) {
        check_printable(name, *text, element);
        list.push_back(*text);
      } else {
        wrong(name, element, "must be text in quotes");
      }
    });
    return list;
  }

  // The index of one of `names`; the first one if the key is missing.
  template <std::size_t N>
  std::size_t choice(std::string_view name, const std::array<std::string_view, N>& names) {
    const Document* value = take(name);
    if (value == nullptr) return 0;
    const auto* text = value->get<std::string>();
    const auto found = text == nullptr ? names.end() : std::ranges::find(names, *text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const bool has_default = names.front().empty();
    wrong(name, *value, fmt::format("there is no such {}", name),
          fmt::format("valid: {}", fmt::join(names.begin() + has_default, names.end(), ", ")));
    return 0;
  }

  // Calls visit(element, path) for the elements of a list, if there is one.
  void for_each(std::string_view name, const auto& visit) {
    const Document* value = take(name);
    if (value == nullptr) return;
    const auto* list = value->get<Document::Array>();
    if (list == nullptr) return wrong(name, *value, "must be a list");
    for (std::size_t i = 0; i < list->size(); ++i) visit((*list)[i], fmt::format("{}[{}]", key(name), i));
  }

 private:
  // Text for pictures, pages and terminals must be one line without control characters.
  void check_printable(std::string_view name, std::string_view text, const Document& value) {
    if (!is_visible(text))
      wrong(name, value, fmt::format("\"{}\" has characters that cannot be printed", visible(text)),
            "a backslash at the end of a line continues it in the next line");
  }
};

Axis read_axis(const Document& table, const std::string& path, Mistakes& mistakes) {
  constexpr std::array<std::string_view, 3> kUnits = {"", "us", "ms"};
  PaperTable reader(table, path, mistakes);
  Axis axis;
  axis.column = reader.text("column");
  axis.label = reader.text("label");
  axis.unit = kUnits[reader.choice("unit", kUnits)];
  if (!axis.unit.empty() && !axis.column.ends_with("_ns"))
    mistakes.add({path + ".unit", fmt::format("{} is not a time in ns", axis.column), "", table.where});
  axis.from = reader.number("from");
  axis.to = reader.number("to");
  axis.logarithmic = reader.flag("logarithmic", false);
  return axis;
}

FigureSpec::CurveSpec read_curve(const Document& table, const std::string& path, Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  FigureSpec::CurveSpec curve{reader.word("name"), reader.text("label"), {}, reader.text("y", true)};
  if (const Document* where = reader.take("where")) {
    const auto* conditions = where->get<Document::Table>();
    if (conditions == nullptr)
      reader.wrong("where", *where, "must be a table of swept keys and values");
    else
      for (const Document::Member& condition : *conditions) {
        const auto* text = condition.value.get<std::string>();
        curve.where.emplace_back(condition.name, text != nullptr ? *text : to_text(condition.value));
      }
  }
  return curve;
}

std::vector<Override> read_settings(PaperTable& reader, std::string_view name) {
  std::vector<Override> settings;
  const Document* value = reader.take(name);
  if (value == nullptr) return settings;
  if (const auto* table = value->get<Document::Table>())
    for (const Document::Member& setting : *table) settings.push_back({setting.name, setting.value});
  else
    reader.wrong(name, *value, "must be a table of keys and values");
  return settings;
}

void read_quick(PaperTable& reader, FigureSpec& figure) {
  figure.quick = read_settings(reader, "quick");
  for (const Override& setting : figure.quick)
    if (!setting.key.starts_with("measure.") && setting.key != "seeds")
      reader.wrong("quick", setting.value, fmt::format("{} is not a time", setting.key),
                   "a quick run can only change keys of [measure] and seeds, not the model");
}

SaturationSearch read_search(const Document& table, const std::string& path, Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  SaturationSearch search;
  const auto read = [&](std::string_view name, double& number, double below) {
    number = reader.number(name).value_or(number);
    if (!(number > 0) || number >= below)
      mistakes.add({fmt::format("{}.{}", path, name), fmt::format("{} is out of range", number),
                    std::isinf(below) ? "above 0" : fmt::format("above 0, below {}", below), table.where});
  };
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  read("precision", search.precision, 1);
  read("share", search.share, kNoLimit);
  read("times", search.times, kNoLimit);
  read("lowest", search.lowest, 1);
  if (const Document* latency = reader.take("latency")) {
    const auto* text = latency->get<std::string>();
    search.latency = text == nullptr ? std::nullopt : parse_duration(*text);
    if (!search.latency) reader.wrong("latency", *latency, "must be a time, such as \"5 us\"");
  }
  return search;
}

PaperReading read_reading(const Document& table, const std::string& path, Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  PaperReading reading{reader.word("name"), reader.text("label"), {}};
  reading.settings = read_settings(reader, "set");
  return reading;
}

FigureSpec read_figure(const Document& table, const std::string& path, const fs::path& folder,
                       Mistakes& mistakes) {
  constexpr std::array<std::string_view, 4> kRows = {"points", "series", "destinations", "stages"};
  constexpr std::array<std::string_view, 3> kDrawings = {"lines", "bars", "table"};
  PaperTable reader(table, path, mistakes);
  FigureSpec figure;
  figure.id = reader.word("id");
  figure.number = reader.text("number");
  figure.title = reader.text("title");
  figure.spec = folder / reader.text("spec");
  figure.simulated = reader.flag("simulated", true);
  if (const Document* search = reader.take("saturation")) {
    figure.saturation = read_search(*search, path + ".saturation", mistakes);
    if (!figure.simulated)
      reader.wrong("saturation", *search, "needs runs, but this figure is not simulated");
  }
  figure.rows = static_cast<Rows>(reader.choice("rows", kRows));
  figure.drawing = static_cast<Drawing>(reader.choice("draw", kDrawings));
  if (const Document* x = reader.take("x")) figure.x = read_axis(*x, path + ".x", mistakes);
  if (const Document* y = reader.take("y")) figure.y = read_axis(*y, path + ".y", mistakes);
  figure.columns = reader.texts("columns");
  const bool is_table = figure.drawing == Drawing::table;
  if (!is_table && (figure.x.column.empty() || figure.y.column.empty()))
    mistakes.add({path, "a drawn figure needs x and y", "", table.where});
  if (is_table == figure.columns.empty())
    mistakes.add(
        {path, is_table ? "a table needs columns" : "only a table can have columns", "", table.where});
  reader.for_each("shade", [&](const Document& element, const std::string& place) {
    PaperTable shade(element, place, mistakes);
    figure.shades.push_back(
        {shade.number("from").value_or(0), shade.number("to").value_or(0), shade.text("label")});
  });
  reader.for_each("curve", [&](const Document& element, const std::string& place) {
    figure.curves.push_back(read_curve(element, place, mistakes));
  });
  if (figure.curves.empty()) mistakes.add({path, "the figure has no curve", "", table.where});
  read_quick(reader, figure);
  if (const Document* trace = reader.take("trace")) {
    figure.trace = *trace;
    if (trace->get<Document::Table>() == nullptr)
      reader.wrong("trace", *trace, "must be a table of keys of [traffic.trace]");
  }
  return figure;
}

// The place of an offset in a one-line value that begins at `where` ("claims.toml:7:11" is its opening
// quote).
std::string place_in_value(const std::string& where, std::size_t offset) {
  const std::size_t colon = where.rfind(':');
  const std::size_t column = std::stoul(where.substr(colon + 1));
  return fmt::format("{}:{}", where.substr(0, colon), column + 1 + offset);
}

Expression read_expression(PaperTable& reader, const std::string& path, Mistakes& mistakes) {
  const std::string text = reader.text("measure");
  const Document* value = reader.take("measure");
  if (value == nullptr) return {};
  try {
    return Expression(text);
  } catch (const ExpressionError& error) {
    mistakes.add(
        {path + ".measure", error.what(), error.hint(), place_in_value(value->where, error.offset())});
    return {};
  }
}

// A text that can also be a table with one text per reading.
struct TextByReading {
  std::string of_all;
  std::vector<std::pair<std::string, std::string>> of_one;

  std::string under(const std::string& reading) const {
    const auto found = std::ranges::find(of_one, reading, &std::pair<std::string, std::string>::first);
    return found == of_one.end() ? of_all : found->second;
  }
};

TextByReading read_by_reading(PaperTable& reader, std::string_view name, const std::string& path,
                              const std::vector<PaperReading>& readings, Mistakes& mistakes) {
  TextByReading text;
  const Document* value = reader.take(name);
  if (value == nullptr) return text;
  if (value->get<Document::Table>() == nullptr) {
    text.of_all = reader.text(name);
    return text;
  }
  PaperTable table(*value, fmt::format("{}.{}", path, name), mistakes);
  for (const PaperReading& reading : readings)
    text.of_one.emplace_back(reading.name, table.text(reading.name, true));
  return text;
}

// A claim as written, before it is expanded for each reading.
struct WrittenClaim {
  Claim claim;
  TextByReading known;
  TextByReading undecidable;
};

WrittenClaim read_claim(const Document& table, const std::string& path,
                        const std::vector<PaperReading>& readings, Mistakes& mistakes) {
  WrittenClaim written;
  Claim& claim = written.claim;
  PaperTable reader(table, path, mistakes);
  claim.id = reader.word("id");
  claim.figure = reader.text("figure");
  claim.where = reader.text("where");
  claim.says = reader.text("says");
  written.known = read_by_reading(reader, "known", path, readings, mistakes);
  written.undecidable = read_by_reading(reader, "undecidable", path, readings, mistakes);
  claim.known = written.known.of_all;
  claim.undecidable = written.undecidable.of_all;
  claim.not_quick = reader.text("not_quick", true);
  claim.depends_on = reader.text("depends_on", true);
  // an undecidable claim can still have a measured value
  const bool judged = claim.undecidable.empty();
  if (judged || table.member("measure") != nullptr) claim.measure = read_expression(reader, path, mistakes);
  claim.expected = reader.number("expected");
  claim.at_least = reader.number("at_least");
  claim.at_most = reader.number("at_most");
  const auto tolerance = reader.number("tolerance");
  if (tolerance && claim.expected && !claim.at_least && !claim.at_most) {
    claim.at_least = *claim.expected - *tolerance;
    claim.at_most = *claim.expected + *tolerance;
  } else if (tolerance || (judged && !claim.at_least && !claim.at_most)) {
    mistakes.add({path, "has no expected value",
                  "give expected and tolerance, or at_least or at_most or both", table.where});
  }
  return written;
}

// Names of figures, curves and claims are references, so they must be unique and exist.
template <class T>
void check_unique(const std::vector<T>& list, std::string T::* name, std::string_view what,
                  const std::string& where, Mistakes& mistakes) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (list[i].*name == list[j].*name)
        mistakes.add(
            {std::string(what), fmt::format("the name '{}' is used twice", list[i].*name), "", where});
}

void check_claims(const Paper& paper, const Document& file, Mistakes& mistakes) {
  std::vector<std::string_view> figures;
  for (const FigureSpec& figure : paper.figures) figures.push_back(figure.id);
  for (std::size_t i = 0; i < paper.claims.size(); ++i) {
    const Claim& claim = paper.claims[i];
    const std::string path = fmt::format("claim[{}]", i);
    const auto add = [&](std::string_view key, std::string_view what, const std::string& name,
                         const std::vector<std::string_view>& valid) {
      const auto meant = nearest(name, valid);
      mistakes.add({fmt::format("{}.{}", path, key), fmt::format("there is no {} '{}'", what, name),
                    meant ? fmt::format("did you mean '{}'?", *meant)
                          : fmt::format("valid: {}", fmt::join(valid, ", ")),
                    file.place_of(fmt::format("{}.{}", path, key))});
    };
    if (std::ranges::find(figures, claim.figure) == figures.end()) {
      add("figure", "figure", claim.figure, figures);
      continue;
    }
    for (const std::string& name : claim.measure.curves()) {
      const CurveName curve = curve_name(claim, name);
      const auto figure = std::ranges::find(paper.figures, curve.figure, &FigureSpec::id);
      if (figure == paper.figures.end()) {
        add("measure", "figure", std::string(curve.figure), figures);
        continue;
      }
      std::vector<std::string_view> curves;
      for (const auto& known : figure->curves) curves.push_back(known.name);
      if (std::ranges::find(curves, curve.curve) == curves.end())
        add("measure", fmt::format("curve in figure {}", figure->id), std::string(curve.curve), curves);
    }
  }
}

// Every figure and every claim once per reading.
void apply_readings(Paper& paper, const std::vector<WrittenClaim>& claims) {
  if (paper.readings.empty()) return;
  const std::vector<FigureSpec> figures = std::move(paper.figures);
  paper.figures.clear();
  for (const PaperReading& reading : paper.readings)
    for (FigureSpec figure : figures) {
      figure.id = name_under(figure.id, reading.name);
      figure.title += fmt::format(" ({})", reading.name);
      figure.reading = reading.name;
      figure.settings = reading.settings;
      paper.figures.push_back(std::move(figure));
    }
  paper.claims.clear();
  for (const WrittenClaim& written : claims)
    for (const PaperReading& reading : paper.readings) {
      Claim claim = written.claim;
      claim.id = name_under(claim.id, reading.name);
      claim.figure = name_under(claim.figure, reading.name);
      claim.reading = reading.name;
      claim.known = written.known.under(reading.name);
      claim.undecidable = written.undecidable.under(reading.name);
      paper.claims.push_back(std::move(claim));
    }
}

}  // namespace

Paper read_paper(const fs::path& folder) {
  Mistakes mistakes;
  Paper paper;
  paper.key = folder.filename().string();
  const Document description = read_toml(folder / "paper.toml");
  if (!is_plain_word(paper.key))
    mistakes.add({"", fmt::format("the name of its directory, \"{}\", is not a plain word", paper.key),
                  plain_words(), description.where});
  {
    PaperTable reader(description, "", mistakes);
    paper.title = reader.text("title");
    paper.citation = reader.text("citation");
    reader.for_each("reading", [&](const Document& element, const std::string& path) {
      paper.readings.push_back(read_reading(element, path, mistakes));
    });
    reader.for_each("figure", [&](const Document& element, const std::string& path) {
      paper.figures.push_back(read_figure(element, path, folder, mistakes));
    });
  }
  const fs::path claims_file = folder / "claims.toml";
  const Document file =
      fs::exists(claims_file) ? read_toml(claims_file) : Document(Document::Table{}, claims_file.string());
  std::vector<WrittenClaim> claims;
  {
    PaperTable reader(file, "", mistakes);
    reader.for_each("claim", [&](const Document& element, const std::string& path) {
      claims.push_back(read_claim(element, path, paper.readings, mistakes));
      paper.claims.push_back(claims.back().claim);
    });
  }
  check_unique(paper.readings, &PaperReading::name, "reading.name", description.where, mistakes);
  check_unique(paper.figures, &FigureSpec::id, "figure.id", description.where, mistakes);
  for (const FigureSpec& figure : paper.figures)
    check_unique(figure.curves, &FigureSpec::CurveSpec::name, "figure.curve.name", description.where,
                 mistakes);
  check_unique(paper.claims, &Claim::id, "claim.id", file.where, mistakes);
  check_claims(paper, file, mistakes);
  mistakes.throw_if_any();
  apply_readings(paper, claims);
  return paper;
}

std::vector<fs::path> paper_folders(const fs::path& papers) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(papers))
    if (fs::exists(entry.path() / "paper.toml")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

}  // namespace headway
