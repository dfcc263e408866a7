//===- TraceSites.cpp - the comparisons of a function and their hooks -----===//
//
// Before:                            After:
//   %c = icmp slt i32 %n, 9            %n64 = sext i32 %n to i64
//   br i1 %c, label %a, label %b       call void @cfuzz_trace_number(@cfuzz.sites, i64 %n64, i64 9)
//                                      %c = icmp slt i32 %n, 9
//                                      br i1 %c, label %a, label %b
//
//   @cfuzz.sites = [1 x { kind, predicate, width, flags, ... }], section "cfuzz_sites", comdat($f)
//
// An index that may leave its array is compared with the array's size (ArrayBounds.h), and with 0 a
// flag that a branch asks for and a number that the C library reads, though the program does not. A
// comparison that has one outcome only (KnownOutcomes.h) has no site.
//
// abi.h has the layouts and what a hook is told. The sites of a function are one array, in the
// order of its instructions, and belong to its counters (Sections.h).
//
//===----------------------------------------------------------------------===//

#include "TraceSites.h"
#include "ArrayBounds.h"
#include "KnownOutcomes.h"
#include "Passes.h"
#include "abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

using namespace llvm;

namespace cfuzz {
namespace {

/// A function that compares text: of the C library, or one that the user named.
struct TextFunction {
  StringRef Name;
  cfz_site_kind Kind;
  /// What each parameter is: a and b point to text, n and m are sizes, c is a byte, - is something
  /// else; A and B point to a std::string of libstdc++ that is the text, which ends in NUL, S to
  /// one that is text and size. Of the user's functions, those behind the last one that matters are
  /// left out.
  std::string Params;
  /// Whether comparing the result with 0 tells the outcome.
  bool ZeroTells;
};

struct LibraryFunction {
  const char *Name;
  cfz_site_kind Kind;
  const char *Params;
  bool ZeroTells;
};

constexpr LibraryFunction LibraryFunctions[] = {
    {"memcmp", CFZ_SITE_MEM, "abn", true},
    {"bcmp", CFZ_SITE_MEM, "abn", true},
    {"strcmp", CFZ_SITE_STRING, "ab", true},
    {"strncmp", CFZ_SITE_STRING_N, "abn", true},
    {"strcasecmp", CFZ_SITE_STRING_CASE, "ab", true},
    {"strncasecmp", CFZ_SITE_STRING_N_CASE, "abn", true},
    {"strstr", CFZ_SITE_FIND, "ab", true},
    {"memmem", CFZ_SITE_FIND_MEM, "anbm", true},
    {"strcasestr", CFZ_SITE_FIND_CASE, "ab", true},
    {"strchr", CFZ_SITE_FIND_BYTE, "ac", true},
    {"strrchr", CFZ_SITE_FIND_BYTE, "ac", true},
    {"index", CFZ_SITE_FIND_BYTE, "ac", true},
    {"rindex", CFZ_SITE_FIND_BYTE, "ac", true},
    {"strchrnul", CFZ_SITE_FIND_BYTE, "ac", false},
    {"memchr", CFZ_SITE_FIND_BYTE_MEM, "acn", true},
    {"memrchr", CFZ_SITE_FIND_BYTE_MEM, "acn", true},
// std::string's, which are in its library, so that nothing of them is compiled here.
#define OF_STRING "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
    {OF_STRING "7compareEPKc", CFZ_SITE_STRING, "Ab", true},     // (const char *)
    {OF_STRING "7compareERKS4_", CFZ_SITE_STRING, "AB", true},   // (const std::string &)
    {OF_STRING "4findEPKcmm", CFZ_SITE_FIND_MEM, "Sb-m", false}, // (const char *, from, size)
    {OF_STRING "4findEcm", CFZ_SITE_FIND_BYTE_MEM, "Sc-", false},
#undef OF_STRING
};

/// Whether T takes what Params says, and returns something that C's functions of this kind do.
bool hasPrototype(const FunctionType *T, StringRef Params) {
  if (T->isVarArg() || T->getNumParams() < Params.size())
    return false;
  for (unsigned I = 0; I != Params.size(); ++I) {
    const Type *Param = T->getParamType(I);
    bool Pointer = StringRef("abABS").contains(Params[I]);
    if (Params[I] == '-')
      continue;
    if (Pointer ? !(Param->isPointerTy() && Param->getPointerAddressSpace() == 0)
                : !(Param->isIntegerTy() && Param->getIntegerBitWidth() <= 64))
      return false;
  }
  return true;
}

/// What the attribute AttrComparator says of a function.
std::optional<TextFunction> comparatorOf(const Function &F) {
  if (!F.hasFnAttribute(AttrComparator))
    return std::nullopt;
  StringRef Text = F.getFnAttribute(AttrComparator).getValueAsString();
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, ':');
  bool EndInNul = Parts.back() == "nul";
  if (EndInNul)
    Parts.pop_back();
  TextFunction Result{F.getName(),
                      Parts.size() < 3 ? CFZ_SITE_STRING
                      : EndInNul       ? CFZ_SITE_STRING_N
                                       : CFZ_SITE_MEM,
                      "", false};
  for (unsigned I = 0; I != Parts.size(); ++I) {
    unsigned At = 0;
    Parts[I].getAsInteger(10, At);
    if (Result.Params.size() <= At)
      Result.Params.resize(At + 1, '-');
    Result.Params[At] = "abn"[I];
  }
  return hasPrototype(F.getFunctionType(), Result.Params) ? std::optional<TextFunction>(Result)
                                                          : std::nullopt;
}

/// A text that a format of scanf reads whole, or "" if none is known: "1-1-1" for "%d-%d-%d".
std::string textOfFormat(StringRef Format) {
  std::string Text;
  while (!Format.empty()) {
    if (Format[0] != '%') {
      Text += Format[0];
      Format = Format.drop_front();
      continue;
    }
    Format = Format.drop_front();
    while (!Format.empty() && (isDigit(Format[0]) || StringRef("*hlLjztqm").contains(Format[0])))
      Format = Format.drop_front();
    if (Format.empty())
      return "";
    char Conversion = Format[0];
    Format = Format.drop_front();
    if (Conversion == '[') {
      size_t End = Format.find(']', StringRef("]^").contains(Format.substr(0, 1)) ? 2 : 1);
      if (End == StringRef::npos)
        return "";
      StringRef Set = Format.substr(0, End);
      Format = Format.drop_front(End + 1);
      char One = Set[0];
      if (One == '^')
        for (One = 'a'; One != 'z' && Set.contains(One);)
          ++One;
      Text += One;
    } else if (StringRef("diuxXopaAeEfFgG").contains(Conversion)) {
      Text += '1';
    } else if (StringRef("scCS").contains(Conversion)) {
      Text += 'a';
    } else if (Conversion == '%') {
      Text += '%';
    } else if (Conversion != 'n') {
      return "";
    }
  }
  return Text;
}

/// The text that a call of sscanf with a constant format wants of its first argument, or "".
std::string textOfScan(const Value *V) {
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration() || Call->isMustTailCall() || Call->arg_size() < 2 ||
      !(Callee->getName() == "sscanf" || Callee->getName() == "__isoc99_sscanf" ||
        Callee->getName() == "__isoc23_sscanf") ||
      !Call->getArgOperand(0)->getType()->isPointerTy())
    return "";
  StringRef Format;
  return getConstantStringInfo(Call->getArgOperand(1), Format) ? textOfFormat(Format) : "";
}

