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
// A state is a number that is loaded from a constant table of integers, and from which, together
// with something else, by way of a variable, the place is made where it is loaded next. The
// variable may be a field of a struct: Lemon's parsers have the states on a stack. The bytes are
// extra counters of libFuzzer's kind, which engines look at and clear; of parsers, which move by
// words and not by bytes, the runtime is told where they are (abi.h). A permutation is no
// automaton: cyphers and sums have these.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"
#include "abi.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <optional>

using namespace llvm;

namespace cfuzz {
namespace {

constexpr const char ExtraCounters[] = "__libfuzzer_extra_counters";
enum {
  MostStates = 4096,
  FewestElements = 8,
  MostElements = 1 << 16,
  MostVisited = 1024,
  MostTables = 4 // that one load may be of
};

using Tables = SmallVector<const GlobalVariable *, 2>;

/// Adds the integers of C, all of one width. False if there is something else, or too much.
bool addElements(const Constant *C, unsigned &Width, SmallVectorImpl<uint64_t> &Elements) {
  if (Elements.size() >= MostElements)
    return false;
  if (const auto *Data = dyn_cast<ConstantDataArray>(C)) {
    for (unsigned I = 0; I != Data->getNumElements(); ++I)
      if (!addElements(Data->getElementAsConstant(I), Width, Elements))
        return false;
    return true;
  }
  // Where many elements are zero, clang makes a struct of an array: some numbers, and zeros.
  if (isa<ConstantArray>(C) || isa<ConstantStruct>(C))
    return all_of(C->operands(), [&](const Use &Part) {
      return addElements(cast<Constant>(Part.get()), Width, Elements);
    });
  if (isa<ConstantAggregateZero>(C)) {
    Elements.push_back(0); // one is as good as all
    return true;
  }
  const auto *Number = dyn_cast<ConstantInt>(C);
  if (!Number || Number->getBitWidth() > 64 || (Width != 0 && Width != Number->getBitWidth()))
    return false;
  Width = Number->getBitWidth();
  Elements.push_back(Number->getZExtValue());
  return true;
}

/// The constant tables of which a load takes an element; none if it may be of something else.
Tables constantTables(const LoadInst &Load) {
  Tables Found;
  SmallVector<const Value *, 4> Pointers = {Load.getPointerOperand()};
  SmallPtrSet<const Value *, 8> Visited;
  while (!Pointers.empty()) {
    const Value *Pointer = Pointers.pop_back_val(), *Object = getUnderlyingObject(Pointer);
    if (!Visited.insert(Object).second)
      continue;
    if (const auto *Phi = dyn_cast<PHINode>(Object)) {
      append_range(Pointers, Phi->incoming_values());
    } else if (const auto *Select = dyn_cast<SelectInst>(Object)) {
      Pointers.append({Select->getTrueValue(), Select->getFalseValue()});
    } else {
      const auto *GV = dyn_cast<GlobalVariable>(Object);
      if (!GV || GV == Pointer || !GV->isConstant() || !GV->hasDefinitiveInitializer() ||
          !GV->getValueType()->isAggregateType() || Found.size() == MostTables)
        return {};
      Found.push_back(GV);
    }
  }
  return Found;
}

/// How many states a table tells apart; 0 if it is none of an automaton.
uint64_t countStates(const GlobalVariable &Table) {
  SmallVector<uint64_t, 256> Elements;
  SmallSet<uint64_t, 32> Distinct;
  uint64_t Most = 0;
  unsigned Width = 0;
  if (!addElements(Table.getInitializer(), Width, Elements) || Elements.size() < FewestElements)
    return 0;
  for (uint64_t E : Elements) {
    Most = std::max(Most, E);
    Distinct.insert(E);
    if (Most >= MostStates)
      return 0;
  }
  return Distinct.size() == Elements.size() || Distinct.size() < 3 ? 0 : Most + 1;
}

/// Whether what I makes tells what an operand of it is.
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
    return !constantTables(cast<LoadInst>(I)).empty();
  default:
    return isa<CastInst>(I);
  }
}

/// Whether I makes something of V together with another variable.
bool joins(const Instruction &I, const Value &V) {
  return (isa<BinaryOperator>(I) || isa<GetElementPtrInst>(I)) &&
         any_of(I.operands(), [&](const Use &U) { return U != &V && !isa<Constant>(U); });
}

