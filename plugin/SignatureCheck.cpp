//===- SignatureCheck.cpp - a fuzz test's parameters against its type list ===//
//
// Every mistake is an error where it was made: at the parameter, with a note at
// the word of the list that it disagrees with, and a fix-it where one exists.
//
//===----------------------------------------------------------------------===//

#include "FuzzTestAttr.h"
#include "core/types.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace cfuzz {
namespace {

bool isPointerToRecord(QualType T, StringRef Name) {
  const auto *P = T.getCanonicalType()->getAs<PointerType>();
  if (!P || P->getPointeeType().hasQualifiers())
    return false;
  const auto *R = P->getPointeeType()->getAs<RecordType>();
  return R && R->getDecl()->getIdentifier() && R->getDecl()->getName() == Name;
}

/// The element type of a pointer to const or non-const Builtin; null for anything else.
bool isPointerToChars(QualType T, bool Unsigned, bool *IsConst) {
  const auto *P = T.getCanonicalType()->getAs<PointerType>();
  if (!P)
    return false;
  const auto *B = P->getPointeeType()->getAs<BuiltinType>();
  if (!B)
    return false;
  *IsConst = P->getPointeeType().isConstQualified();
  BuiltinType::Kind K = B->getKind();
  return Unsigned ? K == BuiltinType::UChar : K == BuiltinType::Char_S || K == BuiltinType::Char_U;
}

bool isInteger(QualType C) {
  return !C->isIncompleteType() && C->isIntegralOrEnumerationType() && !C->isBooleanType() &&
         !C->isBitIntType();
}

bool isSizeT(ASTContext &Ctx, QualType T) {
  QualType C = T.getCanonicalType().getUnqualifiedType();
  return isInteger(C) && C->isUnsignedIntegerOrEnumerationType() &&
         Ctx.getTypeSize(C) == Ctx.getTypeSize(Ctx.getSizeType());
}

/// Whether a parameter of type T takes values of Kind; for []byte, its pointer.
bool accepts(ASTContext &Ctx, cfz_kind Kind, QualType T) {
  QualType C = T.getCanonicalType().getUnqualifiedType();
  bool IsConst = false;
  unsigned Width = cfz_kind_c_width(Kind);
  switch (cfz_kind_family(Kind)) {
  case CFZ_FAMILY_BYTES:
    return isPointerToChars(C, true, &IsConst) && IsConst;
  case CFZ_FAMILY_STRING:
    return isPointerToChars(C, false, &IsConst) && IsConst;
  case CFZ_FAMILY_BOOL:
    return C->isBooleanType();
  case CFZ_FAMILY_FLOAT:
    return C->isSpecificBuiltinType(Width == 32 ? BuiltinType::Float : BuiltinType::Double);
  default:
    return isInteger(C) && Ctx.getTypeSize(C) == Width &&
           (cfz_kind_is_signed(Kind) ? C->isSignedIntegerOrEnumerationType()
                                     : C->isUnsignedIntegerOrEnumerationType());
  }
}

/// The type that a list would have for a parameter of type T; CFZ_KIND_NONE if none.
cfz_kind kindOf(ASTContext &Ctx, QualType T) {
  // int and unsigned first: they are what int32 and uint32 are, and what most mean.
  for (cfz_kind Kind : {CFZ_KIND_INT, CFZ_KIND_UINT})
    if (accepts(Ctx, Kind, T))
      return Kind;
  for (int Kind = CFZ_KIND_BYTES; Kind < CFZ_KIND_COUNT; ++Kind)
    if (accepts(Ctx, static_cast<cfz_kind>(Kind), T))
      return static_cast<cfz_kind>(Kind);
  return CFZ_KIND_NONE;
}

/// Checks one fuzz test. Each method reports its own mistakes and sets Ok to false.
class Checker {
public:
  Checker(ASTContext &Ctx, const FuzzTest &Test)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), Diags(Ctx.getDiagnostics()), Test(Test), Fn(Test.Fn) {
  }

  bool run() {
    checkName();
    checkShape();
    bool Listed = checkList();
    if (Fn->hasPrototype() && checkFirst() && Listed)
      checkValues();
    return Ok;
  }

private:
  void checkName();
  void checkShape();
  bool checkList();
  bool checkFirst();
  void checkValues();
  void checkLength(const ListedType &Type, unsigned DataIndex);
  void wrongType(const ParmVarDecl *P, unsigned Index, const ListedType &Type);
  void missing(const ListedType &Type);
  void extra(const ParmVarDecl *P, unsigned Index);

