// SPDX-License-Identifier: Apache-2.0
#include "headway/traces/summary_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/traces/loads.h"

namespace headway {
namespace {

constexpr double kCompressions[] = {1, 20, 40};  // the last two are those of OBQA, section 4.4
constexpr double kLoadOfInterest = 0.3;
constexpr std::size_t kLinksShown = 5;

std::string contents(const TraceSummary& summary, std::string_view format) {
  return fmt::format(
      "format        {}\n"
      "records       {} ({} could not be read, {} are not requests according to the format)\n"
      "window        {}\n"
      "messages      {}, {} bytes\n"
      "sizes         {:.0f} bytes median, {:.0f} mean, {:.0f} 99 %, {} largest\n",
      format, summary.records, summary.skipped, summary.passed_over, trace_time_text(summary.length),
      summary.messages, summary.bytes, summary.sizes.quantile(0.5),
      static_cast<double>(summary.bytes) / static_cast<double>(summary.messages),
      summary.sizes.quantile(0.99), summary.sizes.max());
}

std::string burstiness(const TraceSummary& summary) {
  std::string text = "burstiness    variance over mean of the messages in";
  for (const std::size_t bins : {std::size_t{1}, std::size_t{4}, std::size_t{16}, std::size_t{64}})
    if (4 * bins <= summary.counts.used())
      text +=
          fmt::format(" {}: {:.3g}{}", trace_time_text(summary.counts.width() * static_cast<TraceTime>(bins)),
                      summary.dispersion(bins), 16 * bins <= summary.counts.used() && bins < 64 ? "," : "");
  return text + " (Poisson: 1)\n";
}

std::string load_table(const TraceSummary& summary, const Rate& link) {
  const TraceLoads loads(summary, link);
  const LoadedLink hottest = links_by_bytes(summary).front();
  const double mean = loads.mean(), busiest = loads.of(hottest.bytes), peak = loads.peak(hottest);
  std::string text = fmt::format(
      "load on {} nodes with links of {}, as fractions of the link rate\n"
      "  {:>12}  {:>10}  {:>22}  {:>22}\n",
      summary.in.size(), to_string(link), "compression", "all nodes", "busiest link, mean",
      fmt::format("its peak in {}", trace_time_text(summary.bytes_in.width())));
  for (const double compression : kCompressions)
    text += fmt::format("  {:>12}  {:>10.3g}  {:>22.3g}  {:>22.3g}\n", compression, compression * mean,
                        compression * busiest, compression * peak);
  return text +
         fmt::format("  a mean load of {} needs a compression of {:.4g}; on the busiest link, {:.4g}\n",
                     kLoadOfInterest, kLoadOfInterest / mean, kLoadOfInterest / busiest);
}

std::string busiest_links(const TraceSummary& summary) {
  std::string text =
      fmt::format("busiest links\n  {:>6}  {:>4}  {:>16}  {:>8}\n", "node", "", "bytes", "share");
  const std::vector<LoadedLink> links = links_by_bytes(summary);
  for (std::size_t i = 0; i < std::min(kLinksShown, links.size()); ++i)
    text += fmt::format("  {:>6}  {:>4}  {:>16}  {:>7.2f}%\n", links[i].node, links[i].into ? "in" : "out",
                        links[i].bytes,
                        100 * static_cast<double>(links[i].bytes) / static_cast<double>(summary.bytes));
  return text;
}

}  // namespace

std::string trace_time_text(TraceTime time) {
  const auto ns = static_cast<double>(time) / kNanosecond;
  if (ns < 1e3) return fmt::format("{:.4g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.4g} ms", ns / 1e6) : fmt::format("{:.6g} s", ns / 1e9);
}

std::string summary_page(const TraceSummary& summary, const Rate& link, std::string_view format) {
  return contents(summary, format) + burstiness(summary) + '\n' + load_table(summary, link) + '\n' +
         busiest_links(summary);
}

}  // namespace headway
