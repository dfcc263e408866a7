//===- Comparisons.h - what an instruction compares -----------------------===//
#ifndef CFUZZ_PLUGIN_COMPARISONS_H
#define CFUZZ_PLUGIN_COMPARISONS_H

#include "TextFunctions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace cfuzz {

/// One comparison, before its site is written.
struct Comparison {
  cfz_site_kind Kind;
  unsigned Predicate; ///< set of cfz_relation
  unsigned Width;     ///< 128 where there are two sites
  bool Signed;
  const llvm::Value *A, *B; ///< null for SWITCH and text
  std::optional<TextFunction> Text;
  std::string Wanted; ///< text: what a is compared with, where the program does not have it
  llvm::Instruction *Before =
      nullptr;   ///< where the hook goes of what the program does not ask; or null
  int Lane = -1; ///< of A and B, if they are vectors; Width is that of one
};

/// What sanitizers and coverage have made.
inline bool isNoSanitize(const llvm::Instruction &I) { return I.getMetadata("nosanitize"); }

/// What V was before casts and freezes.
const llvm::Value *stripCasts(const llvm::Value *V);

/// Whether V is 0 or 1 made from an i1: the comparison it came from is the one to look at.
bool isTruth(const llvm::Value *V);

/// Whether I is a comparison or joins some to one condition.
bool isCondition(const llvm::Instruction &I);

/// The flag that alone decides Branch, if one does. *Negated: the other way round.
const llvm::Value *onlyFlag(const llvm::BranchInst &Branch, bool &Negated);

/// All that I compares.
llvm::SmallVector<Comparison, 2> comparisonsOf(llvm::Instruction &I);

/// Whether I asks for equality of long doubles, whose last bits are a comparison of their own.
bool comparesLastBits(const llvm::FCmpInst &I);

} // namespace cfuzz

#endif
