// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apart.h"
#include "headway/papers/chosen.h"
#include "headway/papers/paper_file.h"
#include "headway/papers/reproduce.h"
#include "module.h"

namespace headway::python {
namespace {

namespace fs = std::filesystem;

// (key, title, citation, figures), a figure as (id, number, title)
py::list papers(const fs::path& folder) {
  py::list all;
  for (const fs::path& of_paper : paper_folders(folder)) {
    const Paper paper = read_paper(of_paper);
    py::list figures;
    for (const FigureSpec& figure : paper.figures)
      figures.append(py::make_tuple(figure.id, figure.number, figure.title));
    all.append(py::make_tuple(paper.key, paper.title, paper.citation, figures));
  }
  return all;
}

py::dict dict_of(const MadeFigure& made) {
  py::dict curves;
  for (const Curve& curve : made.curves) {
    py::dict columns;
    for (const Column& column : curve.columns) columns[py::str(column.name)] = column.values;
    curves[py::str(curve.name)] = columns;
  }
  return py::dict(py::arg("id") = made.spec->id, py::arg("number") = made.spec->number,
                  py::arg("title") = made.spec->title, py::arg("picture") = made.files.picture.string(),
                  py::arg("curves") = curves);
}

py::dict dict_of(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  const Judgement& judgement = judged.judgement;
  return py::dict(py::arg("id") = claim.id, py::arg("says") = claim.says, py::arg("where") = claim.where,
                  py::arg("expected") = expectation(claim),
                  py::arg("measured") = to_string(judgement.measured),
                  py::arg("value") = judgement.measured.value,
                  py::arg("verdict") = std::string(name_of(judgement.verdict)),
                  py::arg("remark") = remark(claim, judgement), py::arg("unexpected") = judgement.unexpected);
}

// {"figures": [...], "claims": [...], "out": ...}; raises KeyboardInterrupt if interrupted.
py::dict paper(const fs::path& folder, const std::string& key, const std::vector<std::string>& ids,
               bool quick, const std::optional<std::string>& trace, const std::optional<fs::path>& out,
               unsigned jobs, const std::vector<std::string>& command, const py::object& on_progress) {
  const auto paper = std::make_shared<const Paper>(find_paper(folder, key));
  std::vector<const FigureSpec*> figures = chosen_figures(*paper, ids);
  if (trace) std::erase_if(figures, [](const FigureSpec* figure) { return !figure->trace; });
  ReproduceOptions options{.directory = out.value_or(default_directory(*paper, trace.has_value(), quick)),
                           .quick = quick,
                           .trace = trace};
  options.jobs = jobs;
  options.command = command;
  const Reproduction made = run_apart(on_progress, [paper, figures, options](Work& work) mutable {
    options.on_progress = [&](const FigureSpec& figure, const SweepProgress& now) {
      work.report(figure.number, now.fraction, now.tasks_done, now.tasks);
    };
    options.on_read = [&](std::uint64_t, std::uint64_t) { work.look(); };
    return reproduce(*paper, figures, options);
  });
  py::list all_figures, claims;
  for (const MadeFigure& figure : made.figures) all_figures.append(dict_of(figure));
  for (const JudgedClaim& claim : made.claims) claims.append(dict_of(claim));
  return py::dict(py::arg("figures") = all_figures, py::arg("claims") = claims,
                  py::arg("out") = options.directory.string());
}

}  // namespace

void bind_papers(py::module_& module) {
  module.def("papers", &papers, py::arg("folder"));
  module.def("paper", &paper, py::arg("folder"), py::arg("key"), py::kw_only(), py::arg("figures"),
             py::arg("quick"), py::arg("trace"), py::arg("out"), py::arg("jobs"), py::arg("command"),
             py::arg("on_progress"));
}

}  // namespace headway::python
