//===- Outcomes.cpp - what stands behind the outcomes of comparisons ------===//
//
// A branch is tied to the comparison that alone decides it: the counters behind its two ways are
// those of the outcomes. A condition of several parts, "a && b", tells each part what needs it.
//
//===----------------------------------------------------------------------===//

#include "Outcomes.h"
#include "Comparisons.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>

using namespace llvm;

namespace cfuzz {

using OwnCounters = DenseMap<const BasicBlock *, uint64_t>;

/// The index of each block's own counter.
static OwnCounters ownCounters(const Function &F, const Counters &Counts) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  OwnCounters Own;
  for (const BasicBlock &B : F)
    for (const Instruction &I : B) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !isNoSanitize(I))
        continue;
      const Value *To = Store->getPointerOperand();
      APInt Offset(DL.getIndexTypeSizeInBits(To->getType()), 0);
      if (To->stripAndAccumulateConstantOffsets(DL, Offset, true) == Counts.Array) {
        Own[&B] = Offset.getZExtValue();
        break;
      }
    }
  return Own;
}

Outcomes::Outcomes(Function &F, const Counters &Counts, const PrivateCallees &Callees)
    : Own(ownCounters(F, Counts)), All(F, *Counts.Fn, Own, Callees) {
  for (const BasicBlock &B : F) {
    const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    tie(*Branch);
    bool Negated;
    if (onlyFlag(*Branch, Negated)) {
      Ties[Branch] = {Branch, Negated};
      for (bool Holds : {true, false})
        Needing[Branch][Holds] = All.successor(*Branch, Holds == Negated);
    }
    for (bool Holds : {true, false})
      need(Branch->getCondition(), Holds,
           {All.successor(*Branch, Holds ? 0 : 1),
            {Branch, Holds, behind(*Branch, Holds ? 0 : 1)},
            false},
           0);
  }
}

/// A vector of outcomes, all of which are *Outcome if I is Holds; or null.
static const Value *comparedAtOnce(const Instruction &I, bool Holds, bool *Outcome) {
  if (const auto *Reduce = dyn_cast<IntrinsicInst>(&I)) {
    *Outcome = Holds;
    return Reduce->getIntrinsicID() ==
                   (Holds ? Intrinsic::vector_reduce_and : Intrinsic::vector_reduce_or)
               ? Reduce->getArgOperand(0)
               : nullptr;
  }
  // The same as bits of a number, of which all are set, or none is: i4 %bits == -1, or != 0.
  const auto *Cmp = dyn_cast<ICmpInst>(&I);
  const auto *Bits = Cmp ? dyn_cast<BitCastInst>(Cmp->getOperand(0)) : nullptr;
  const auto *Number = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
  if (!Bits || !Number || !Cmp->isEquality() ||
      (Cmp->getPredicate() == CmpInst::ICMP_EQ) != Holds || !Bits->getSrcTy()->isVectorTy() ||
      !Bits->getSrcTy()->getScalarType()->isIntegerTy(1))
    return nullptr;
  *Outcome = Number->isMinusOne();
  return *Outcome || Number->isZero() ? Bits->getOperand(0) : nullptr;
}

/// Notes what For says for each comparison that must have had an outcome where Condition is Holds:
/// for "a && b" that are both a and b, which are parts then.
void Outcomes::need(const Value *Condition, bool Holds, const Need &For, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(Condition);
  if (!I || (For.Count == 0 && For.returns()) || Depth == 8)
    return;
  const Need Part{For.Count, For.Of, true};
  if (isa<FreezeInst>(I)) {
    need(I->getOperand(0), Holds, For, Depth + 1);
    return;
  }
  const auto *Last = dyn_cast<Constant>(I->getOperand(I->getNumOperands() - 1));
  if (I->getOpcode() == Instruction::Xor && Last && Last->isOneValue()) {
    need(I->getOperand(0), !Holds, For, Depth + 1);
    return;
  }
  // Also as selects: a ? b : false, a ? true : b.
  if (I->getOpcode() == (Holds ? Instruction::And : Instruction::Or)) {
    need(I->getOperand(0), Holds, Part, Depth + 1);
    need(I->getOperand(1), Holds, Part, Depth + 1);
    return;
  }
  if (isa<SelectInst>(I)) {
    const auto *Fixed = dyn_cast<ConstantInt>(I->getOperand(Holds ? 2 : 1));
    if (Fixed && Fixed->isOne() != Holds) {
      need(I->getOperand(0), Holds, Part, Depth + 1);
      need(I->getOperand(Holds ? 1 : 2), Holds, Part, Depth + 1);
    }
    return;
  }
  // "a && b" where b was compared somewhere before, on the way on which it may be: b, or false.
  if (const auto *Phi = dyn_cast<PHINode>(I)) {
    const Value *Only = nullptr;
    for (const Value *V : Phi->incoming_values()) {
      const auto *Fixed = dyn_cast<ConstantInt>(V);
      if (Fixed ? Fixed->isOne() == Holds : Only && Only != V)
        return;
      if (!Fixed)
        Only = V;
    }
    if (Only)
      need(Only, Holds, Part, Depth + 1);
    return;
  }
  const auto *Cmp = dyn_cast<ICmpInst>(I);
  bool Outcome;
  if (const Value *All = comparedAtOnce(*I, Holds, &Outcome)) {
    need(All, Outcome, Part, Depth + 1);
    return;
  }
  if (Cmp && Cmp->isEquality() && Last && Last->isNullValue()) {
    const Value *Left = Cmp->getOperand(0);
    bool Zero = (Cmp->getPredicate() == CmpInst::ICMP_EQ) == Holds;
    if (isTruth(Left)) { // -O0
      need(cast<CastInst>(Left)->getOperand(0), !Zero, For, Depth + 1);
      return;
    }
    if (Zero)
      needNoDifference(Left, For, 0);
    if (const auto Text = textFunction(stripCasts(Left))) {
      if (!Text->ZeroTells)
        return;
      I = cast<Instruction>(stripCasts(Left));
      Holds = Text->Kind >= CFZ_SITE_FIND ? !Zero : Zero; // 0 is "not found"
    }
  }
  note(*I, Holds, For);
}

