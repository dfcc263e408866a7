//===- Comparisons.cpp - what an instruction compares ---------------------===//
//
// Numbers and vectors of these, switches, the smaller and the greater of two, text; and what the
// program does not ask, as if it did: divisors with 0, indices with the array's size
// (ArrayBounds.h), flags of a branch and numbers that the C library reads with 0, differences that
// are collected (decision 159).
//
//===----------------------------------------------------------------------===//

#include "Comparisons.h"
#include "ArrayBounds.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cstring>

using namespace llvm;

namespace cfuzz {

const Value *stripCasts(const Value *V) {
  for (;;) {
    if (const auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
    else if (const auto *Freeze = dyn_cast<FreezeInst>(V))
      V = Freeze->getOperand(0);
    else
      return V;
  }
}

bool isTruth(const Value *V) {
  return (isa<ZExtInst>(V) || isa<SExtInst>(V)) &&
         cast<CastInst>(V)->getSrcTy()->getScalarType()->isIntegerTy(1);
}

bool isCondition(const Instruction &I) {
  return I.getType()->isIntegerTy(1) &&
         (isa<CmpInst>(I) || isa<SelectInst>(I) || isa<BinaryOperator>(I));
}

namespace {

unsigned relationOf(CmpInst::Predicate P) {
  switch (P) {
  case CmpInst::ICMP_EQ:
    return CFZ_REL_EQUAL;
  case CmpInst::ICMP_NE:
    return CFZ_REL_GREATER | CFZ_REL_LESS;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT:
    return CFZ_REL_GREATER;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
    return CFZ_REL_GREATER | CFZ_REL_EQUAL;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
    return CFZ_REL_LESS;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
    return CFZ_REL_LESS | CFZ_REL_EQUAL;
  default:
    static_assert(unsigned(CmpInst::FCMP_OEQ) == CFZ_REL_EQUAL &&
                      unsigned(CmpInst::FCMP_OGT) == CFZ_REL_GREATER &&
                      unsigned(CmpInst::FCMP_OLT) == CFZ_REL_LESS &&
                      unsigned(CmpInst::FCMP_UNO) == CFZ_REL_UNORDERED,
                  "LLVM encodes predicates of floats as we do");
    return P;
  }
}

bool isNegative(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->isNegative();
}

/// Nothing to find out: both constant, or one undefined.
bool isPointless(const Value *A, const Value *B) {
  return (isa<Constant>(A) && isa<Constant>(B)) || isa<UndefValue>(A) || isa<UndefValue>(B);
}

bool isTraceableWidth(unsigned Width) { return Width >= 2 && Width <= 64; }

/// How many of its lowest bits are left of V, if the others are masked out; else 0.
unsigned maskedBits(const Value *V) {
  const auto *And = dyn_cast<BinaryOperator>(V);
  const auto *Mask = And && And->getOpcode() == Instruction::And
                         ? dyn_cast<ConstantInt>(And->getOperand(1))
                         : nullptr;
  return Mask && Mask->getValue().isMask() ? Mask->getValue().getActiveBits() : 0;
}

/// The width at which numbers are compared: "(uint32_t)x == 0" of a longer x becomes
/// "(x & 0xffffffff) == 0", and x goes round where it overflows 32 bits.
unsigned comparedWidth(const Value *A, const Value *B, unsigned Width) {
  enum { Least = 8 }; // below are flags
  const unsigned Bits = maskedBits(A);
  const auto *Number = dyn_cast<ConstantInt>(B);
  if (Bits < Least || Bits >= Width)
    return Width;
  return (Number ? Number->getValue().getActiveBits() <= Bits : maskedBits(B) == Bits) ? Bits
                                                                                       : Width;
}

/// Of numbers, or of vectors of these.
std::optional<Comparison> compareIntegers(const ICmpInst &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  if (!A->getType()->isIntOrIntVectorTy() || isPointless(A, B))
    return std::nullopt;
  unsigned Width = A->getType()->getScalarSizeInBits();
  if (!isTraceableWidth(Width) && Width != 128)
    return std::nullopt;
  if (isa<PtrToIntInst>(A) || isa<PtrToIntInst>(B)) // of pointers
    return std::nullopt;
  if ((isTruth(A) && isa<Constant>(B)) || (isTruth(B) && isa<Constant>(A)))
    return std::nullopt;
  if (textFunction(stripCasts(A)) || textFunction(stripCasts(B))) // the call has a site
    return std::nullopt;
  // The same bits are 255 and -1 where only equality is asked for.
  bool Signed =
      I.isSigned() ||
      (I.isEquality() && (isNegative(A) || isNegative(B) || isa<SExtInst>(A) || isa<SExtInst>(B)));
  if (!Signed)
    Width = comparedWidth(A, B, Width);
  return Comparison{
      CFZ_SITE_INT, relationOf(I.getPredicate()), Width, Signed, A, B, std::nullopt, ""};
}

/// Whether V is what a function returned that takes memory from the system.
bool isAllocated(const Value *V) {
  static const StringRef Functions[] = {"malloc",        "calloc", "realloc", "reallocarray",
                                        "aligned_alloc", "strdup", "strndup"};
  const auto *Call = dyn_cast<CallBase>(stripCasts(V));
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && is_contained(Functions, F->getName());
}

/// Whether a pointer is null; the hook tells no more of it, so that a run repeats.
std::optional<Comparison> comparePointer(const ICmpInst &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  if (!I.isEquality() || !isa<ConstantPointerNull>(B) || isa<Constant>(A) ||
      textFunction(stripCasts(A)) || isAllocated(A))
    return std::nullopt;
  return Comparison{CFZ_SITE_INT, relationOf(I.getPredicate()), 8, false, A, B, std::nullopt, ""};
}

bool isTraceableFloat(const Type *T) {
  return T->isFloatTy() || T->isDoubleTy() || T->isX86_FP80Ty();
}

/// What a comparison of floats does not tell: whether the last bits of long doubles are equal.
Comparison compareLastBits(const FCmpInst &I) {
  return Comparison{CFZ_SITE_INT,
                    relationOf(I.getPredicate()) & ~unsigned(CFZ_REL_UNORDERED),
                    16,
                    false,
                    I.getOperand(0),
                    I.getOperand(1),
                    std::nullopt,
                    ""};
}

std::optional<Comparison> compareFloats(const FCmpInst &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  const Type *Ty = A->getType()->getScalarType();
  if (!isTraceableFloat(Ty) || isPointless(A, B) || I.getPredicate() == CmpInst::FCMP_FALSE ||
      I.getPredicate() == CmpInst::FCMP_TRUE)
    return std::nullopt;
  return Comparison{CFZ_SITE_FLOAT,
                    relationOf(I.getPredicate()),
                    Ty->getScalarSizeInBits(),
                    false,
                    A,
                    B,
                    std::nullopt,
                    ""};
}

std::optional<Comparison> compareCases(const SwitchInst &I) {
  unsigned Width = I.getCondition()->getType()->getIntegerBitWidth();
  if (!isTraceableWidth(Width) || I.getNumCases() == 0 || isa<Constant>(I.getCondition()))
    return std::nullopt;
  bool Signed = any_of(
      I.cases(), [](const auto &Case) { return Case.getCaseValue()->getValue().isNegative(); });
  return Comparison{CFZ_SITE_SWITCH, 0, Width, Signed, nullptr, nullptr, std::nullopt, ""};
}

/// The smaller or greater of two numbers, which optimisers make from a comparison.
std::optional<Comparison> compareExtremes(const IntrinsicInst &I) {
  struct {
    const char *Prefix; // by name: LLVM 19 was the first to know the last two
    unsigned Predicate;
    bool Signed;
  } const All[] = {
      {"llvm.umin.", CFZ_REL_LESS, false},    {"llvm.smin.", CFZ_REL_LESS, true},
      {"llvm.umax.", CFZ_REL_GREATER, false}, {"llvm.smax.", CFZ_REL_GREATER, true},
      {"llvm.ucmp.", CFZ_REL_LESS, false},    {"llvm.scmp.", CFZ_REL_LESS, true},
  };
  StringRef Name = I.getCalledFunction()->getName();
  for (const auto &E : All) {
    if (Name.substr(0, std::strlen(E.Prefix)) != E.Prefix)
      continue;
    const Value *A = I.getArgOperand(0), *B = I.getArgOperand(1);
    if (!A->getType()->isIntegerTy() || isPointless(A, B) ||
        !isTraceableWidth(A->getType()->getIntegerBitWidth()))
      return std::nullopt;
    return Comparison{CFZ_SITE_INT, E.Predicate, A->getType()->getIntegerBitWidth(), E.Signed, A, B,
                      std::nullopt, ""};
  }
  return std::nullopt;
}

/// Whether V is compared with 0 somewhere: then that is what asks whether it is.
bool isComparedWithZero(const Value *V) {
  return any_of(V->users(), [](const User *U) {
    const auto *Cmp = dyn_cast<ICmpInst>(U);
    const auto *Other = Cmp ? dyn_cast<Constant>(Cmp->getOperand(1)) : nullptr;
    return Other && Other->isNullValue() && Cmp->isEquality() && !isNoSanitize(*Cmp);
  });
}

/// A division, which asks whether the divisor is 0.
std::optional<Comparison> compareDivisor(const BinaryOperator &I) {
  unsigned Op = I.getOpcode();
  const Value *Divisor = I.getOperand(1);
  if ((Op != Instruction::SDiv && Op != Instruction::UDiv && Op != Instruction::SRem &&
       Op != Instruction::URem) ||
      !Divisor->getType()->isIntegerTy() || isa<Constant>(Divisor) ||
      !isTraceableWidth(Divisor->getType()->getIntegerBitWidth()) || isComparedWithZero(Divisor))
    return std::nullopt;
  return Comparison{CFZ_SITE_INT,
                    CFZ_REL_EQUAL,
                    Divisor->getType()->getIntegerBitWidth(),
                    Op == Instruction::SDiv || Op == Instruction::SRem,
                    Divisor,
                    Constant::getNullValue(Divisor->getType()),
                    std::nullopt,
                    ""};
}

/// Whether V is made by "or" of what Variable had, perhaps as a shorter number.
bool isAddedTo(const Value *V, const Value *Variable, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 4)
    return false;
  if (isa<TruncInst>(I) || isa<ZExtInst>(I) || I->getOpcode() == Instruction::Or)
    return any_of(I->operands(),
                  [&](const Use &U) { return isAddedTo(U.get(), Variable, Depth + 1); });
  const auto *Load = dyn_cast<LoadInst>(I);
  return Load && Load->getPointerOperand() == Variable;
}

/// Whether the bits of V go, perhaps as a longer number, into a number that collects those of
/// others by "or": into one that goes round in a loop, lies in a local variable (a volatile one, or
/// of code that is not optimised), is made of a vector or of several more, or is compared with 0 in
/// the end.
bool isCollected(const Value &V) {
  enum { MostUses = 64, FewJoins = 3 };
  SmallPtrSet<const Value *, 32> Seen{&V};
  SmallVector<std::pair<const Value *, bool>, 16> Next{{&V, false}}; ///< and whether it was joined
  unsigned Joins = 0;
  bool IsMany = false, IsUsed = false, IsCompared = false;
  while (!Next.empty()) {
    auto [At, Joined] = Next.pop_back_val();
    for (const User *U : At->users()) {
      const auto *I = dyn_cast<Instruction>(U);
      const auto *Cmp = dyn_cast_or_null<ICmpInst>(I);
      const auto *Last = Cmp ? dyn_cast<Constant>(Cmp->getOperand(1)) : nullptr;
      const auto *Reduce = dyn_cast_or_null<IntrinsicInst>(I);
      const bool IsReduced = Reduce && Reduce->getIntrinsicID() == Intrinsic::vector_reduce_or;
      const bool IsJoin = I && (I->getOpcode() == Instruction::Or || IsReduced);
      const bool Goes =
          I && (isa<ZExtInst>(I) || isa<FreezeInst>(I) || (Joined && isa<TruncInst>(I)));
      const auto *Store = dyn_cast_or_null<StoreInst>(I);
      if (!I || Seen.size() > MostUses || (!Joined && !IsJoin && !Goes))
        return false;
      if (Cmp && Cmp->isEquality() && Last && Last->isNullValue()) {
        IsCompared = true;
      } else if (Store && Joined && isa<AllocaInst>(Store->getPointerOperand()) &&
                 isAddedTo(At, Store->getPointerOperand(), 0)) {
        IsMany = true;
      } else if (IsJoin || Goes || isa<PHINode>(I)) {
        if (!Seen.insert(I).second)
          continue;
        Next.push_back({I, Joined || IsJoin});
        Joins += IsJoin;
        IsMany |= IsReduced || isa<PHINode>(I) || Joins > FewJoins;
      } else {
        IsUsed = true; // what was collected
      }
    }
  }
  return IsMany || (Joins > 0 && IsCompared && !IsUsed);
}

/// What differs between two numbers, by a xor, where it is collected: "d |= a[i] ^ b[i]" tells
/// whether all are equal, without a comparison of any.
std::optional<Comparison> compareDifference(const BinaryOperator &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  const unsigned Width = I.getType()->getScalarSizeInBits();
  const auto *Ones = dyn_cast<Constant>(B);
  if (Width < 8 || Width > 64 || isPointless(A, B) || (Ones && Ones->isAllOnesValue()) ||
      !isCollected(I))
    return std::nullopt;
  return Comparison{CFZ_SITE_INT, CFZ_REL_EQUAL, Width, false, A, B, std::nullopt, ""};
}

/// A number that the C library reads from text, unless the program asks whether it is 0: nobody
/// says that there are digits.
std::optional<Comparison> comparedNumeral(Instruction &I) {
  static constexpr const char *Names[] = {
      "atoi",     "atol",      "atoll",     "atof",   "strtol", "strtoul", "strtoll",
      "strtoull", "strtoimax", "strtoumax", "strtod", "strtof", "strtold"};
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration() || Call->isMustTailCall() || Call->arg_size() == 0 ||
      !Call->getArgOperand(0)->getType()->isPointerTy() || isComparedWithZero(Call))
    return std::nullopt;
  StringRef Name = Callee->getName();
  Name.consume_front("__isoc23_");
  Type *T = Call->getType();
  bool IsFloat = isTraceableFloat(T);
  if (none_of(Names, [&](const char *N) { return Name == N; }) ||
      !(IsFloat || (T->isIntegerTy() && isTraceableWidth(T->getIntegerBitWidth()))))
    return std::nullopt;
  return Comparison{IsFloat ? CFZ_SITE_FLOAT : CFZ_SITE_INT,
                    CFZ_REL_GREATER | CFZ_REL_LESS,
                    T->getScalarSizeInBits(),
                    !IsFloat,
                    Call,
                    Constant::getNullValue(T),
                    std::nullopt,
                    "",
                    Call->getNextNode()};
}

/// The bounds of arrays that I may leave.
SmallVector<Comparison, 2> comparedBounds(Instruction &I) {
  SmallVector<Comparison, 2> Result;
  if (auto *Address = dyn_cast<GetElementPtrInst>(&I))
    for (const ArrayBound &B : arrayBounds(*Address))
      Result.push_back(
          {CFZ_SITE_INT,
           B.IsBelow ? unsigned(CFZ_REL_LESS) : unsigned(CFZ_REL_GREATER) | CFZ_REL_EQUAL,
           B.Index->getType()->getIntegerBitWidth(), B.Signed, B.Index, B.Limit, std::nullopt, "",
           B.Before});
  return Result;
}

/// Whether V is one of the ways in which "a && b" comes together: then a and b have sites.
bool isJoined(const Value *V) { return isa<Constant>(V) || isa<CmpInst>(V) || isTruth(V); }

/// Whether V is a truth that no comparison here tells: a flag that was set before, or what a
/// function returned.
bool isFlag(const Value *V) {
  if (!V->getType()->isIntegerTy(1))
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return !all_of(Phi->incoming_values(), [](const Use &U) { return isJoined(U.get()); });
  if (isa<CallBase>(V))
    return !isa<IntrinsicInst>(V) && !textFunction(V);
  return isa<LoadInst>(V) || isa<TruncInst>(V) || isa<Argument>(V) || isa<ExtractValueInst>(V);
}

/// Whether Branch asks V, a flag. "a && b" is one, too, where b came together with false long before
/// the branch: optimisers compare b where it is known, and then the input that has all but b does
/// not come to a comparison with b at all.
bool isFlagOf(const BranchInst &Branch, const Value *V) {
  const auto *Phi = dyn_cast<PHINode>(V);
  return isFlag(V) || (Phi && Phi->getType()->isIntegerTy(1) &&
                       Phi->getParent() != Branch.getParent());
}

/// Finds the flags among what V, of the branch's condition, is made of.
void findFlags(const BranchInst &Branch, const Value *V, SmallVectorImpl<const Value *> &Flags,
               unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(V);
  if (isFlagOf(Branch, V) && !is_contained(Flags, V))
    Flags.push_back(V);
  else if (I && Depth != 4 && I->getType()->isIntegerTy(1) &&
           (isa<FreezeInst>(I) || isa<SelectInst>(I) || isa<BinaryOperator>(I)))
    for (const Value *Operand : I->operands())
      findFlags(Branch, Operand, Flags, Depth + 1);
}

/// The flags that a branch asks for, each as a comparison with 0.
SmallVector<Comparison, 2> comparedFlags(const Instruction &I) {
  SmallVector<Comparison, 2> Result;
  const auto *Branch = dyn_cast<BranchInst>(&I);
  if (!Branch || !Branch->isConditional() || isNoSanitize(I))
    return Result;
  SmallVector<const Value *, 4> Flags;
  findFlags(*Branch, Branch->getCondition(), Flags, 0);
  for (const Value *Flag : Flags)
    Result.push_back({CFZ_SITE_INT, unsigned(CFZ_REL_GREATER) | CFZ_REL_LESS, 8, false, Flag,
                      ConstantInt::getFalse(I.getContext()), std::nullopt, ""});
  return Result;
}

/// What I compares. All reasons to leave a comparison out are here and in the functions above.
std::optional<Comparison> comparisonOf(const Instruction &I) {
  if (isNoSanitize(I))
    return std::nullopt;
  if (isa<CmpInst>(I) && !I.user_empty() && all_of(I.users(), [](const User *U) {
        const auto *User = dyn_cast<Instruction>(U);
        return User && isNoSanitize(*User);
      }))
    return std::nullopt; // a sanitizer's, whose mark an optimiser dropped
  if (const auto *Cmp = dyn_cast<ICmpInst>(&I))
    return Cmp->getOperand(0)->getType()->isPointerTy() ? comparePointer(*Cmp)
                                                        : compareIntegers(*Cmp);
  if (const auto *Cmp = dyn_cast<FCmpInst>(&I))
    return compareFloats(*Cmp);
  if (const auto *Switch = dyn_cast<SwitchInst>(&I))
    return compareCases(*Switch);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return compareExtremes(*Intrinsic);
  if (const auto *Operator = dyn_cast<BinaryOperator>(&I))
    return Operator->getOpcode() == Instruction::Xor ? compareDifference(*Operator)
                                                     : compareDivisor(*Operator);
  if (auto Text = textFunction(&I))
    return Comparison{Text->Kind, 0, 0, false, nullptr, nullptr, Text, ""};
  if (std::string Wanted = textOfScan(&I); !Wanted.empty())
    return Comparison{CFZ_SITE_STRING,
                      0,
                      0,
                      false,
                      nullptr,
                      nullptr,
                      TextFunction{"sscanf", CFZ_SITE_STRING, "a", false},
                      Wanted};
  return std::nullopt;
}

/// Numbers of a vector that are compared at once, by code that an optimiser made of a loop or of
/// "a == x & b == y".
enum { MostLanes = 16 };

/// Whether I tells which bytes of two vectors are equal.
bool comparesBytes(const Instruction &I, const FixedVectorType &Lanes) {
  enum { Fewest = 4, Most = 64 };
  const auto *Cmp = dyn_cast<ICmpInst>(&I);
  return I.getOperand(0)->getType()->getScalarType()->isIntegerTy(8) &&
         Lanes.getNumElements() >= Fewest && Lanes.getNumElements() <= Most &&
         (!Cmp || Cmp->isEquality());
}

} // namespace

