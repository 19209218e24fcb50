// SPDX-License-Identifier: Apache-2.0
// 128-bit integers, for products of two 64-bit integers. They are an extension of gcc and clang and are named
// only here.
#pragma once

namespace headway {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

}  // namespace headway
