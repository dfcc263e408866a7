//===- Behind.h - how much of the program lies behind an outcome ----------===//
#ifndef CFUZZ_PLUGIN_BEHIND_H
#define CFUZZ_PLUGIN_BEHIND_H

#include "Sections.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace cfuzz {

/// Which functions are reached from one place of another function alone. Says so of the blocks of a
/// module as it was before there were copies.
class PrivateCallees {
public:
  explicit PrivateCallees(llvm::ArrayRef<Counters> All);

  /// How many counters are in functions that nothing but block number Block of F and what it
  /// dominates calls, counted at the lowest such block.
  uint64_t below(const llvm::Function &F, unsigned Block) const;

private:
  using Weights = llvm::DenseMap<unsigned, uint64_t>; ///< by number of the block
  llvm::DenseMap<const llvm::Function *, Weights> Below;
};

/// How many counters of one function, and of those it alone calls, can be reached by one way only.
class CountersBehind {
public:
  /// F has a counter in each block of Own, and is Original or its copy.
  CountersBehind(llvm::Function &F, const llvm::Function &Original,
                 const llvm::DenseMap<const llvm::BasicBlock *, uint64_t> &Own,
                 const PrivateCallees &Callees);

  /// Counters that are reached only after Terminator went on at its successor with this number.
  uint64_t successor(const llvm::Instruction &Terminator, unsigned Successor) const;

  /// What the cases of a switch go on to, in their order: cases with one Body share it.
  struct Case {
    uint64_t Count; ///< counters reached only by the case or by one of the same body
    unsigned Body;  ///< number of the successor, the first of those that share it
  };
  llvm::SmallVector<Case, 16> cases(const llvm::SwitchInst &Switch) const;

private:
  uint64_t dominatedBy(const llvm::BasicBlock *B) const { return Dominated.lookup(B); }

  llvm::DominatorTree Tree;
  llvm::DenseMap<const llvm::BasicBlock *, uint64_t> Dominated; ///< the block itself included
};

} // namespace cfuzz

#endif