const Value *onlyFlag(const BranchInst &Branch, bool &Negated) {
  const Value *V = Branch.getCondition();
  for (Negated = false; const auto *I = dyn_cast<Instruction>(V);) {
    const bool Not = I->getOpcode() == Instruction::Xor && isa<ConstantInt>(I->getOperand(1));
    if (!Not && !isa<FreezeInst>(I))
      break;
    Negated ^= Not;
    V = I->getOperand(0);
  }
  return isFlagOf(Branch, V) ? V : nullptr;
}

bool comparesLastBits(const FCmpInst &I) {
  unsigned Relation = relationOf(I.getPredicate()) & ~unsigned(CFZ_REL_UNORDERED);
  return I.getOperand(0)->getType()->isX86_FP80Ty() &&
         (Relation == CFZ_REL_EQUAL || Relation == (CFZ_REL_GREATER | CFZ_REL_LESS));
}

SmallVector<Comparison, 2> comparisonsOf(Instruction &I) {
  SmallVector<Comparison, 2> Result;
  if (!isNoSanitize(I))
    for (const TextFunction &Text : textBehindPointer(&I))
      Result.push_back({Text.Kind, 0, 0, false, nullptr, nullptr, Text, ""});
  Result.append(comparedBounds(I));
  if (!isNoSanitize(I))
    if (std::optional<Comparison> Numeral = comparedNumeral(I))
      Result.push_back(*Numeral);
  Result.append(comparedFlags(I));
  std::optional<Comparison> What = comparisonOf(I);
  const auto *Lanes = dyn_cast<FixedVectorType>(I.getType());
  if (What && Lanes && comparesBytes(I, *Lanes)) {
    What->Kind = CFZ_SITE_MEM; // as memcmp does
    What->Predicate = What->Width = 0;
    What->Signed = false;
    Result.push_back(*What);
  } else if (What && Lanes && What->Width <= 64 && Lanes->getNumElements() <= MostLanes)
    for (What->Lane = 0; What->Lane != int(Lanes->getNumElements()); ++What->Lane)
      Result.push_back(*What);
  else if (What && !I.getType()->isVectorTy()) {
    Result.push_back(*What);
    if (const auto *Cmp = dyn_cast<FCmpInst>(&I))
      if (comparesLastBits(*Cmp))
        Result.push_back(compareLastBits(*Cmp));
  }
  return Result;
}

} // namespace cfuzz
