//===- KnownOutcomes.h - comparisons that nothing can change --------------===//
#ifndef CFUZZ_PLUGIN_KNOWNOUTCOMES_H
#define CFUZZ_PLUGIN_KNOWNOUTCOMES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <bitset>
#include <optional>

namespace cfuzz {

struct JoinWay;

/// What is known of one function, which stays as it is meanwhile, and of the bytes and other
/// numbers of few values in it.
class KnownOutcomes {
public:
  explicit KnownOutcomes(llvm::Function &F) : Tree(F), Loops(Tree) {}
  /// Whether Cmp has the same outcome whenever it is reached.
  bool isKnown(const llvm::ICmpInst &Cmp);
  /// Whether Cmp has the same outcomes whenever its loop runs: it looks in each of the rounds at how
  /// many there were, and their number is constant.
  bool countsRounds(const llvm::ICmpInst &Cmp) const;

private:
  static constexpr unsigned MostValues = 256;
  /// All the values that a base can have, each once; a subset is told by their places here.
  using Values = llvm::SmallVector<uint64_t, 16>;
  using Subset = std::bitset<MostValues>;
  /// The end of From, or where that goes on to To.
  struct Place {
    const llvm::BasicBlock *From, *To;
  };

  bool addValues(const llvm::Value *V, Place At, Values &All);
  bool addValuesByWay(const llvm::Value *V, const llvm::BasicBlock *Join, Values &All);
  bool addValuesOfBase(const llvm::Value *V, JoinWay By, const llvm::Value *Base, Place At,
                       Values &All);
  const std::optional<Values> &valuesOf(const llvm::Value *Base);
  Subset reaching(const llvm::Value *Base, const Values &All, const llvm::BasicBlock *B);
  Subset passing(const llvm::Value *Base, const Values &All, const llvm::BasicBlock *From,
                 const llvm::BasicBlock *To);
  Subset allows(const llvm::Value *Base, const Values &All, const llvm::Value *Condition,
                bool Outcome, unsigned Operators);

  llvm::DominatorTree Tree;
  llvm::LoopInfo Loops;
  llvm::DenseMap<const llvm::Value *, std::optional<Values>> Known;
  const std::optional<Values> None;
  unsigned Depth = 0; ///< of phis in phis
};

} // namespace cfuzz

#endif
