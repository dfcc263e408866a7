//===- KnownOutcomes.cpp - comparisons that nothing can change ------------===//
//
//   int c = digit(*p);             // inlined: '0' <= *p && *p <= '9' ? *p - '0' : -1
//   if (c < 0) return -1;          // reached with 0 to 9 only: the way with -1 returns at once
//
// Optimisers send each way through such a helper to where it ends, and keep a comparison that all
// ways left decide alike: they know ranges of the values that a branch compares, not of others that
// are computed from the same byte. Nobody can meet it, and a search cannot see why. Here each value
// that a byte can have is followed along the branches that it decides, so what is found is so.
//
//   for (int i = 0; i < 512; i++) sum += i >= 148 && i < 156 ? ' ' : p[i];
//
// These have both outcomes, but the same ones whenever the loop runs.
//
//===----------------------------------------------------------------------===//

#include "KnownOutcomes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cfuzz {

/// The way from a block into one of phis, each of which is then the value that it has from there.
struct JoinWay {
  const BasicBlock *Join;
  const BasicBlock *From;
  const Value *through(const Value *V) const {
    const auto *Phi = dyn_cast<PHINode>(V);
    return Join && Phi && Phi->getParent() == Join ? Phi->getIncomingValueForBlock(From) : nullptr;
  }
};

namespace {

/// Operators between a base and what is computed from it, phis in each other, and blocks between
/// where a base is known and where it is compared.
enum { MostOperators = 8, MostPhis = 4, MostBlocks = 48 };

unsigned widthOf(const Value *V) {
  return V->getType()->isIntegerTy() ? V->getType()->getIntegerBitWidth() : 0;
}

uint64_t cut(uint64_t N, unsigned Width) { return N & maskTrailingOnes<uint64_t>(Width); }

bool isEvaluated(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ICmp:
  case Instruction::Select:
    return widthOf(&I) <= 64 &&
           all_of(I.operands(), [](const Use &U) { return widthOf(U) - 1 < 64; });
  default:
    return false;
  }
}

/// What V masks leaves few values.
const ConstantInt *smallMask(const Value *V) {
  const auto *I = dyn_cast<BinaryOperator>(V);
  const auto *Mask =
      I && I->getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
  return Mask && Mask->getValue().ult(256) ? Mask : nullptr;
}

constexpr JoinWay NoWay{nullptr, nullptr};

/// The one value of few values that V is computed from, perhaps V itself; a constant if there is
/// none, and null if there are several or they are of many values.
const Value *baseOf(const Value *V, JoinWay By = NoWay, unsigned Operators = 0) {
  if (isa<ConstantInt>(V))
    return V;
  if (const Value *Before = By.through(V))
    return baseOf(Before, NoWay, Operators);
  const auto *I = dyn_cast<Instruction>(V);
  if (I && Operators < MostOperators && isEvaluated(*I)) {
    const Value *Only = nullptr, *Last = nullptr;
    bool Several = false;
    for (const Value *Operand : I->operands()) {
      Last = baseOf(Operand, By, Operators + 1);
      Several |= !Last || (Only && !isa<ConstantInt>(Last) && Last != Only);
      if (Last && !isa<ConstantInt>(Last))
        Only = Last;
    }
    if (!Several)
      return Only ? Only : Last;
    if (By.Join)
      return nullptr;
  }
  unsigned Width = widthOf(V);
  return Width - 1 < 8 || (isa<PHINode>(V) && Width - 1 < 64) || smallMask(V) ? V : nullptr;
}

/// Adds the blocks of the phis that V is computed from.
void findJoins(const Value *V, SmallVectorImpl<const BasicBlock *> &Joins, unsigned Operators = 0) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return;
  if (isa<PHINode>(I)) {
    if (!is_contained(Joins, I->getParent()))
      Joins.push_back(I->getParent());
  } else if (Operators < MostOperators && isEvaluated(*I)) {
    for (const Value *Operand : I->operands())
      findJoins(Operand, Joins, Operators + 1);
  }
}

/// V where Base is N. A shift by too much has no value in C either.
uint64_t evaluate(const Value *V, const Value *Base, uint64_t N, JoinWay By = NoWay) {
  if (const Value *Before = By.through(V))
    return evaluate(Before, Base, N);
  if (V == Base)
    return N;
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getZExtValue();
  const auto *I = cast<Instruction>(V);
  auto Operand = [&](unsigned At) { return evaluate(I->getOperand(At), Base, N, By); };
  unsigned Width = widthOf(V);
  uint64_t A = Operand(0);
  switch (I->getOpcode()) {
  case Instruction::SExt:
    return cut(SignExtend64(A, widthOf(I->getOperand(0))), Width);
  case Instruction::Add:
    return cut(A + Operand(1), Width);
  case Instruction::Sub:
    return cut(A - Operand(1), Width);
  case Instruction::Mul:
    return cut(A * Operand(1), Width);
  case Instruction::And:
    return A & Operand(1);
  case Instruction::Or:
    return A | Operand(1);
  case Instruction::Xor:
    return A ^ Operand(1);
  case Instruction::Shl:
    return cut(A << (Operand(1) & 63), Width);
  case Instruction::LShr:
    return A >> (Operand(1) & 63);
  case Instruction::AShr:
    return cut(SignExtend64(A, Width) >> (Operand(1) & 63), Width);
  case Instruction::ICmp:
    Width = widthOf(I->getOperand(0));
    return ICmpInst::compare(APInt(Width, A), APInt(Width, Operand(1)),
                             cast<ICmpInst>(I)->getPredicate());
  case Instruction::Select:
    return Operand(A ? 1 : 2);
  default: // ZExt, Trunc, Freeze
    return cut(A, Width);
  }
}

} // namespace

