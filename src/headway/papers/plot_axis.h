// SPDX-License-Identifier: Apache-2.0
// The axes of a user's own figure: ranges that suit the values.
#pragma once

#include <optional>
#include <span>

#include "headway/papers/paper.h"

namespace headway {

// The y axis follows the points that are known to be steady, because the others depend on the length of the
// run: arrows show where curves leave it. It is logarithmic if asked for, or if the values span more than 20
// times. `largest`: the upper end of the lowest panel, if the user names it.
void fit_y(FigureSpec& figure, std::span<const Curve> curves, bool logarithmic,
           std::optional<double> largest);

// The x axis is logarithmic if it has times, bytes or slowdowns that span more than 20 times.
void fit_x(FigureSpec& figure, std::span<const Curve> curves);

}  // namespace headway
