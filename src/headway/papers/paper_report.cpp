// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/paper_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "headway/base/input_file.h"
#include "headway/base/statistics.h"
#include "headway/base/version.h"
#include "headway/io/atomic_file.h"
#include "headway/io/json.h"
#include "headway/io/markdown.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPageHead = R"(# Reproduction

What the papers say and what Headway measures. `headway paper KEY --report FILE` writes this page from full runs; do not edit
it.

A claim is measured once per seed. *Measured* is the mean over the seeds with the half width of its 95 % interval (Student's t).
A number without an interval is exact. A claim *holds* if the whole interval lies within the expected range, and *does not hold*
if it lies outside. If a bound of the range lies within the interval, the verdict is *cannot tell*. A claim holds *by a hair* if a
bound is nearer than 1.5 half widths. A claim that is known not to hold stays in the list with the reason; what was tried is in
the paper's README. Claims that no measurement can decide are listed as *not judged*, with the reason.

Each section begins with what is met, of what is judged: numbers that the paper prints, statements that it makes in words, and
our inferences from it (marked in the tables), which the paper does not state. *Mean distance* is the mean |ln(measured / printed)|
of the printed numbers. The processor time is that of all runs on the machine that wrote the section; others differ by half.
)";

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// JSON has no number for an unknown value.
Json known_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// "1 does not", "3 do not"
std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format(", {} {}", count, count == 1 ? one : several);
}

// |ln(measured / printed)|; none where nothing can be compared.
std::optional<double> distance(const JudgedClaim& judged) {
  const auto& [claim, judgement] = judged;
  const bool is_measured = judgement.measured.seeds > 0 && judgement.measured.half_width > 0;
  if (claim->kind != ClaimKind::number || !claim->expected || !is_measured) return std::nullopt;
  const bool is_bound = claim->at_least.has_value() != claim->at_most.has_value();
  if (is_bound && judgement.verdict == Finding::holds) return 0.0;
  const double ratio = judgement.measured.value / *claim->expected;
  return ratio > 0 ? std::optional(std::abs(std::log(ratio))) : std::nullopt;
}