/// What V calls if it is a call that compares text. A function of the C library's names that the
/// module defines is traced inside instead.
std::optional<TextFunction> textFunction(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Call->isMustTailCall())
    return std::nullopt;
  if (auto Comparator = comparatorOf(*Callee))
    return Comparator;
  if (!Callee->isDeclaration())
    return std::nullopt;
  const FunctionType *T = Callee->getFunctionType();
  StringRef Name = Callee->getName();
  for (const LibraryFunction &F : LibraryFunctions)
    if (Name == F.Name && T->getNumParams() == std::strlen(F.Params) &&
        (T->getReturnType()->isIntegerTy() || T->getReturnType()->isPointerTy()) &&
        hasPrototype(T, F.Params))
      return TextFunction{F.Name, F.Kind, F.Params, F.ZeroTells};
  return std::nullopt;
}

/// What a call through a pointer compares if that points to a function of the C library: one for
/// each kind that its prototype allows.
ArrayRef<TextFunction> textBehindPointer(const Value *V) {
  static const TextFunction Sized[] = {{"memcmp", CFZ_SITE_MEM, "abn", false},
                                       {"strncmp", CFZ_SITE_STRING_N, "abn", false},
                                       {"strncasecmp", CFZ_SITE_STRING_N_CASE, "abn", false}};
  static const TextFunction Ended[] = {{"strcmp", CFZ_SITE_STRING, "ab", false},
                                       {"strcasecmp", CFZ_SITE_STRING_CASE, "ab", false}};
  const auto *Call = dyn_cast<CallBase>(V);
  if (!Call || !Call->isIndirectCall() || Call->isMustTailCall() ||
      !Call->getType()->isIntegerTy(32))
    return {};
  const FunctionType *T = Call->getFunctionType();
  if (T->getNumParams() == 3 && hasPrototype(T, "abn") && T->getParamType(2)->isIntegerTy(64))
    return Sized;
  if (T->getNumParams() == 2 && hasPrototype(T, "ab"))
    return Ended;
  return {};
}

