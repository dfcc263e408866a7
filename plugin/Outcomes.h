//===- Outcomes.h - what stands behind the outcomes of comparisons --------===//
#ifndef CFUZZ_PLUGIN_OUTCOMES_H
#define CFUZZ_PLUGIN_OUTCOMES_H

#include "Behind.h"
#include "Sections.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <array>
#include <optional>

namespace cfuzz {

/// Which counters stand behind the outcomes of comparisons in one function.
class Outcomes {
public:
  Outcomes(llvm::Function &F, const Counters &Counts, const PrivateCallees &Callees);

  /// Index of the counter that counts exactly the executions in which the successor of Terminator
  /// with this number follows it.
  std::optional<uint64_t> behind(const llvm::Instruction &Terminator, unsigned Successor) const;

  /// The branch that Compared alone decides, and its successor for "holds", "equal" or "found".
  struct Tie {
    const llvm::BranchInst *Branch;
    unsigned True;
  };
  std::optional<Tie> tieOf(const llvm::Instruction &Compared) const {
    auto Found = Ties.find(&Compared);
    return Found == Ties.end() ? std::nullopt : std::optional<Tie>(Found->second);
  }

  /// How many counters no execution reaches in which Compared never has the outcome.
  uint64_t countNeeding(const llvm::Instruction &Compared, bool Outcome) const {
    return Needing.lookup(&Compared)[Outcome];
  }

  /// What a branch asks for, one of whose parts an outcome is.
  struct Condition {
    const llvm::BranchInst *Branch = nullptr;
    bool Holds = false;
    std::optional<uint64_t> Counter; ///< directly behind it; what never returns has none
  };

  /// Of the conditions of which the outcome is a part that with most behind it; null if it is part
  /// of none.
  const Condition *joined(const llvm::Value &Compared, bool Outcome) const {
    auto Found = Joined.find(&Compared);
    if (Found == Joined.end() || !Found->second[Outcome].Branch)
      return nullptr;
    return &Found->second[Outcome];
  }
  llvm::SmallVector<CountersBehind::Case, 16> casesOf(const llvm::SwitchInst &Switch) const {
    return All.cases(Switch);
  }
  uint64_t countBehind(const llvm::Instruction &Terminator, unsigned Successor) const {
    return All.successor(Terminator, Successor);
  }

private:
  void tie(const llvm::BranchInst &Branch);
  struct Need {
    uint64_t Count; ///< counters behind the condition
    Condition Of;
    bool IsPart; ///< what is looked at is not all of the condition
    /// Whether the program goes on behind the condition.
    bool returns() const {
      const llvm::BasicBlock *Next = Of.Branch->getSuccessor(Of.Holds ? 0 : 1);
      return !llvm::isa<llvm::UnreachableInst>(Next->getTerminator());
    }
  };
  void need(const llvm::Value *Condition, bool Holds, const Need &For, unsigned Depth);
  void needNoDifference(const llvm::Value *Collected, const Need &For, unsigned Depth);
  void note(const llvm::Instruction &Compared, bool Outcome, const Need &For);

  llvm::DenseMap<const llvm::BasicBlock *, uint64_t> Own; ///< the index of a block's own counter
  CountersBehind All;
  llvm::DenseMap<const llvm::Instruction *, Tie> Ties;
  llvm::DenseMap<const llvm::Instruction *, std::array<uint64_t, 2>> Needing; ///< by outcome
  llvm::DenseMap<const llvm::Value *, std::array<Condition, 2>> Joined;       ///< by outcome
};

} // namespace cfuzz

#endif