  template <unsigned N> DiagnosticBuilder error(SourceLocation Loc, const char (&Format)[N]) {
    Ok = false;
    return Diags.Report(Loc, Diags.getCustomDiagID(DiagnosticsEngine::Error, Format));
  }

  SourceLocation nameLoc() const { return SM.getFileLoc(Fn->getLocation()); }

  SourceLocation closingParen() const {
    FunctionTypeLoc TL = Fn->getFunctionTypeLoc();
    return TL.isNull() ? nameLoc() : SM.getFileLoc(TL.getRParenLoc());
  }

  /// How a message calls a parameter: 'flags', or 3 if it has no name.
  static std::string describe(const ParmVarDecl *P, unsigned Index) {
    return P->getName().empty() ? std::to_string(Index + 1) : "'" + P->getName().str() + "'";
  }

  SourceLocation paramLoc(const ParmVarDecl *P) const {
    SourceLocation Loc = P->getLocation();
    return SM.getFileLoc(Loc.isValid() ? Loc : P->getBeginLoc());
  }

  FixItHint replaceType(const ParmVarDecl *P, StringRef Type) const;

  ASTContext &Ctx;
  SourceManager &SM;
  DiagnosticsEngine &Diags;
  const FuzzTest &Test;
  const FunctionDecl *Fn;
  bool Ok = true;
};

/// As Go's rule for test names: "Fuzz", then nothing or anything but a lower-case letter.
void Checker::checkName() {
  StringRef Name = Test.Name;
  if (Fn->getIdentifier() && Fn->getName() != Name) {
    error(nameLoc(), "the name '%0' of this fuzz test is a macro, which makes the function %1")
        << Test.Name << Fn;
    return;
  }
  if (!Name.consume_front("Fuzz"))
    error(nameLoc(), "the name of fuzz test '%0' does not begin with 'Fuzz'") << Test.Name;
  else if (!Name.empty() && Name.front() >= 'a' && Name.front() <= 'z') {
    std::string Better = Test.Name;
    Better[4] += 'A' - 'a';
    error(nameLoc(), "the name of fuzz test '%0' has a lower-case letter after 'Fuzz'")
        << Test.Name
        << FixItHint::CreateReplacement(CharSourceRange::getTokenRange(nameLoc(), nameLoc()),
                                        Better);
  }
}

void Checker::checkShape() {
  if (!Fn->getReturnType()->isVoidType())
    error(nameLoc(), "fuzz test '%0' returns %1; its result must be 'void'")
        << Test.Name << Fn->getReturnType();
  if (!Fn->hasPrototype())
    error(nameLoc(), "fuzz test '%0' has no prototype: parameters belong between its parentheses")
        << Test.Name;
  else if (Fn->isVariadic())
    error(SM.getFileLoc(Fn->getEllipsisLoc()),
          "fuzz test '%0' has variable arguments; it must have one parameter per value")
        << Test.Name;
}

/// The list by itself: known words, at least one, not too many.
bool Checker::checkList() {
  if (Test.Types.empty()) {
    error(nameLoc(), "fuzz test '%0' lists no types; it needs at least one value: "
                     "FUZZ_TEST(%0, []byte)")
        << Test.Name;
    return false;
  }
  if (Test.Types.size() > CFZ_VALUES_MAX) {
    error(nameLoc(), "fuzz test '%0' lists %1 types; at most %2 are supported")
        << Test.Name << static_cast<unsigned>(Test.Types.size())
        << static_cast<unsigned>(CFZ_VALUES_MAX);
    return false;
  }
  bool Known = true;
  for (const ListedType &Type : Test.Types) {
    if (Type.Kind != CFZ_KIND_NONE)
      continue;
    Known = false;
    SourceLocation Loc = Type.Begin.isValid() ? Type.Begin : nameLoc();
    if (Type.Word.empty()) {
      error(Loc, "nothing between the commas in the type list of fuzz test '%0'") << Test.Name;
      continue;
    }
    if (const char *Similar = similarType(Type.Word)) {
      auto D = error(Loc, "unknown type '%0' in the type list of fuzz test '%1'; did you mean "
                          "'%2'?");
      D << Type.Word << Test.Name << Similar;
      if (Type.Begin.isValid())
        D << FixItHint::CreateReplacement(CharSourceRange::getCharRange(Type.Begin, Type.End),
                                          Similar);
    } else {
      error(Loc, "unknown type '%0' in the type list of fuzz test '%1'") << Type.Word << Test.Name;
    }
    Diags.Report(Loc, Diags.getCustomDiagID(DiagnosticsEngine::Note,
                                            "accepted are %0, and C's names for them, such as "
                                            "size_t and double"))
        << acceptedTypes();
  }
  return Known;
}