// The remarks on a claim for each reading.
std::string remarks(std::span<const JudgedClaim> readings) {
  std::vector<std::string> texts;
  for (const auto& [claim, judgement] : readings) {
    std::string text = remark(*claim, judgement);
    if (!text.empty() && !claim->reading.empty()) text = fmt::format("{}: {}", claim->reading, text);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts.empty() ? "" : fmt::format(" *({})*", fmt::join(texts, "; "));
}

// The claims of a figure, a row each; with readings, a column of verdicts for each of them.
std::string claims_table(const Paper& paper, std::string_view figure,
                         const std::vector<JudgedClaim>& claims) {
  std::vector<std::string_view> columns = {"measured", "verdict"};
  if (!paper.readings.empty()) columns.clear();
  for (const PaperReading& reading : paper.readings) columns.emplace_back(reading.name);
  std::string text;
  for (std::size_t first = 0, next = 0; first < claims.size(); first = next) {
    const Claim& claim = *claims[first].claim;
    const std::string_view name = name_without_reading(claim.id);
    while (next < claims.size() && name_without_reading(claims[next].claim->id) == name) ++next;
    if (name_without_reading(claim.figure) != figure) continue;
    if (text.empty()) {
      text = fmt::format("\n| claim | where | expected | {} |\n|---|---|---|", fmt::join(columns, " | "));
      for (std::size_t column = 0; column < columns.size(); ++column) text += "---|";
      text += '\n';
    }
    const std::span<const JudgedClaim> readings = std::span(claims).subspan(first, next - first);
    const std::string_view inferred = claim.kind == ClaimKind::inference ? " *(our inference)*" : "";
    text += fmt::format("| {}{} | {} | {} |", markdown_text(claim.says),
                        markdown_text(std::string(inferred) + remarks(readings)), markdown_text(claim.where),
                        expectation(claim));
    for (const auto& [judged, judgement] : readings)
      text += fmt::format(" {}{} {} |", to_string(judgement.measured), judged->reading.empty() ? " |" : ",",
                          describe(*judged, judgement));
    text += '\n';
  }
  return text;
}

// In minutes or seconds, because another machine can take half as much again.
std::string rough_time(double seconds) {
  return seconds < 100 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

// With readings, pictures of the first one only.
std::string section(const Paper& paper, const std::vector<MadeFigure>& figures,
                    const std::vector<JudgedClaim>& claims, double cpu_s) {
  std::string text = fmt::format(
      "## {}\n\n{}. [papers/{}](../papers/{}/README.md), model version {}, {} of processor time.\n",
      markdown_text(paper.title), markdown_text(paper.citation), paper.key, paper.key, kModelVersion,
      rough_time(cpu_s));
  if (paper.readings.empty()) text += fmt::format("\nMet: {}.\n", met(claims, ""));
  for (const PaperReading& reading : paper.readings)
    text += fmt::format("{}- reading `{}`: {}. Met: {}\n", &reading == &paper.readings.front() ? "\n" : "",
                        reading.name, markdown_text(reading.label), met(claims, reading.name));
  text += fmt::format("\n{}.\n", tally(claims));
  if (!paper.contradictions.empty()) text += "\nWhat the paper says and cannot hold together:\n\n";
  for (std::size_t i = 0; i < paper.contradictions.size(); ++i)
    text += fmt::format("{}. {}\n", i + 1, markdown_text(paper.contradictions[i]));
  for (const MadeFigure& figure : figures) {
    if (!paper.readings.empty() && figure.spec->reading != paper.readings.front().name) continue;
    text += fmt::format("\n### {}: {}\n\n", markdown_text(figure.spec->number),
                        markdown_text(figure.spec->title));
    if (figure.spec->drawing == Drawing::table)
      text += figure_table(*figure.spec, figure.curves);
    else if (!figure.files.picture.empty())
      text += fmt::format("![{}](figures/{}-{}.svg)\n", markdown_text(figure.spec->number), paper.key,
                          figure.spec->id);
    text += claims_table(paper, name_without_reading(figure.spec->id), claims);
  }
  return text;
}

}  // namespace

std::string claims_json(const Paper& paper, const std::vector<JudgedClaim>& claims, bool quick) {
  Json json;
  json["paper"] = paper.key;
  json["headway"] = version();
  json["git"] = git_id();
  json["model_version"] = kModelVersion;
  json["quick"] = quick;
  Json list = Json::array();
  for (const auto& [claim, judgement] : claims) {
    Json entry;
    entry["id"] = claim->id;
    if (!claim->reading.empty()) entry["reading"] = claim->reading;
    entry["figure"] = claim->figure;
    entry["where"] = claim->where;
    entry["says"] = claim->says;
    entry["kind"] = name_of(claim->kind);
    entry["measure"] = claim->measure.curves().empty() ? Json(nullptr) : Json(claim->measure.text());
    entry["expected"] = optional_json(claim->expected);
    entry["at_least"] = optional_json(claim->at_least);
    entry["at_most"] = optional_json(claim->at_most);
    entry["measured"] = known_json(judgement.measured.value);
    entry["standard_error"] = known_json(judgement.measured.standard_error);
    entry["half_width"] = known_json(judgement.measured.half_width);
    entry["seeds"] = judgement.measured.seeds;
    entry["verdict"] = name_of(judgement.verdict);
    entry["by_a_hair"] = judgement.by_a_hair;
    entry["unexpected"] = judgement.unexpected;
    for (const auto& [name, text] : {std::pair{"known", claim->known},
                                     {"undecidable", claim->undecidable},
                                     {"not_quick", claim->not_quick},
                                     {"depends_on", claim->depends_on}})
      if (!text.empty()) entry[name] = text;
    list.push_back(std::move(entry));
  }
  json["claims"] = std::move(list);
  return json.dump(2) + "\n";
}

std::string tally(const std::vector<JudgedClaim>& claims) {
  std::size_t hold = 0, fail = 0, known = 0, open = 0, unjudged = 0;
  for (const auto& [claim, judgement] : claims) switch (judgement.verdict) {
      case Finding::holds:
        ++hold;
        break;
      case Finding::fails:
        ++(claim->known.empty() ? fail : known);
        break;
      case Finding::cannot_tell:
        ++open;
        break;
      case Finding::not_judged:
        ++unjudged;
        break;
    }
  std::string text = fmt::format("{} claims: {} hold", claims.size(), hold);
  if (fail > 0) text += counted(fail, "does not", "do not");
  if (known > 0) text += counted(known, "is known not to", "are known not to");
  if (open > 0) text += counted(open, "cannot be told", "cannot be told");
  if (unjudged > 0) text += counted(unjudged, "is not judged", "are not judged");
  return text;
}

std::string met(const std::vector<JudgedClaim>& claims, std::string_view reading) {
  std::vector<std::string> parts;
  for (const auto& [kind, plural] : {std::pair{ClaimKind::number, "printed numbers"},
                                     {ClaimKind::statement, "statements"},
                                     {ClaimKind::inference, "inferences"}}) {
    std::size_t judged = 0, hold = 0;
    std::vector<double> distances;
    for (const JudgedClaim& claim : claims) {
      if (claim.claim->kind != kind || claim.claim->reading != reading) continue;
      if (claim.judgement.verdict == Finding::not_judged) continue;
      ++judged;
      hold += claim.judgement.verdict == Finding::holds;
      if (const auto far = distance(claim)) distances.push_back(*far);
    }
    if (judged == 0) continue;
    parts.push_back(fmt::format("{} of {} {}", hold, judged, plural));
    if (!distances.empty()) parts.back() += fmt::format(" (mean distance {:.2f})", mean_of(distances));
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

void write_report(const fs::path& page, const Paper& paper, const std::vector<MadeFigure>& figures,
                  const std::vector<JudgedClaim>& claims, double cpu_s) {
  const std::string begin = fmt::format("<!-- begin {} -->\n", paper.key);
  const std::string end = fmt::format("<!-- end {} -->\n", paper.key);
  std::string text = fs::exists(page) ? read_text(page) : std::string(kPageHead);
  const std::string fresh = begin + section(paper, figures, claims, cpu_s) + end;
  const std::size_t from = text.find(begin), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos)
    text += fmt::format("\n{}", fresh);
  else
    text.replace(from, to + end.size() - from, fresh);

  const fs::path pictures = page.parent_path() / "figures";
  fs::create_directories(pictures);
  for (const MadeFigure& figure : figures)
    if (figure.files.picture.extension() == ".svg" &&
        (paper.readings.empty() || figure.spec->reading == paper.readings.front().name))
      write_file(pictures / fmt::format("{}-{}.svg", paper.key, figure.spec->id),
                 read_text(figure.files.picture));
  write_file(page, text);
}

}  // namespace headway
