// SPDX-License-Identifier: Apache-2.0
// 128-bit integers, for products of two 64-bit ones. An extension of gcc and clang, named here once.
#pragma once

namespace headway {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

}  // namespace headway
