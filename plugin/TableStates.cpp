//===- TableStates.cpp - the states of automata whose moves are in tables --===//
//
// Scanners and parsers that a program made (flex, bison), decoders: a constant table says from the
// state and the next byte what the next state is. Nothing is compared on the way, and edges are the
// same for each byte, so that a keyword of such a scanner is found at once or never. A function
// tells which states it came to.
//
// Before:                             After:
//   %next = load i16, ptr %move         %next = load i16, ptr %move
//                                       %state = and i64 %next, 255
//                                       store i8 1, ptr @cfuzz.states[%state]
//
// A state is a number that is loaded from a constant table of integers, and from which, by way of a
// variable, the place is made where it is loaded next. The bytes are extra counters of libFuzzer's
// kind, which engines look at and clear. A permutation is no automaton: cyphers and sums have
// these.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cfuzz {
namespace {

constexpr const char ExtraCounters[] = "__libfuzzer_extra_counters";
enum { MostStates = 4096, FewestElements = 8, MostElements = 1 << 16, MostVisited = 256 };

/// Adds the integers of C. False if there is something else, or too much.
bool addElements(const Constant *C, SmallVectorImpl<uint64_t> &Elements) {
  if (const auto *Data = dyn_cast<ConstantDataArray>(C)) {
    if (!Data->getElementType()->isIntegerTy() ||
        Elements.size() + Data->getNumElements() > MostElements)
      return false;
    for (unsigned I = 0; I != Data->getNumElements(); ++I)
      Elements.push_back(Data->getElementAsInteger(I));
    return true;
  }
  if (const auto *Array = dyn_cast<ConstantArray>(C))
    return all_of(Array->operands(),
                  [&](const Use &Row) { return addElements(cast<Constant>(Row.get()), Elements); });
  if (isa<ConstantAggregateZero>(C) && C->getType()->isArrayTy()) {
    Elements.push_back(0); // one is as good as all
    return true;
  }
  return false;
}

const GlobalVariable *constantTable(const LoadInst &Load) {
  const auto *GV = dyn_cast<GlobalVariable>(getUnderlyingObject(Load.getPointerOperand()));
  return GV && GV != Load.getPointerOperand() && GV->isConstant() &&
                 GV->hasDefinitiveInitializer() && GV->getValueType()->isArrayTy()
             ? GV
             : nullptr;
}

/// How many states a table tells apart; 0 if it is none of an automaton.
uint64_t countStates(const GlobalVariable &Table) {
  SmallVector<uint64_t, 256> Elements;
  SmallSet<uint64_t, 32> Distinct;
  uint64_t Most = 0;
  if (!addElements(Table.getInitializer(), Elements) || Elements.size() < FewestElements)
    return 0;
  for (uint64_t E : Elements) {
    Most = std::max(Most, E);
    Distinct.insert(E);
    if (Most >= MostStates)
      return 0;
  }
  return Distinct.size() == Elements.size() || Distinct.size() < 3 ? 0 : Most + 1;
}

/// Whether what I makes tells what V, an operand of it, is.
bool passesOn(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::And:
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::GetElementPtr:
    return true;
  case Instruction::Load:
    return constantTable(cast<LoadInst>(I)) != nullptr;
  default:
    return isa<CastInst>(I);
  }
}

/// What may have in it what is in V: its users, and what is loaded from where it is stored.
SmallVector<const Instruction *, 8> heirs(const Value &V) {
  SmallVector<const Instruction *, 8> Result;
  for (const User *U : V.users()) {
    const auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getValueOperand() != &V) {
      if (const auto *I = dyn_cast<Instruction>(U))
        Result.push_back(I);
      continue;
    }
    for (const User *Other : Store->getPointerOperand()->users())
      if (const auto *Load = dyn_cast<LoadInst>(Other))
        Result.push_back(Load);
  }
  return Result;
}