bool Checker::checkFirst() {
  if (!Test.TakesT) {
    if (Fn->getNumParams() == 0 || !isPointerToRecord(Fn->getParamDecl(0)->getType(), "cfuzz_t"))
      return true;
    error(paramLoc(Fn->getParamDecl(0)),
          "fuzz test '%0' is a FUZZ_TEST_VALUES, which has no 'cfuzz_t *'; FUZZ_TEST has one")
        << Test.Name;
    return false;
  }
  if (Fn->getNumParams() == 0) {
    error(closingParen(), "fuzz test '%0' has no parameters; the first must be 'cfuzz_t *'")
        << Test.Name;
    return false;
  }
  const ParmVarDecl *P = Fn->getParamDecl(0);
  if (isPointerToRecord(P->getType(), "cfuzz_t"))
    return true;
  error(paramLoc(P), "the first parameter of fuzz test '%0' is %1; it must be 'cfuzz_t *', or "
                     "the test a FUZZ_TEST_VALUES")
      << Test.Name << P->getType()
      << FixItHint::CreateInsertion(SM.getFileLoc(P->getBeginLoc()), "cfuzz_t *t, ");
  return false;
}

void Checker::checkValues() {
  unsigned Next = Test.firstValue(), Count = Fn->getNumParams();
  for (const ListedType &Type : Test.Types) {
    if (Next == Count) {
      missing(Type);
      return;
    }
    const ParmVarDecl *P = Fn->getParamDecl(Next);
    bool Fits = accepts(Ctx, Type.Kind, P->getType());
    if (!Fits)
      wrongType(P, Next, Type);
    if (cfz_kind_is_bytes(Type.Kind)) {
      // If the data does not fit, the next parameter counts as the length only if it is a size_t.
      if (Fits || (Next + 1 < Count && isSizeT(Ctx, Fn->getParamDecl(Next + 1)->getType()))) {
        checkLength(Type, Next);
        Next += Next + 1 < Count;
      }
    }
    ++Next;
  }
  for (; Next < Count; ++Next)
    extra(Fn->getParamDecl(Next), Next);
}

/// A []byte is two parameters; DataIndex is the first.
void Checker::checkLength(const ListedType &Type, unsigned DataIndex) {
  const ParmVarDecl *Data = Fn->getParamDecl(DataIndex);
  if (DataIndex + 1 >= Fn->getNumParams()) {
    error(closingParen(), "[]byte is two parameters of fuzz test '%0': a 'size_t' with the length "
                          "must follow %1")
        << Test.Name << describe(Data, DataIndex)
        << FixItHint::CreateInsertion(closingParen(), ", size_t len");
    noteListed(Ctx, Test, Type);
    return;
  }
  const ParmVarDecl *Length = Fn->getParamDecl(DataIndex + 1);
  if (isSizeT(Ctx, Length->getType()))
    return;
  error(paramLoc(Length), "parameter %0 of fuzz test '%1' is %2; the length of []byte %3 must be "
                          "'size_t'")
      << describe(Length, DataIndex + 1) << Test.Name << Length->getType()
      << describe(Data, DataIndex) << replaceType(Length, "size_t");
  noteListed(Ctx, Test, Type);
}

void Checker::wrongType(const ParmVarDecl *P, unsigned Index, const ListedType &Type) {
  bool IsConst = true;
  const char *Want = cfz_kind_row(Type.Kind)->c_name;
  FixItHint Fix = replaceType(P, Want);
  if (cfz_kind_is_slot(Type.Kind) &&
      isPointerToChars(P->getType(), cfz_kind_is_bytes(Type.Kind), &IsConst) && !IsConst)
    error(paramLoc(P), "parameter %0 of fuzz test '%1' is %2, but a test must not write to its "
                       "input; '%3' is '%4'")
        << describe(P, Index) << Test.Name << P->getType() << Type.Word << Want << Fix;
  else
    error(paramLoc(P), "parameter %0 of fuzz test '%1' is %2, but the list declares '%3'"
                       "%select{, which is '%5'|}4")
        << describe(P, Index) << Test.Name << P->getType() << Type.Word << (Type.Word == Want)
        << Want << Fix;
  noteListed(Ctx, Test, Type);
}

