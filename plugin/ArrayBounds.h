//===- ArrayBounds.h - indices that may lie outside of their array --------===//
#ifndef CFUZZ_PLUGIN_ARRAYBOUNDS_H
#define CFUZZ_PLUGIN_ARRAYBOUNDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace cfuzz {

/// A comparison that decides whether an index lies outside of its array: Index >= Limit, or, if
/// IsBelow, Index < 0.
struct ArrayBound {
  const llvm::Value *Index; ///< before it is extended to the width of addresses
  llvm::Constant *Limit;    ///< of the same type
  bool Signed, IsBelow;
  /// Where the index is known and nothing, a check of a sanitizer say, has looked at it yet.
  llvm::Instruction *Before;
};

/// The bounds that Address can leave as far as its function tells. None for an index that its type,
/// its arithmetic or a comparison with a constant keeps within the array.
llvm::SmallVector<ArrayBound, 2> arrayBounds(llvm::GetElementPtrInst &Address);

} // namespace cfuzz

#endif
