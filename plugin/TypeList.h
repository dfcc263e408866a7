//===- TypeList.h - the type list of a FUZZ_TEST, and where it was written ===//
//
// What a list says comes from the annotation, which survives preprocessing and
// precompiled headers. Where its words stand comes from the preprocessor, if
// it expanded the macro in this compilation: tokens only lend locations.
//
//===----------------------------------------------------------------------===//
#ifndef CFUZZ_PLUGIN_TYPELIST_H
#define CFUZZ_PLUGIN_TYPELIST_H

#include "abi.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/PPCallbacks.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cfuzz {

/// One word of a type list.
struct ListedType {
  std::string Word;              ///< as written: "[]byte", "size_t"; empty between two commas
  cfz_kind Kind = CFZ_KIND_NONE; ///< CFZ_KIND_NONE if the word is not a type of values
  clang::SourceLocation Begin;   ///< invalid when unknown
  clang::SourceLocation End;     ///< just after the word
};

/// Where the words of each expansion of FUZZ_TEST stand: pairs of begin and end, by the location
/// of the macro's name.
using TypeListLocations =
    std::map<clang::SourceLocation,
             std::vector<std::pair<clang::SourceLocation, clang::SourceLocation>>>;

/// Watches expansions of FUZZ_TEST and stores their locations into Into, which must outlive the
/// preprocessor.
std::unique_ptr<clang::PPCallbacks> recordTypeLists(TypeListLocations &Into);

/// Splits List ("[]byte, int") into its words; none for an empty list. Locations come from Into
/// when it has Expansion with as many words.
std::vector<ListedType> readTypeList(llvm::StringRef List, const TypeListLocations &Locations,
                                     clang::SourceLocation Expansion);

/// "[]byte, string, bool, byte, ..." for messages.
const char *acceptedTypes();

/// The accepted type that Word was probably meant to be, or null.
const char *similarType(llvm::StringRef Word);

} // namespace cfuzz

#endif