/// Whether V is a byte of memory that may be an input's, as it is or by way of tables (classes of
/// bytes), over so many steps.
bool isFromByte(const Value &V, unsigned Steps) {
  if (Steps == 0)
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(&V)) {
    if (constantTables(*Load).empty())
      return Load->getType()->isIntegerTy(8);
    const auto *Place = dyn_cast<GetElementPtrInst>(Load->getPointerOperand());
    return Place && isFromByte(*Place->getOperand(Place->getNumOperands() - 1), Steps - 1);
  }
  if (const auto *Phi = dyn_cast<PHINode>(&V))
    return all_of(Phi->incoming_values(),
                  [&](const Use &U) { return U == Phi || isFromByte(*U, Steps - 1); });
  const auto *I = dyn_cast<Instruction>(&V);
  const bool IsPart = I && (isa<CastInst>(I) || isa<FreezeInst>(I) ||
                            (isa<BinaryOperator>(I) && isa<Constant>(I->getOperand(1))));
  return IsPart && isFromByte(*I->getOperand(0), Steps);
}

/// The field of a struct that I, a load or store, accesses; null if nothing tells.
const MDNode *fieldOf(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  return Tag && Tag->getNumOperands() >= 3 && Tag->getOperand(0) != Tag->getOperand(1) ? Tag
                                                                                       : nullptr;
}

/// What tells the places apart that loads and stores access: the field or, as bytes may alias
/// anything, the field that points to where it is.
const MDNode *placeOf(const Instruction &I) {
  if (const MDNode *Field = fieldOf(I))
    return Field;
  const auto *Base = dyn_cast<LoadInst>(getUnderlyingObject(getLoadStorePointerOperand(&I)));
  return Base ? fieldOf(*Base) : nullptr;
}

/// The states of one function.
class StateFinder {
public:
  explicit StateFinder(const Function &F) {
    for (const Instruction &I : instructions(F))
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        if (const MDNode *Place = placeOf(*Load))
          LoadsOf[Place].push_back(Load);
  }

  bool isState(const LoadInst &Load);

  /// Whether the states of the last load are those of a scanner: what they are joined with are
  /// bytes. Bytes that are states, on a stack, are none of an input.
  bool isScanner() const { return IsJoinedWithByte && !StoresByte; }

private:
  using Instructions = SmallVector<const Instruction *, 8>;

  DenseMap<const MDNode *, Instructions> LoadsOf; // places
  bool IsJoinedWithByte = false, StoresByte = false;

  Instructions heirs(const Value &V);
  void findVariables(const Value &V, Instructions &Found);
  bool leadsTo(const Instructions &From, bool Directly,
               function_ref<bool(const LoadInst &)> Wanted);
};

/// What may have in it what is in V: its users, and what is loaded from where it is stored.
StateFinder::Instructions StateFinder::heirs(const Value &V) {
  Instructions Result;
  for (const User *U : V.users()) {
    const auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getValueOperand() != &V) {
      if (const auto *I = dyn_cast<Instruction>(U))
        Result.push_back(I);
      continue;
    }
    StoresByte |= V.getType()->isIntegerTy(8);
    for (const User *Other : Store->getPointerOperand()->users())
      if (const auto *Load = dyn_cast<LoadInst>(Other))
        Result.push_back(Load);
    if (const MDNode *Place = placeOf(*Store))
      append_range(Result, LoadsOf.lookup(Place));
  }
  return Result;
}

/// The variables that V becomes as it is: phis, and loads of what it is stored to.
void StateFinder::findVariables(const Value &V, Instructions &Found) {
  for (const Instruction *I : heirs(V)) {
    if (isa<CastInst>(I) || isa<FreezeInst>(I))
      findVariables(*I, Found);
    else if (isa<PHINode>(I) || (isa<LoadInst>(I) && constantTables(cast<LoadInst>(*I)).empty()))
      Found.push_back(I);
  }
}