void Checker::missing(const ListedType &Type) {
  std::string Text = std::string(", ") + cfz_kind_row(Type.Kind)->c_name;
  if (Text.back() != '*')
    Text += ' ';
  Text += cfz_kind_is_bytes(Type.Kind) ? "data, size_t len" : "value";
  error(closingParen(), "fuzz test '%0' has no parameter for type '%1' of its list")
      << Test.Name << Type.Word << FixItHint::CreateInsertion(closingParen(), Text);
  noteListed(Ctx, Test, Type);
}

void Checker::extra(const ParmVarDecl *P, unsigned Index) {
  auto D = error(paramLoc(P), "parameter %0 of fuzz test '%1' has no type in the list");
  D << describe(P, Index) << Test.Name;
  cfz_kind Kind = kindOf(Ctx, P->getType());
  const ListedType &Last = Test.Types.back();
  if (Kind != CFZ_KIND_NONE && Last.End.isValid() && Index + 1 == Fn->getNumParams())
    D << FixItHint::CreateInsertion(Last.End, std::string(", ") + cfz_kind_name(Kind));
}

/// A fix-it that replaces the type. It begins where the declaration does, since TypeLoc's range
/// leaves out a leading const. It is empty if the type is on both sides of the name (arrays,
/// functions) or comes out of a macro.
FixItHint Checker::replaceType(const ParmVarDecl *P, StringRef Type) const {
  SourceLocation Begin = P->getBeginLoc(), Name = P->getLocation();
  if (!Begin.isFileID() || !Name.isFileID() || P->getOriginalType()->isArrayType() ||
      P->getOriginalType()->isFunctionType() || P->getType()->isFunctionPointerType())
    return FixItHint();
  if (P->getName().empty())
    return FixItHint::CreateReplacement(CharSourceRange::getTokenRange(Begin, P->getEndLoc()),
                                        Type);
  std::string Text = Type.str();
  if (Text.back() != '*')
    Text += ' ';
  return FixItHint::CreateReplacement(CharSourceRange::getCharRange(Begin, Name), Text);
}

} // namespace

bool checkSignature(ASTContext &Ctx, const FuzzTest &Test) { return Checker(Ctx, Test).run(); }

bool checkSetup(ASTContext &Ctx, const FuzzSetup &Setup) {
  DiagnosticsEngine &Diags = Ctx.getDiagnostics();
  SourceManager &SM = Ctx.getSourceManager();
  const FunctionDecl *Fn = Setup.Fn;
  SourceLocation Loc = Fn->getLocation();
  if (Fn->hasPrototype() && !Fn->isVariadic() && Fn->getNumParams() == 1 &&
      isPointerToRecord(Fn->getParamDecl(0)->getType(), "cfuzz_f") &&
      Fn->getReturnType()->isVoidType())
    return true;
  // At the first parameter that should not be there, if it is one.
  if (Fn->getNumParams() > 0) {
    bool FirstFits = isPointerToRecord(Fn->getParamDecl(0)->getType(), "cfuzz_f");
    if (!FirstFits || Fn->getNumParams() > 1)
      Loc = Fn->getParamDecl(FirstFits ? 1 : 0)->getLocation();
  }
  Diags.Report(SM.getFileLoc(Loc),
               Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                     "FUZZ_SETUP(%0) must have one parameter, 'cfuzz_f *'"))
      << Setup.Name;
  return false;
}

std::string encodeLayout(const FuzzTest &Test) {
  std::string Text;
  unsigned Next = Test.firstValue();
  for (const ListedType &Type : Test.Types) {
    const ParmVarDecl *P = Test.Fn->getParamDecl(Next);
    Text += (Text.empty() ? "" : ";") + std::to_string(Type.Kind) + ":" +
            std::to_string(cfz_kind_c_width(Type.Kind) / 8) + ":" + P->getName().str();
    Next += cfz_kind_is_bytes(Type.Kind) ? 2 : 1;
  }
  return Text;
}

void noteListed(ASTContext &Ctx, const FuzzTest &Test, const ListedType &Type) {
  DiagnosticsEngine &Diags = Ctx.getDiagnostics();
  SourceLocation Loc =
      Type.Begin.isValid() ? Type.Begin : Ctx.getSourceManager().getFileLoc(Test.Fn->getLocation());
  Diags.Report(Loc, Diags.getCustomDiagID(DiagnosticsEngine::Note, "'%0' is listed here"))
      << Type.Word;
}

} // namespace cfuzz
