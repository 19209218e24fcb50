// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/booksim_routings.h"

namespace headway::imports {
namespace {

constexpr std::string_view kValiant =
    "draws any switch as waypoint; the lanes of the two halves of a path are Headway's";
constexpr std::string_view kUgal = "compares the queues of the two paths by Headway's rule";
constexpr std::string_view kEscapes = "escapes by dimension order in lanes of their own";
constexpr BooksimRouting kBooksimRoutings[] = {
    {"mesh", "dor", "dor", 1},
    {"mesh", "dim_order", "dor", 1},
    {"mesh", "dim_order_ni", "dor", 1, "BookSim divides the VCs by destination"},
    {"mesh", "dim_order_pni", "dor", 1, "BookSim divides the VCs by destination"},
    {"mesh", "valiant", "valiant", 2, kValiant},
    {"mesh", "min_adapt", "adaptive", 2, kEscapes},
    {"torus", "dim_order", "dor", 2},
    {"torus", "dim_order_ni", "dor", 2, "BookSim divides the VCs by destination"},
    {"torus", "dim_order_bal", "dor", 2, "BookSim balances the two halves of the VCs"},
    {"torus", "valiant", "valiant", 4, kValiant},
    {"torus", "valiant_ni", "valiant", 4, kValiant},
    {"torus", "min_adapt", "adaptive", 3, kEscapes},
    {"cmesh", "dor_no_express", "dor", 1},
    {"fly", "dest_tag", "det", 1},
    {"flatfly", "ran_min", "dor", 1},
    {"flatfly", "valiant", "valiant", 2, kValiant},
    {"flatfly", "ugal", "ugal", 2, kUgal},
    {"flatfly", "ugal_pni", "ugal", 2, kUgal},
    {"dragonflynew", "min", "minimal", 2},
    {"dragonflynew", "ugal", "ugal", 3, kUgal},
    {"fattree", "nca", "random-up", 1},
    {"anynet", "min", "ecmp", 1, "BookSim has one shortest path for a pair, here a hash chooses one"},
    {"fattree", "anca", "adaptive", 1, "BookSim compares two random up ports"},
};

}  // namespace

std::span<const BooksimRouting> booksim_routings() { return kBooksimRoutings; }

}  // namespace headway::imports
