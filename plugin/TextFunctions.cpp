//===- TextFunctions.cpp - which functions compare text -------------------===//
//
// The C library's, std::string's, those that the user named (AttrComparator), those that a pointer
// may point to, and scanf, which takes text that its format describes.
//
//===----------------------------------------------------------------------===//

#include "TextFunctions.h"
#include "Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include <cstring>

using namespace llvm;

namespace cfuzz {
namespace {

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

/// What is behind "%[" of a format of scanf, up to and with its "]", taken from it; nothing if it
/// has no end.
std::optional<StringRef> takeSet(StringRef &Format) {
  size_t Begin = Format.take_front(1) == "^" ? 1 : 0;
  size_t End = Format.find(']', Begin + 1); // one that comes first is of the set
  if (Format.empty() || End == StringRef::npos)
    return std::nullopt;
  StringRef Set = Format.substr(0, End);
  Format = Format.drop_front(End + 1);
  return Set;
}

/// Whether C is one of the characters of a set, which may have ranges: "a-z_".
bool isInSet(StringRef Set, char C) {
  for (size_t I = 0; I < Set.size(); ++I) {
    if (I + 2 < Set.size() && Set[I + 1] == '-') {
      if (Set[I] <= C && C <= Set[I + 2])
        return true;
      I += 2;
    } else if (Set[I] == C)
      return true;
  }
  return false;
}

/// One of the characters that a set is of, '\0' if none is known; none of a number, if possible,
/// which a conversion before it would take.
char oneOfSet(StringRef Set) {
  if (Set[0] != '^')
    return Set[0];
  for (char C : StringRef("z_ .,Z0a"))
    if (!isInSet(Set.drop_front(), C))
      return C;
  return '\0';
}

/// A text that a format of scanf reads whole, or "" if none is known: "1-1-1" for "%d-%d-%d".
/// Between conversions that pass over blanks there is one where the first would take what is for
/// the second.
std::string textOfFormat(StringRef Format) {
  std::string Text;
  bool Takes = false; // the last conversion takes what is next, if that is no blank
  while (!Format.empty()) {
    if (Format[0] != '%') {
      Text += Format[0];
      Format = Format.drop_front();
      Takes = false;
      continue;
    }
    Format = Format.drop_front().ltrim("*");
    unsigned Width = 0;
    if (isDigit(Format.take_front(1).empty() ? ' ' : Format[0]) && Format.consumeInteger(10, Width))
      return "";
    Format = Format.ltrim("hlLjztqm");
    if (Format.empty())
      return "";
    char Conversion = Format[0];
    Format = Format.drop_front();
    if (Conversion == '[') {
      std::optional<StringRef> Set = takeSet(Format);
      char One = Set ? oneOfSet(*Set) : '\0';
      if (One == '\0')
        return "";
      Text += One;
      Takes = false;
    } else if (StringRef("diuxXopaAeEfFgGsS").contains(Conversion)) {
      Text += Takes ? " " : "";
      Text += StringRef("sS").contains(Conversion) ? 'a' : '1';
      Takes = true;
    } else if (StringRef("cC").contains(Conversion)) {
      for (unsigned I = 0; I < std::max(Width, 1U); ++I)
        Text += I == 0 && Takes ? ' ' : 'a';
      Takes = false;
    } else if (Conversion == '%') {
      Text += '%';
      Takes = false;
    } else if (Conversion != 'n') {
      return "";
    }
  }
  return Text;
}

} // namespace

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

std::optional<TextFunction> textFunction(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee =
      Call ? dyn_cast<Function>(Call->getCalledOperand()->stripPointerCastsAndAliases()) : nullptr;
  if (!Callee || Call->isMustTailCall() || Callee->getFunctionType() != Call->getFunctionType())
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

} // namespace cfuzz
