//===- NeverReturns.h - which functions never return ----------------------===//
#ifndef CFUZZ_PLUGIN_NEVER_RETURNS_H
#define CFUZZ_PLUGIN_NEVER_RETURNS_H

#include "llvm/IR/Module.h"

namespace cfuzz {

/// Puts the names of M's functions that never return into the section CFZ_SECTION_NORETURN, and
/// keeps calls of such functions from being merged.
void listNeverReturning(llvm::Module &M);

} // namespace cfuzz

#endif
