//===- ProgramStrings.h - strings of the program, as words ----------------===//
#ifndef CFUZZ_PLUGIN_PROGRAM_STRINGS_H
#define CFUZZ_PLUGIN_PROGRAM_STRINGS_H

#include "llvm/IR/Module.h"

namespace cfuzz {

/// Puts the short strings of M's data that may be words of its inputs into the section
/// CFZ_SECTION_STRINGS, and has a constructor announce it.
void listStrings(llvm::Module &M);

} // namespace cfuzz

#endif