/// One comparison, before its site is written.
struct Comparison {
  cfz_site_kind Kind;
  unsigned Predicate; ///< set of cfz_relation
  unsigned Width;     ///< 128 where there are two sites
  bool Signed;
  const Value *A, *B; ///< null for SWITCH and text
  std::optional<TextFunction> Text;
  std::string Wanted; ///< text: what a is compared with, where the program does not have it
  Instruction *Before = nullptr; ///< where the hook goes of what the program does not ask; or null
  int Lane = -1;                 ///< of A and B, if they are vectors; Width is that of one
};

bool isNoSanitize(const Instruction &I) { return I.getMetadata("nosanitize"); }

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

/// Whether V is 0 or 1 made from an i1: the comparison it came from is the one to look at.
bool isTruth(const Value *V) {
  return (isa<ZExtInst>(V) || isa<SExtInst>(V)) &&
         cast<CastInst>(V)->getSrcTy()->getScalarType()->isIntegerTy(1);
}

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

std::optional<Comparison> compareFloats(const FCmpInst &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  const Type *Ty = A->getType()->getScalarType();
  if (!(Ty->isFloatTy() || Ty->isDoubleTy()) || isPointless(A, B) ||
      I.getPredicate() == CmpInst::FCMP_FALSE || I.getPredicate() == CmpInst::FCMP_TRUE)
    return std::nullopt;
  return Comparison{CFZ_SITE_FLOAT,
                    relationOf(I.getPredicate()),
                    Ty->isFloatTy() ? 32u : 64u,
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
  static constexpr const char *Names[] = {"atoi",      "atol",      "atoll",   "atof",
                                          "strtol",    "strtoul",   "strtoll", "strtoull",
                                          "strtoimax", "strtoumax", "strtod",  "strtof"};
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration() || Call->isMustTailCall() || Call->arg_size() == 0 ||
      !Call->getArgOperand(0)->getType()->isPointerTy() || isComparedWithZero(Call))
    return std::nullopt;
  StringRef Name = Callee->getName();
  Name.consume_front("__isoc23_");
  Type *T = Call->getType();
  bool IsFloat = T->isFloatTy() || T->isDoubleTy();
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

/// Whether I is a comparison or joins some to one condition.
bool isCondition(const Instruction &I) {
  return I.getType()->isIntegerTy(1) &&
         (isa<CmpInst>(I) || isa<SelectInst>(I) || isa<BinaryOperator>(I));
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

/// Finds the flags among what V is made of.
void findFlags(const Value *V, SmallVectorImpl<const Value *> &Flags, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(V);
  if (isFlag(V) && !is_contained(Flags, V))
    Flags.push_back(V);
  else if (I && Depth != 4 && I->getType()->isIntegerTy(1) &&
           (isa<FreezeInst>(I) || isa<SelectInst>(I) || isa<BinaryOperator>(I)))
    for (const Value *Operand : I->operands())
      findFlags(Operand, Flags, Depth + 1);
}

/// The flag that alone decides Branch, if one does. *Negated: the other way round.
const Value *onlyFlag(const BranchInst &Branch, bool &Negated) {
  const Value *V = Branch.getCondition();
  for (Negated = false; const auto *I = dyn_cast<Instruction>(V);) {
    const bool Not = I->getOpcode() == Instruction::Xor && isa<ConstantInt>(I->getOperand(1));
    if (!Not && !isa<FreezeInst>(I))
      break;
    Negated ^= Not;
    V = I->getOperand(0);
  }
  return isFlag(V) ? V : nullptr;
}

/// The flags that a branch asks for, each as a comparison with 0.
SmallVector<Comparison, 2> comparedFlags(const Instruction &I) {
  SmallVector<Comparison, 2> Result;
  const auto *Branch = dyn_cast<BranchInst>(&I);
  if (!Branch || !Branch->isConditional() || isNoSanitize(I))
    return Result;
  SmallVector<const Value *, 4> Flags;
  findFlags(Branch->getCondition(), Flags, 0);
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
    return compareIntegers(*Cmp);
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

/// All that I compares.
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
  else if (What && !I.getType()->isVectorTy())
    Result.push_back(*What);
  return Result;
}

/// Whether V points to text that the program never changes.
bool isConstantText(const Value *V) {
  const auto *GV = dyn_cast<GlobalVariable>(V->stripInBoundsOffsets());
  return GV && GV->isConstant();
}

using OwnCounters = DenseMap<const BasicBlock *, uint64_t>;

/// The index of each block's own counter.
OwnCounters ownCounters(const Function &F, const Counters &Counts) {
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

/// Which counters stand behind the outcomes of comparisons in one function.
class Outcomes {
public:
  Outcomes(Function &F, const Counters &Counts, const PrivateCallees &Callees);

  /// Index of the counter that counts exactly the executions in which the successor of Terminator
  /// with this number follows it.
  std::optional<uint64_t> behind(const Instruction &Terminator, unsigned Successor) const;

  /// The branch that Compared alone decides, and its successor for "holds", "equal" or "found".
  struct Tie {
    const BranchInst *Branch;
    unsigned True;
  };
  std::optional<Tie> tieOf(const Instruction &Compared) const {
    auto Found = Ties.find(&Compared);
    return Found == Ties.end() ? std::nullopt : std::optional<Tie>(Found->second);
  }

  /// How many counters no execution reaches in which Compared never has the outcome.
  uint64_t countNeeding(const Instruction &Compared, bool Outcome) const {
    return Needing.lookup(&Compared)[Outcome];
  }

  /// What a branch asks for, one of whose parts an outcome is.
  struct Condition {
    const BranchInst *Branch = nullptr;
    bool Holds = false;
    std::optional<uint64_t> Counter; ///< directly behind it; what never returns has none
  };

  /// Of the conditions of which the outcome is a part that with most behind it; null if it is part
  /// of none.
  const Condition *joined(const Value &Compared, bool Outcome) const {
    auto Found = Joined.find(&Compared);
    if (Found == Joined.end() || !Found->second[Outcome].Branch)
      return nullptr;
    return &Found->second[Outcome];
  }
  SmallVector<CountersBehind::Case, 16> casesOf(const SwitchInst &Switch) const {
    return All.cases(Switch);
  }
  uint64_t countBehind(const Instruction &Terminator, unsigned Successor) const {
    return All.successor(Terminator, Successor);
  }

private:
  void tie(const BranchInst &Branch);
  struct Need {
    uint64_t Count; ///< counters behind the condition
    Condition Of;
    bool IsPart; ///< what is looked at is not all of the condition
    /// Whether the program goes on behind the condition.
    bool returns() const {
      const BasicBlock *Next = Of.Branch->getSuccessor(Of.Holds ? 0 : 1);
      return !isa<UnreachableInst>(Next->getTerminator());
    }
  };
  void need(const Value *Condition, bool Holds, const Need &For, unsigned Depth);
  void needNoDifference(const Value *Collected, const Need &For, unsigned Depth);
  void note(const Instruction &Compared, bool Outcome, const Need &For);

  OwnCounters Own;
  CountersBehind All;
  DenseMap<const Instruction *, Tie> Ties;
  DenseMap<const Instruction *, std::array<uint64_t, 2>> Needing; ///< by outcome
  DenseMap<const Value *, std::array<Condition, 2>> Joined;       ///< by outcome
};

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
const Value *comparedAtOnce(const Instruction &I, bool Holds, bool *Outcome) {
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
const BasicBlock *blockBehind(const CallBase &Call) {
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

/// How often tracing is on: hardly ever.
enum { WeightTraced = 1, WeightPlain = 1 << 20 };

/// Order of the fields in struct cfz_site and struct cfz_case, for addresses of fields.
enum SiteField { CounterTrueField = 9, CounterFalseField = 10 };
enum CaseField { CaseCounterField = 1 };

} // namespace

/// One function while its sites are written.
class SiteWriter::OneFunction {
public:
  OneFunction(SiteWriter &W, Function &F, const Counters &Counts, GlobalVariable *Gate)
      : W(W), M(W.M), Ctx(M.getContext()), F(F), Counts(Counts), Gate(Gate),
        Behind(F, Counts, W.Callees), I8(Type::getInt8Ty(Ctx)), I16(Type::getInt16Ty(Ctx)),
        I32(Type::getInt32Ty(Ctx)), I64(Type::getInt64Ty(Ctx)), Ptr(compat::anyPointer(Ctx)),
        CaseTy(StructType::get(Ctx, {I64, I32, I16, I16})),
        SiteTy(StructType::get(
            Ctx, {I8, I8, I8, I8, I32, Ptr, Ptr, I32, I32, I32, I32, I32, I32, I32, I32})) {}

  void write();

private:
  /// A comparison and one site of it.
  struct Site {
    Instruction *I;
    Comparison What;
    bool High; ///< the high half of 128 bits; the low half follows
    /// Then all sites of a call stand in a row, and have one hook.
    bool isThroughPointer() const {
      const auto *Call = dyn_cast<CallBase>(I);
      return Call && Call->isIndirectCall();
    }
  };

  SmallVector<Site, 32> findSites();
  Constant *initializer(const Site &S, uint64_t Index);
  Constant *cases(const SwitchInst &I, bool Signed);
  Constant *counterOffset(std::optional<uint64_t> Counter, GlobalVariable *Array, uint64_t Index,
                          unsigned Field);
  Constant *joinedOffset(const Outcomes::Condition &Of, uint64_t Index, unsigned Field);
  unsigned flagsOf(const Site &S);
  /// What a condition has as its part where S is: the comparison, or a flag that a branch asks for.
  static const Value &partOf(const Site &S) {
    return isa<BranchInst>(S.I) ? *S.What.A : *static_cast<const Value *>(S.I);
  }
  Instruction *gate(Instruction *Before, const Instruction &At);
  void callHook(const Site &S, uint64_t Index);
  Value *numberOf(IRBuilder<> &B, const Value *V, const Site &S);
  Value *inMemory(IRBuilder<> &B, const Value *Vector);
  Value *loadField(IRBuilder<> &B, Value *Object, Type *Ty, uint64_t Offset);
  Constant *element(GlobalVariable *Array, uint64_t Index) {
    return ConstantExpr::getInBoundsGetElementPtr(
        Array->getValueType(), Array,
        ArrayRef<Constant *>{ConstantInt::get(I64, 0), ConstantInt::get(I64, Index)});
  }
  Constant *field(GlobalVariable *Array, uint64_t Index, unsigned Field) {
    return ConstantExpr::getInBoundsGetElementPtr(
        Array->getValueType(), Array,
        ArrayRef<Constant *>{ConstantInt::get(I64, 0), ConstantInt::get(I64, Index), u32(Field)});
  }
  Constant *u8(unsigned N) { return ConstantInt::get(I8, N); }
  Constant *u16(uint64_t N) { return ConstantInt::get(I16, std::min<uint64_t>(N, UINT16_MAX)); }
  Constant *u32(uint64_t N) { return ConstantInt::get(I32, N); }

  SiteWriter &W;
  Module &M;
  LLVMContext &Ctx;
  Function &F;
  const Counters &Counts;
  GlobalVariable *Gate;
  Outcomes Behind;
  IntegerType *I8, *I16, *I32, *I64;
  PointerType *Ptr;
  StructType *CaseTy, *SiteTy; ///< struct cfz_case, struct cfz_site
  GlobalVariable *Sites = nullptr;
  DenseMap<std::pair<const BranchInst *, unsigned>, uint64_t> FirstParts; ///< by condition
};

SmallVector<SiteWriter::OneFunction::Site, 32> SiteWriter::OneFunction::findSites() {
  SmallVector<Site, 32> Result;
  KnownOutcomes Known(F);
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      const auto *Cmp = dyn_cast<ICmpInst>(&I);
      if (I.getType()->isVectorTy() && Gate)
        continue; // a gate for each number would be many
      if (Cmp && !I.getType()->isVectorTy() && (Known.countsRounds(*Cmp) || Known.isKnown(*Cmp)))
        continue;
      for (const Comparison &What : comparisonsOf(I)) {
        if (What.Width == 128)
          Result.push_back({&I, What, true});
        Result.push_back({&I, What, false});
      }
    }
  return Result;
}

void SiteWriter::OneFunction::write() {
  SmallVector<Site, 32> Found = findSites();
  if (Found.empty())
    return;
  ArrayType *ArrayTy = ArrayType::get(SiteTy, Found.size());
  Sites = W.Data.make(Counts, ArrayTy, false, CFZ_SECTION_SITES, "cfuzz.sites");
  SmallVector<Constant *, 32> Init;
  for (uint64_t I = 0; I != Found.size(); ++I)
    Init.push_back(initializer(Found[I], I));
  Sites->setInitializer(ConstantArray::get(ArrayTy, Init));
  for (uint64_t I = 0; I != Found.size(); ++I)
    if (I == 0 || Found[I].I != Found[I - 1].I || !Found[I].isThroughPointer())
      callHook(Found[I], I);
}

unsigned SiteWriter::OneFunction::flagsOf(const Site &S) {
  if (const auto &Text = S.What.Text) {
    unsigned Flags = S.What.Wanted.empty() ? 0 : CFZ_SITE_CONST_B | CFZ_SITE_EXAMPLE;
    const auto *Call = cast<CallBase>(S.I);
    for (unsigned P = 0; P != Text->Params.size(); ++P) {
      const Value *Arg = Call->getArgOperand(P);
      if (Text->Params[P] == 'a' && isConstantText(Arg))
        Flags |= CFZ_SITE_CONST_A;
      if ((Text->Params[P] == 'b' && isConstantText(Arg)) ||
          (Text->Params[P] == 'c' && isa<Constant>(Arg)))
        Flags |= CFZ_SITE_CONST_B;
    }
    return Flags;
  }
  bool LowHalf = S.What.Width == 128 && !S.High;
  return (S.What.Signed && !LowHalf ? CFZ_SITE_SIGNED : 0) |
         (S.What.A && isa<Constant>(S.What.A) ? CFZ_SITE_CONST_A : 0) |
         (S.What.B && isa<Constant>(S.What.B) ? CFZ_SITE_CONST_B : 0) |
         (S.High ? CFZ_SITE_HIGH : 0) | (S.What.Before ? CFZ_SITE_UNASKED : 0);
}

/// Bytes from a field of Array[Index] to a counter, or 0.
Constant *SiteWriter::OneFunction::counterOffset(std::optional<uint64_t> Counter,
                                                 GlobalVariable *Array, uint64_t Index,
                                                 unsigned Field) {
  return Counter ? offsetBetween(M, field(Array, Index, Field), element(Counts.Array, *Counter))
                 : u32(0);
}

/// Bytes from a field of a site to the counter behind a condition; where that never returns, to the
/// first site that is a part of it, which tells conditions apart as well.
Constant *SiteWriter::OneFunction::joinedOffset(const Outcomes::Condition &Of, uint64_t Index,
                                                unsigned Field) {
  if (Of.Counter)
    return counterOffset(Of.Counter, Sites, Index, Field);
  uint64_t First = FirstParts.try_emplace({Of.Branch, Of.Holds}, Index).first->second;
  return offsetBetween(M, field(Sites, Index, Field), element(Sites, First));
}

/// struct cfz_case[], sorted by the numbers as they are extended.
Constant *SiteWriter::OneFunction::cases(const SwitchInst &I, bool Signed) {
  struct Case {
    uint64_t Number;
    unsigned Successor;
    CountersBehind::Case Behind;
  };
  SmallVector<Case, 16> Sorted;
  SmallVector<CountersBehind::Case, 16> All = Behind.casesOf(I);
  for (const auto &C : I.cases()) {
    const APInt &Number = C.getCaseValue()->getValue();
    Sorted.push_back({Signed ? static_cast<uint64_t>(Number.getSExtValue()) : Number.getZExtValue(),
                      C.getSuccessorIndex(), All[Sorted.size()]});
  }
  std::sort(Sorted.begin(), Sorted.end(),
            [](const Case &X, const Case &Y) { return X.Number < Y.Number; });
  ArrayType *ArrayTy = ArrayType::get(CaseTy, Sorted.size());
  GlobalVariable *Array = W.Data.make(Counts, ArrayTy, true, nullptr, "cfuzz.cases");
  SmallVector<Constant *, 16> Init;
  DenseMap<unsigned, uint64_t> Bodies; // the first case of each
  for (uint64_t N = 0; N != Sorted.size(); ++N)
    Init.push_back(ConstantStruct::get(
        CaseTy, {ConstantInt::get(I64, Sorted[N].Number),
                 counterOffset(Behind.behind(I, Sorted[N].Successor), Array, N, CaseCounterField),
                 u16(Sorted[N].Behind.Count),
                 u16(Bodies.try_emplace(Sorted[N].Behind.Body, N).first->second)}));
  Array->setInitializer(ConstantArray::get(ArrayTy, Init));
  return ConstantExpr::getPointerCast(Array, Ptr);
}

/// Where a comparison stands for people: of what a header of the system has inlined, such as
/// std::string's operators, where that was called.
static const DILocation *placeOf(const Instruction &I) {
  const DILocation *Loc = I.getDebugLoc();
  auto IsSystem = [](StringRef File) {
    return File.take_front(13) == "/usr/include/" || File.take_front(9) == "/usr/lib/" ||
           File.contains("/include/c++/");
  };
  while (Loc && Loc->getInlinedAt() && IsSystem(Loc->getFilename()))
    Loc = Loc->getInlinedAt();
  return Loc;
}

/// struct cfz_site
Constant *SiteWriter::OneFunction::initializer(const Site &S, uint64_t Index) {
  std::optional<uint64_t> True, False;
  uint64_t NeedTrue = 0, NeedFalse = 0;
  const Outcomes::Condition *JoinedTrue = nullptr, *JoinedFalse = nullptr;
  const auto *Switch = dyn_cast<SwitchInst>(S.I);
  if (Switch) {
    False = Behind.behind(*Switch, 0); // the default
    NeedFalse = Behind.countBehind(*Switch, 0);
  } else if (S.What.Width != 128) { // neither half decides
    NeedTrue = Behind.countNeeding(*S.I, true);
    NeedFalse = Behind.countNeeding(*S.I, false);
    if (auto Tie = Behind.tieOf(*S.I)) {
      True = Behind.behind(*Tie->Branch, Tie->True);
      False = Behind.behind(*Tie->Branch, Tie->True ^ 1);
    } else {
      const Value &Part = partOf(S);
      JoinedTrue = Behind.joined(Part, true);
      JoinedFalse = Behind.joined(Part, false);
    }
    // Of bytes that is asked whether they are equal.
    const auto *Cmp = dyn_cast<ICmpInst>(S.I);
    if (Cmp && S.What.Kind == CFZ_SITE_MEM && Cmp->getPredicate() == CmpInst::ICMP_NE) {
      std::swap(JoinedTrue, JoinedFalse);
      std::swap(NeedTrue, NeedFalse);
    }
  }
  const DILocation *Loc = placeOf(*S.I);
  return ConstantStruct::get(
      SiteTy, {u8(S.What.Kind), u8(S.What.Predicate), u8(std::min(S.What.Width, 64u)),
               u8(flagsOf(S) | (JoinedTrue || JoinedFalse ? CFZ_SITE_JOINED : 0)),
               u32(Switch ? Switch->getNumCases() : 0),
               Switch ? cases(*Switch, S.What.Signed) : ConstantPointerNull::get(Ptr),
               W.text(Loc ? Loc->getFilename() : ""), u32(Loc ? Loc->getLine() : 0),
               u32(Loc ? Loc->getColumn() : 0),
               JoinedTrue ? joinedOffset(*JoinedTrue, Index, CounterTrueField)
                          : counterOffset(True, Sites, Index, CounterTrueField),
               JoinedFalse ? joinedOffset(*JoinedFalse, Index, CounterFalseField)
                           : counterOffset(False, Sites, Index, CounterFalseField),
               u32(NeedTrue), u32(NeedFalse), u32(0), u32(0)});
}

/// V as hooks take numbers: extended, or the bits of a float.
Value *SiteWriter::OneFunction::numberOf(IRBuilder<> &B, const Value *Number, const Site &S) {
  auto *V = const_cast<Value *>(Number);
  if (S.What.Lane >= 0)
    V = B.CreateExtractElement(V, uint64_t(S.What.Lane));
  if (S.What.Kind == CFZ_SITE_FLOAT)
    return B.CreateZExt(B.CreateBitCast(V, B.getIntNTy(S.What.Width)), I64);
  if (S.What.Width == 128)
    return B.CreateTrunc(S.High ? B.CreateLShr(V, 64) : V, I64);
  return S.What.Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64);
}

/// What stands in an object so many bytes behind its beginning.
Value *SiteWriter::OneFunction::loadField(IRBuilder<> &B, Value *Object, Type *Ty,
                                          uint64_t Offset) {
  Value *At = B.CreateConstInBoundsGEP1_64(I8, B.CreatePointerCast(Object, Ptr), Offset);
  LoadInst *Load = B.CreateLoad(Ty, B.CreatePointerCast(At, compat::pointerTo(Ty)));
  setNoSanitize(Load);
  return Load;
}

/// Where the hook goes that belongs to At and has its place before Before.
Instruction *SiteWriter::OneFunction::gate(Instruction *Before, const Instruction &At) {
  if (!Gate)
    return Before;
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(At.getDebugLoc());
  MDNode *Weights;
  Value *On = askTracing(B, Gate, &Weights);
  return SplitBlockAndInsertIfThen(On, Before, false, Weights);
}

/// The address of the bytes of a vector.
Value *SiteWriter::OneFunction::inMemory(IRBuilder<> &B, const Value *Vector) {
  auto *V = const_cast<Value *>(Vector);
  IRBuilder<> AtEntry(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Room = AtEntry.CreateAlloca(V->getType());
  StoreInst *Store = B.CreateStore(V, Room);
  setNoSanitize(Store);
  return B.CreatePointerCast(Room, Ptr);
}

void SiteWriter::OneFunction::callHook(const Site &S, uint64_t Index) {
  Constant *Site = ConstantExpr::getPointerCast(element(Sites, Index), Ptr);
  if (const auto &Text = S.What.Text) {
    auto *Call = cast<CallBase>(S.I);
    auto *Invoke = dyn_cast<InvokeInst>(Call);
    // After it, so that a sanitizer reports first.
    IRBuilder<> B(gate(Invoke ? &*SplitEdge(Invoke->getParent(), Invoke->getNormalDest())->begin()
                              : Call->getNextNode(),
                       *Call));
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    Value *NoPointer = ConstantPointerNull::get(Ptr), *NoSize = ConstantInt::get(I64, 0);
    Value *A = NoPointer, *N = NoSize, *Other = NoPointer, *M = NoSize;
    for (unsigned P = 0; P != Text->Params.size(); ++P) {
      Value *Arg = Call->getArgOperand(P);
      switch (Text->Params[P]) {
      case 'a':
        A = B.CreatePointerCast(Arg, Ptr);
        break;
      case 'b':
        Other = B.CreatePointerCast(Arg, Ptr);
        break;
      case 'n':
        N = B.CreateZExtOrTrunc(Arg, I64);
        break;
      case 'm':
        M = B.CreateZExtOrTrunc(Arg, I64);
        break;
      case 'A':
        A = loadField(B, Arg, Ptr, 0);
        break;
      case 'B':
        Other = loadField(B, Arg, Ptr, 0);
        break;
      case 'S':
        A = loadField(B, Arg, Ptr, 0);
        N = loadField(B, Arg, I64, 8);
        break;
      case '-':
        break;
      default: // c, converted as the function does
        M = B.CreateZExt(B.CreateZExtOrTrunc(Arg, I8), I64);
      }
    }
    if (!S.What.Wanted.empty())
      Other = W.text(S.What.Wanted);
    if (S.isThroughPointer()) {
      Value *Kinds = ConstantInt::get(I64, textBehindPointer(Call).size());
      B.CreateCall(W.hook(CFZ_SYM_TRACE_CALL, {Ptr, I64, Ptr, Ptr, Ptr, I64}),
                   {Site, Kinds, B.CreatePointerCast(Call->getCalledOperand(), Ptr), A, Other, N});
      return;
    }
    B.CreateCall(W.hook(CFZ_SYM_TRACE_TEXT, {Ptr, Ptr, I64, Ptr, I64}), {Site, A, N, Other, M});
    return;
  }
  IRBuilder<> B(gate(S.What.Before ? S.What.Before : S.I, *S.I));
  B.SetCurrentDebugLocation(S.I->getDebugLoc()); // Before is perhaps of a block of its own
  if (S.What.Kind == CFZ_SITE_MEM) {
    B.CreateCall(
        W.hook(CFZ_SYM_TRACE_TEXT, {Ptr, Ptr, I64, Ptr, I64}),
        {Site, inMemory(B, S.What.A),
         ConstantInt::get(I64, cast<FixedVectorType>(S.What.A->getType())->getNumElements()),
         inMemory(B, S.What.B), ConstantInt::get(I64, 0)});
    return;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(S.I))
    B.CreateCall(W.hook(CFZ_SYM_TRACE_SWITCH, {Ptr, I64}),
                 {Site, numberOf(B, Switch->getCondition(), S)});
  else
    B.CreateCall(W.hook(CFZ_SYM_TRACE_NUMBER, {Ptr, I64, I64}),
                 {Site, numberOf(B, S.What.A, S), numberOf(B, S.What.B, S)});
}

size_t countSites(BasicBlock &B) {
  size_t N = 0;
  for (Instruction &I : B)
    N += comparisonsOf(I).size();
  return N;
}

size_t countSites(Function &F) {
  size_t N = 0;
  for (BasicBlock &B : F)
    N += countSites(B);
  return N;
}

/// Moves what a branch alone asks for down to it, where it was hoisted to a block before: there it
/// would be told of, and tried, before the comparisons between are what they have to be.
static void sinkConditions(Function &F) {
  for (BasicBlock &B : F) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    SmallVector<std::pair<Value *, Instruction *>, 8> Below{{Branch->getCondition(), Branch}};
    while (!Below.empty()) {
      auto [V, User] = Below.pop_back_val();
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !I->hasOneUse() || !isCondition(*I))
        continue;
      if (I->getParent() != &B)
        I->moveBefore(*User->getParent(), User->getIterator());
      for (Value *Operand : I->operands())
        Below.push_back({Operand, I});
    }
  }
}

Value *askTracing(IRBuilder<> &B, GlobalVariable *Tracing, MDNode **Weights) {
  LoadInst *On = B.CreateAlignedLoad(B.getInt8Ty(), Tracing, Align(1));
  setNoSanitize(On);
  *Weights = MDBuilder(B.getContext()).createBranchWeights(WeightTraced, WeightPlain);
  return B.CreateIsNotNull(On);
}

void SiteWriter::instrument(Function &F, const Counters &Counts, GlobalVariable *Gate) {
  sinkConditions(F);
  OneFunction(*this, F, Counts, Gate).write();
}

/// Weak, so that the object links without our runtime too: then nothing ever calls a copy.
FunctionCallee SiteWriter::hook(const char *Name, ArrayRef<Type *> Params) {
  FunctionCallee Hook = M.getOrInsertFunction(
      Name, FunctionType::get(Type::getVoidTy(M.getContext()), Params, false));
  auto *F = dyn_cast<Function>(Hook.getCallee()->stripPointerCasts());
  if (F && F->isDeclaration()) {
    F->setLinkage(GlobalValue::ExternalWeakLinkage);
    F->setDoesNotThrow();
  }
  return Hook;
}

Constant *SiteWriter::text(StringRef Text) {
  Constant *&Found = Texts[Text];
  if (!Found) {
    Constant *Init = ConstantDataArray::getString(M.getContext(), Text);
    auto *GV = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init,
                                  "cfuzz.file");
    GV->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Found = ConstantExpr::getPointerCast(GV, compat::anyPointer(M.getContext()));
  }
  return Found;
}

} // namespace cfuzz