/// Whether there is a way from From to a load for which Wanted holds, on which it is joined with
/// something else, over no load of a table if Directly.
bool StateFinder::leadsTo(const Instructions &From, bool Directly,
                          function_ref<bool(const LoadInst &)> Wanted) {
  using Step = PointerIntPair<const Instruction *, 1, bool>; // joined?
  SmallVector<Step, 32> Steps;
  SmallSet<std::pair<const Instruction *, bool>, 32> Visited;
  bool Leads = false; // all ways are gone: what they are joined with is looked at, too
  for (const Instruction *I : From)
    Steps.push_back({I, false});
  while (!Steps.empty() && Visited.size() < MostVisited) {
    const Instruction *I = Steps.back().getPointer();
    const bool IsJoined = Steps.pop_back_val().getInt();
    if (!Visited.insert({I, IsJoined}).second)
      continue;
    for (const Instruction *Heir : heirs(*I)) {
      const auto *Load = dyn_cast<LoadInst>(Heir);
      const bool JoinsHere = joins(*Heir, *I), Joined = IsJoined || JoinsHere;
      if (JoinsHere)
        IsJoinedWithByte |= any_of(
            Heir->operands(), [&](const Use &U) { return U != I && isFromByte(*U, MostTables); });
      Leads |= Load && Joined && Wanted(*Load);
      const bool IsStored = Load && Load->getPointerOperand() != I;
      if (IsStored || (passesOn(*Heir) && !(Load && Directly)))
        Steps.push_back({Heir, Joined});
    }
  }
  return Leads;
}

/// Whether what Load loads is the way to where it is loaded next: as a variable, or, where a loop
/// was unrolled, directly to a place in the same table.
bool StateFinder::isState(const LoadInst &Load) {
  Instructions Variables;
  IsJoinedWithByte = StoresByte = false;
  findVariables(Load, Variables);
  return leadsTo(Variables, false, [&](const LoadInst &Other) { return &Other == &Load; }) ||
         leadsTo({&Load}, true, [&](const LoadInst &Other) {
           return constantTables(Other) == constantTables(Load);
         });
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

/// Says where the states of a parser are.
void recordParser(Module &M, GlobalVariable *Seen) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  auto *Ty = StructType::get(I32, I32);
  auto *Rec = new GlobalVariable(M, Ty, true, GlobalValue::PrivateLinkage,
                                 Constant::getNullValue(Ty), "cfuzz.parser");
  Rec->setInitializer(ConstantStruct::get(
      Ty, {offsetBetween(M, Rec, Seen),
           ConstantInt::get(I32, Seen->getValueType()->getArrayNumElements())}));
  Rec->setSection(CFZ_SECTION_PARSERS);
  Rec->setAlignment(Align(4));
  appendToUsed(M, {Rec}); // nothing refers to it
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
  DenseMap<const GlobalVariable *, uint64_t> Sizes;              // in states
  DenseMap<const GlobalVariable *, const GlobalVariable *> Same; // another one of its automaton
  const auto sizeOf = [&](const GlobalVariable *Table) {
    auto [Size, IsNew] = Sizes.try_emplace(Table, 0);
    if (IsNew)
      Size->second = countStates(*Table);
    return Size->second;
  };
  const auto firstOf = [&](const GlobalVariable *Table) {
    while (const GlobalVariable *Other = Same.lookup(Table))
      Table = Other;
    return Table;
  };
  SmallVector<std::pair<LoadInst *, const GlobalVariable *>, 8> Found;
  SmallPtrSet<const GlobalVariable *, 8> OfScanner;
  for (const Counters &C : All) {
    std::optional<StateFinder> Finder;
    for (Instruction &I : instructions(*C.Fn)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      const Tables Of = Load && Load->getType()->isIntegerTy() ? constantTables(*Load) : Tables();
      if (Of.empty() || !all_of(Of, [&](const GlobalVariable *T) { return sizeOf(T) != 0; }))
        continue;
      if (!Finder)
        Finder.emplace(*C.Fn);
      if (!Finder->isState(*Load))
        continue;
      Found.push_back({Load, Of.front()});
      if (Finder->isScanner())
        OfScanner.insert(Of.front());
      for (const GlobalVariable *Table : Of) {
        const GlobalVariable *First = firstOf(Of.front()), *Other = firstOf(Table);
        if (First == Other)
          continue;
        Same[Other] = First;
        Sizes[First] = std::max(Sizes[First], Sizes[Other]);
      }
    }
  }
  const auto isOfScanner = [&](const GlobalVariable *First) {
    return any_of(OfScanner, [&](const GlobalVariable *T) { return firstOf(T) == First; });
  };
  DenseMap<const GlobalVariable *, GlobalVariable *> Told;
  for (auto &[Load, Table] : Found) {
    const GlobalVariable *First = firstOf(Table);
    GlobalVariable *&Seen = Told[First];
    if (!Seen) {
      Seen = makeStates(M, Sizes[First]);
      if (!isOfScanner(First))
        recordParser(M, Seen);
    }
    tellState(*Load, Seen);
    hideFromThreadSanitizer(*Load->getFunction(), Seen);
  }
}

} // namespace cfuzz
