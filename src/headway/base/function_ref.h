// SPDX-License-Identifier: Apache-2.0
// A function that somebody else keeps, as an argument of a function that is compiled once: one indirect call,
// and no allocation. A template would be compiled again for every lambda.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace headway {

template <class Signature>
class FunctionRef;

template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  // The function must live as long as this.
  template <class Function>
    requires(!std::is_same_v<std::remove_cvref_t<Function>, FunctionRef> &&
             std::is_invocable_r_v<R, Function&, Args...>)
  FunctionRef(Function&& function)  // as a lambda is passed
      : function_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* it, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<Function>*>(it))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(function_, std::forward<Args>(args)...); }

 private:
  void* function_;
  R (*call_)(void*, Args...);
};

}  // namespace headway
