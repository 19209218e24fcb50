// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/paper_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/config/nearest.h"
#include "headway/config/toml.h"
#include "headway/papers/figure_file.h"
#include "headway/papers/paper_table.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

PaperReading read_reading(const Document& table, const std::string& path, Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  PaperReading reading{reader.word("name"), reader.text("label"), {}};
  reading.settings = read_settings(reader, "set");
  return reading;
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
  claim.kind = reader.choice<ClaimKind>("kind").value_or(claim.kind);
  written.known = read_by_reading(reader, "known", path, readings, mistakes);
  written.undecidable = read_by_reading(reader, "undecidable", path, readings, mistakes);
  claim.known = written.known.of_all;
  claim.undecidable = written.undecidable.of_all;
  claim.not_quick = reader.text("not_quick", true);
  claim.depends_on = reader.text("depends_on", true);
  // an undecidable claim can still have a measured value
  const bool judged = claim.undecidable.empty();
  if (judged || table.member("measure") != nullptr)
    claim.measure = read_expression(reader, path, false, mistakes);
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
      for (const auto& known : figure->curves)
        if (known.name == curve.curve && !known.each.empty())
          mistakes.add({path + ".measure", fmt::format("'{}' is a curve for each of several", known.name),
                        "give it 'only' instead of 'each'", file.place_of(path + ".measure")});
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
    paper.contradictions = reader.texts("contradictions");
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