/// Notes what For says of one comparison, which must have had that outcome.
void Outcomes::note(const Instruction &Compared, bool Outcome, const Need &For) {
  uint64_t &Most = Needing.try_emplace(&Compared).first->second[Outcome];
  if (For.IsPart && (For.Of.Counter || !For.returns()) && For.Count >= Most)
    Joined.try_emplace(&Compared).first->second[Outcome] = For.Of;
  Most = std::max(Most, For.Count);
}

/// The same for all whose difference goes into Collected, which has to be 0: a number, or a local
/// variable that it was loaded from.
void Outcomes::needNoDifference(const Value *Collected, const Need &For, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(Collected);
  const auto *Reduce = dyn_cast_or_null<IntrinsicInst>(I);
  if (!I || Depth == 32)
    return;
  if (I->getOpcode() == Instruction::Xor && Depth > 0) {
    note(*I, true, {For.Count, For.Of, true});
  } else if (I->getOpcode() == Instruction::Or) {
    needNoDifference(I->getOperand(0), For, Depth + 1);
    needNoDifference(I->getOperand(1), For, Depth + 1);
  } else if (isa<ZExtInst>(I) || isa<FreezeInst>(I) || isa<TruncInst>(I)) {
    needNoDifference(I->getOperand(0), For, Depth);
  } else if (const auto *Load = dyn_cast<LoadInst>(I); Load && Depth == 0) {
    const auto *Variable = dyn_cast<AllocaInst>(Load->getPointerOperand());
    if (Variable)
      for (const User *U : Variable->users())
        if (const auto *Store = dyn_cast<StoreInst>(U))
          needNoDifference(Store->getValueOperand(), For, 1);
  } else if (Reduce && Reduce->getIntrinsicID() == Intrinsic::vector_reduce_or) {
    needNoDifference(Reduce->getArgOperand(0), For, Depth + 1);
  }
}

/// The block that runs exactly once for each time that Call returns, or null.
static const BasicBlock *blockBehind(const CallBase &Call) {
  const auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getParent();
  const BasicBlock *B = Invoke->getNormalDest();
  return B->getSinglePredecessor() ? B : nullptr;
}

/// Looks for what decides Branch, in its own block: elsewhere it may run more often than Branch.
void Outcomes::tie(const BranchInst &Branch) {
  const Value *Condition = Branch.getCondition();
  unsigned True = 0;
  for (;;) {
    const auto *I = dyn_cast<Instruction>(Condition);
    if (!I || I->getParent() != Branch.getParent())
      return;
    if (isa<FreezeInst>(I)) {
      Condition = I->getOperand(0);
      continue;
    }
    if (I->getOpcode() == Instruction::Xor && isa<ConstantInt>(I->getOperand(1)) &&
        cast<ConstantInt>(I->getOperand(1))->isOne()) {
      Condition = I->getOperand(0);
      True ^= 1;
      continue;
    }
    const auto *Cmp = dyn_cast<ICmpInst>(I);
    const auto *Zero = Cmp ? dyn_cast<Constant>(Cmp->getOperand(1)) : nullptr;
    if (Zero && Zero->isNullValue() && Cmp->isEquality()) {
      const Value *Left = Cmp->getOperand(0);
      bool Equal = Cmp->getPredicate() == CmpInst::ICMP_EQ;
      if (isTruth(Left)) { // -O0
        Condition = cast<CastInst>(Left)->getOperand(0);
        True ^= Equal;
        continue;
      }
      const Value *Result = stripCasts(Left);
      if (auto Text = textFunction(Result)) {
        const auto *Call = cast<CallBase>(Result);
        if (!Text->ZeroTells || blockBehind(*Call) != Branch.getParent())
          return;
        bool Found = Text->Kind >= CFZ_SITE_FIND; // 0 is "not found"
        Ties[Call] = {&Branch, True ^ (Found ? Equal : !Equal)};
        return;
      }
    }
    Ties[I] = {&Branch, True};
    return;
  }
}

std::optional<uint64_t> Outcomes::behind(const Instruction &Terminator, unsigned Successor) const {
  const BasicBlock *B = Terminator.getSuccessor(Successor);
  // A block without a counter of its own is as good as the only one behind it, if it always goes
  // on there.
  for (unsigned Steps = 0; Steps != 8 && B->getSinglePredecessor(); ++Steps) {
    auto Found = Own.find(B);
    if (Found != Own.end())
      return Found->second;
    const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
    if (!Branch || Branch->isConditional() || !isGuaranteedToTransferExecutionToSuccessor(B))
      break;
    B = Branch->getSuccessor(0);
  }
  return std::nullopt;
}

} // namespace cfuzz