bool KnownOutcomes::isKnown(const ICmpInst &Cmp) {
  Values All;
  return !isa<Constant>(Cmp.getOperand(0)) && addValues(&Cmp, {Cmp.getParent(), nullptr}, All) &&
         All.size() <= 1;
}

bool KnownOutcomes::countsRounds(const ICmpInst &Cmp) const {
  const auto *Round = dyn_cast_or_null<PHINode>(baseOf(&Cmp));
  const Loop *L = Round ? Loops.getLoopFor(Round->getParent()) : nullptr;
  const BasicBlock *Latch = L ? L->getLoopLatch() : nullptr;
  if (!Latch || L->getHeader() != Round->getParent() || Round->getNumIncomingValues() != 2)
    return false;
  auto AsksForRounds = [&](const BasicBlock *B) {
    const auto *End = dyn_cast<BranchInst>(B->getTerminator());
    return End && End->isConditional() && baseOf(End->getCondition()) == Round;
  };
  // In each round, or in those that comparisons of this kind choose.
  const BasicBlock *B = Cmp.getParent();
  while (B && !Tree.dominates(B, Latch)) {
    B = B->getSinglePredecessor();
    if (B && !AsksForRounds(B) && !B->getSingleSuccessor())
      return false;
  }
  // What longjmp or an exception may leave has as many rounds as the input says.
  auto MayLeave = [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && !(Call->doesNotThrow() && Call->hasFnAttr(Attribute::WillReturn));
    });
  };
  SmallVector<BasicBlock *, 4> Ends;
  L->getExitingBlocks(Ends);
  unsigned Next = Round->getIncomingBlock(1) == Latch;
  return B && !Ends.empty() && none_of(L->blocks(), MayLeave) &&
         all_of(Ends,
                [&](const BasicBlock *End) {
                  return Tree.dominates(End, Latch) && AsksForRounds(End);
                }) &&
         isa<ConstantInt>(Round->getIncomingValue(1 - Next)) &&
         baseOf(Round->getIncomingValue(Next)) == Round;
}

/// Adds what V can be at a place; false where that is too much, or not known.
bool KnownOutcomes::addValues(const Value *V, Place At, Values &All) {
  const Value *Base = baseOf(V);
  if (Base && Base != V)
    return addValuesOfBase(V, NoWay, Base, At, All);
  SmallVector<const BasicBlock *, 4> Joins;
  findJoins(V, Joins);
  for (const BasicBlock *Join : Joins) {
    Values Here = All;
    if (!isa<PHINode>(V) && addValuesByWay(V, Join, Here)) {
      All = std::move(Here);
      return true;
    }
  }
  return Base && addValuesOfBase(V, NoWay, Base, At, All);
}

/// The same, for each way into Join alone: what V is computed from besides phis of Join has to be
/// known before it, so that it is still the same where V is.
bool KnownOutcomes::addValuesByWay(const Value *V, const BasicBlock *Join, Values &All) {
  for (const BasicBlock *From : predecessors(Join)) {
    JoinWay By{Join, From};
    const Value *Base = baseOf(V, By);
    const auto *I = dyn_cast_or_null<Instruction>(Base);
    if (!Base || (I && !Tree.properlyDominates(I->getParent(), Join)) ||
        !addValuesOfBase(V, By, Base, {From, Join}, All))
      return false;
  }
  return true;
}

bool KnownOutcomes::addValuesOfBase(const Value *V, JoinWay By, const Value *Base, Place At,
                                    Values &All) {
  auto Add = [&](uint64_t N) {
    if (!is_contained(All, N))
      All.push_back(N);
    return All.size() <= MostValues;
  };
  if (isa<ConstantInt>(Base))
    return Add(evaluate(V, nullptr, 0, By));
  const std::optional<Values> &Found = valuesOf(Base);
  if (!Found)
    return false;
  Values Of = *Found; // the table may grow
  Subset Here = reaching(Base, Of, At.From);
  if (At.To)
    Here &= passing(Base, Of, At.From, At.To);
  for (unsigned I = 0; I != Of.size(); ++I)
    if (Here[I] && !Add(evaluate(V, Base, Of[I], By)))
      return false;
  return true;
}