/// The variables that V becomes as it is: phis, and loads of what it is stored to.
void findVariables(const Value &V, SmallVectorImpl<const Instruction *> &Found) {
  for (const Instruction *I : heirs(V)) {
    if (isa<CastInst>(I) || isa<FreezeInst>(I))
      findVariables(*I, Found);
    else if (isa<PHINode>(I) || (isa<LoadInst>(I) && !constantTable(cast<LoadInst>(*I))))
      Found.push_back(I);
  }
}

/// Whether there is a way from Found to a load for which Wanted holds, over no load of a table if
/// Directly.
bool leadsTo(SmallVector<const Instruction *, 32> Found, bool Directly,
             function_ref<bool(const LoadInst &)> Wanted) {
  SmallPtrSet<const Instruction *, 32> Visited;
  while (!Found.empty() && Visited.size() < MostVisited) {
    const Instruction *I = Found.pop_back_val();
    if (!Visited.insert(I).second)
      continue;
    for (const Instruction *Heir : heirs(*I)) {
      const auto *Load = dyn_cast<LoadInst>(Heir);
      if (Load && Wanted(*Load))
        return true;
      const bool IsStored = Load && Load->getPointerOperand() != I;
      if (IsStored || (passesOn(*Heir) && !(Load && Directly)))
        Found.push_back(Heir);
    }
  }
  return false;
}

/// Whether what Load loads is the way to where it is loaded next: as a variable, or, where a loop
/// was unrolled, directly to a place in the same table.
bool isState(const LoadInst &Load, const GlobalVariable &Table) {
  SmallVector<const Instruction *, 32> Variables;
  findVariables(Load, Variables);
  return leadsTo(Variables, false, [&](const LoadInst &Other) { return &Other == &Load; }) ||
         leadsTo({&Load}, true,
                 [&](const LoadInst &Other) { return constantTable(Other) == &Table; });
}

/// The bytes of the states of one table.
GlobalVariable *makeStates(Module &M, uint64_t States) {
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), PowerOf2Ceil(States));
  auto *Seen = new GlobalVariable(M, Ty, false, GlobalValue::PrivateLinkage,
                                  Constant::getNullValue(Ty), "cfuzz.states");
  Seen->setSection(ExtraCounters);
  Seen->setAlignment(Align(1));
  return Seen;
}

void tellState(LoadInst &Load, GlobalVariable *Seen) {
  Type *Ty = Seen->getValueType(), *I64 = Type::getInt64Ty(Load.getContext());
  IRBuilder<> B(Load.getNextNode());
  B.SetCurrentDebugLocation(Load.getDebugLoc());
  Value *State = B.CreateAnd(B.CreateZExtOrTrunc(&Load, I64), Ty->getArrayNumElements() - 1);
  Value *At = B.CreateInBoundsGEP(Ty, Seen, {ConstantInt::get(I64, 0), State});
  setNoSanitize(B.CreateStore(B.getInt8(1), At));
}

} // namespace

void tellTableStates(Module &M, ArrayRef<Counters> All) {
  DenseMap<const GlobalVariable *, uint64_t> Sizes; // in states
  DenseMap<const GlobalVariable *, GlobalVariable *> Told;
  for (const Counters &C : All) {
    SmallVector<std::pair<LoadInst *, const GlobalVariable *>, 4> Found;
    for (Instruction &I : instructions(*C.Fn)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      const GlobalVariable *Table =
          Load && Load->getType()->isIntegerTy() ? constantTable(*Load) : nullptr;
      if (!Table)
        continue;
      auto [Size, IsNew] = Sizes.try_emplace(Table, 0);
      if (IsNew)
        Size->second = countStates(*Table);
      if (Size->second != 0 && isState(*Load, *Table))
        Found.push_back({Load, Table});
    }
    for (auto &[Load, Table] : Found) {
      GlobalVariable *&Seen = Told[Table];
      if (!Seen)
        Seen = makeStates(M, Sizes[Table]);
      tellState(*Load, Seen);
    }
  }
}

} // namespace cfuzz
