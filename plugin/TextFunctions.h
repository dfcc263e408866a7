//===- TextFunctions.h - which functions compare text ---------------------===//
#ifndef CFUZZ_PLUGIN_TEXTFUNCTIONS_H
#define CFUZZ_PLUGIN_TEXTFUNCTIONS_H

#include "abi.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace cfuzz {

/// A function that compares text: of the C library, or one that the user named.
struct TextFunction {
  llvm::StringRef Name;
  cfz_site_kind Kind;
  /// What each parameter is: a and b point to text, n and m are sizes, c is a byte, - is something
  /// else; A and B point to a std::string of libstdc++ that is the text, which ends in NUL, S to
  /// one that is text and size. Of the user's functions, those behind the last one that matters are
  /// left out.
  std::string Params;
  /// Whether comparing the result with 0 tells the outcome.
  bool ZeroTells;
};

/// The text that a call of sscanf with a constant format wants of its first argument, or "".
std::string textOfScan(const llvm::Value *V);

/// What V calls if it is a call that compares text. A function of the C library's names that the
/// module defines is traced inside instead.
std::optional<TextFunction> textFunction(const llvm::Value *V);

/// What a call through a pointer compares if that points to a function of the C library: one for
/// each kind that its prototype allows.
llvm::ArrayRef<TextFunction> textBehindPointer(const llvm::Value *V);

} // namespace cfuzz

#endif