/// The values of a base, or none where they are too many.
const std::optional<KnownOutcomes::Values> &KnownOutcomes::valuesOf(const Value *Base) {
  auto Found = Known.find(Base);
  if (Found != Known.end())
    return Found->second;
  const auto *Phi = dyn_cast<PHINode>(Base);
  std::optional<Values> Result;
  if (Phi && Depth < MostPhis) {
    Known[Base] = std::nullopt; // where it comes from itself
    Values All;
    ++Depth;
    bool Few = true;
    for (unsigned I = 0; Few && I != Phi->getNumIncomingValues(); ++I)
      Few = addValues(Phi->getIncomingValue(I), {Phi->getIncomingBlock(I), Phi->getParent()}, All);
    --Depth;
    if (Few)
      Result = std::move(All);
  }
  unsigned Width = widthOf(Base);
  const ConstantInt *Mask = smallMask(Base);
  if (!Result && (Width <= 8 || Mask)) {
    Result.emplace();
    for (uint64_t N = 0; N != (Mask ? Mask->getZExtValue() + 1 : uint64_t(1) << Width); ++N)
      Result->push_back(N);
  }
  if (!Result && Depth > 0) {
    Known.erase(Base); // perhaps for a reason of where it was asked from
    return None;
  }
  return Known[Base] = std::move(Result);
}

/// The values that Base can have where B begins, or, in its own block, behind Base.
KnownOutcomes::Subset KnownOutcomes::reaching(const Value *Base, const Values &All,
                                              const BasicBlock *B) {
  Subset Every;
  for (unsigned I = 0; I != All.size(); ++I)
    Every.set(I);
  const auto *I = dyn_cast<Instruction>(Base);
  const BasicBlock *Begin = I ? I->getParent() : &B->getParent()->getEntryBlock();
  if (B == Begin)
    return Every;
  SmallVector<const BasicBlock *, 16> Between{B};
  for (unsigned At = 0; At != Between.size(); ++At)
    for (const BasicBlock *P : predecessors(Between[At]))
      if (P != Begin && !is_contained(Between, P)) {
        if (Between.size() == MostBlocks)
          return Every;
        Between.push_back(P);
      }
  DenseMap<const BasicBlock *, Subset> At;
  At[Begin] = Every;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *To : reverse(Between)) {
      Subset Now = At[To];
      Subset Next = Now;
      for (const BasicBlock *P : predecessors(To))
        Next |= At[P] & passing(Base, All, P, To);
      Changed |= Next != Now;
      At[To] = Next;
    }
  }
  return At[B];
}

/// The values with which the end of From goes on to To.
KnownOutcomes::Subset KnownOutcomes::passing(const Value *Base, const Values &All,
                                             const BasicBlock *From, const BasicBlock *To) {
  const Instruction *End = From->getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(End))
    if (Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1))
      return allows(Base, All, Branch->getCondition(), Branch->getSuccessor(0) == To, 0);
  Subset Result;
  const auto *Switch = dyn_cast<SwitchInst>(End);
  if (!Switch || baseOf(Switch->getCondition()) != Base)
    return Result.set();
  unsigned Width = widthOf(Switch->getCondition());
  for (unsigned I = 0; I != All.size(); ++I) {
    uint64_t N = evaluate(Switch->getCondition(), Base, All[I]);
    const BasicBlock *Goes = Switch->getDefaultDest();
    for (const auto &Case : Switch->cases())
      if (cut(Case.getCaseValue()->getZExtValue(), Width) == N)
        Goes = Case.getCaseSuccessor();
    Result[I] = Goes == To;
  }
  return Result;
}

/// The values with which Condition can have that outcome.
KnownOutcomes::Subset KnownOutcomes::allows(const Value *Base, const Values &All,
                                            const Value *Condition, bool Outcome, unsigned Depth) {
  Subset Result;
  if (baseOf(Condition) == Base) {
    for (unsigned I = 0; I != All.size(); ++I)
      Result[I] = (evaluate(Condition, Base, All[I]) != 0) == Outcome;
    return Result;
  }
  const auto *I = dyn_cast<Instruction>(Condition);
  if (!I || Depth == MostOperators)
    return Result.set();
  auto Side = [&](unsigned At, bool Wanted) {
    return allows(Base, All, I->getOperand(At), Wanted, Depth + 1);
  };
  auto IsConstant = [&](unsigned At, bool Wanted) {
    const auto *C = dyn_cast<ConstantInt>(I->getOperand(At));
    return C && C->isOne() == Wanted;
  };
  bool And = I->getOpcode() == Instruction::And, Or = I->getOpcode() == Instruction::Or;
  unsigned Other = 1;
  if (isa<SelectInst>(I)) { // a && b is select a, b, false; a || b is select a, true, b
    And = IsConstant(2, false);
    Or = !And && IsConstant(1, true);
    Other = And ? 1 : 2;
  }
  if (!And && !Or)
    return Result.set();
  return And == Outcome ? Side(0, Outcome) & Side(Other, Outcome)
                        : Side(0, Outcome) | Side(Other, Outcome);
}

} // namespace cfuzz
