//===- SeedCheck.cpp - the arguments of cfuzz_add against the test's types ===//
//
// cfuzz_add is a macro. In C it becomes
//     cfuzz_add_args(f, file, line, (const struct cfuzz_arg[]){tag(a), tag(b)}, n)
// with tag the function that _Generic chose, in C++
//     cfuzz_add_seed_(f, file, line, a, b)
// Both are taken apart down to the user's own expressions, whose places are in
// the user's file. The run time checks the same again for what is not constant.
//
//===----------------------------------------------------------------------===//

#include "FuzzTestAttr.h"
#include "core/types.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace clang;
using llvm::StringRef;

namespace cfuzz {
namespace {

/// As cfuzz_arg_kind, with the two signs of integers as one.
enum class Tag { Bool, Integer, Float, Text, Data, Other };

struct Argument {
  const Expr *Value; ///< what the user wrote
  Tag Kind;
};

Tag tagOf(QualType T) {
  QualType C = T.getCanonicalType().getUnqualifiedType();
  if (C->isBooleanType())
    return Tag::Bool;
  if (C->isIntegralOrEnumerationType())
    return Tag::Integer;
  if (C->isRealFloatingType())
    return Tag::Float;
  if (const auto *P = C->getAs<PointerType>()) {
    QualType To = P->getPointeeType().getUnqualifiedType();
    return To->isSpecificBuiltinType(BuiltinType::Char_S) ||
                   To->isSpecificBuiltinType(BuiltinType::Char_U)
               ? Tag::Text
               : Tag::Data;
  }
  return Tag::Other;
}

class SeedVisitor : public RecursiveASTVisitor<SeedVisitor> {
public:
  SeedVisitor(ASTContext &Ctx, const FuzzTest &Test)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), Diags(Ctx.getDiagnostics()), Test(Test) {}

  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier())
      return true;
    std::vector<Argument> Args;
    bool Known = false;
    if (Callee->getName() == "cfuzz_add_args" && Call->getNumArgs() == 5)
      Known = argumentsInC(Call->getArg(3), Args);
    else if (Callee->getName() == "cfuzz_add_seed_" && Call->getNumArgs() >= 3)
      Known = argumentsInCxx(Call, Args);
    if (Known)
      check(SM.getFileLoc(Call->getBeginLoc()), Args);
    return true;
  }

private:
  bool argumentsInC(const Expr *Array, std::vector<Argument> &Args);
  bool argumentsInCxx(const CallExpr *Call, std::vector<Argument> &Args);
  void check(SourceLocation CallLoc, const std::vector<Argument> &Args);
  size_t checkBytes(const ListedType &Type, const std::vector<Argument> &Args, size_t At,
                    bool Short);
  void checkString(const ListedType &Type, const Argument &Arg);
  void checkBool(const ListedType &Type, const Argument &Arg);
  void checkInteger(const ListedType &Type, const Argument &Arg);
  void checkFloat(const ListedType &Type, const Argument &Arg);
  void wrongKind(const ListedType &Type, const Argument &Arg, FixItHint Fix = FixItHint());
  bool constant(const Expr *E, llvm::APSInt &Value) const;
  bool sizeOfObject(const Expr *E, uint64_t &Size) const;

  SourceLocation begin(const Argument &Arg) const {
    return SM.getFileLoc(Arg.Value->getBeginLoc());
  }
  SourceLocation after(const Argument &Arg) const {
    return Lexer::getLocForEndOfToken(SM.getFileLoc(Arg.Value->getEndLoc()), 0, SM,
                                      Ctx.getLangOpts());
  }

  template <unsigned N> DiagnosticBuilder error(SourceLocation Loc, const char (&Format)[N]) {
    return Diags.Report(Loc, Diags.getCustomDiagID(DiagnosticsEngine::Error, Format));
  }

  ASTContext &Ctx;
  SourceManager &SM;
  DiagnosticsEngine &Diags;
  const FuzzTest &Test;
};

/// Takes cfuzz_add's own array apart; false for an array of somebody else.
bool SeedVisitor::argumentsInC(const Expr *Array, std::vector<Argument> &Args) {
  const auto *Literal = dyn_cast<CompoundLiteralExpr>(Array->IgnoreParenImpCasts());
  const auto *List = Literal ? dyn_cast<InitListExpr>(Literal->getInitializer()) : nullptr;
  if (!List)
    return false;
  for (const Expr *Init : List->inits()) {
    const auto *Tagged = dyn_cast<CallExpr>(Init->IgnoreParenImpCasts());
    if (!Tagged || Tagged->getNumArgs() != 1)
      return false;
    const Expr *Value = Tagged->getArg(0);
    // The parameter's type is the one that _Generic chose.
    Args.push_back({Value->IgnoreParenImpCasts(), tagOf(Value->getType())});
  }
  return true;
}

bool SeedVisitor::argumentsInCxx(const CallExpr *Call, std::vector<Argument> &Args) {
  for (unsigned I = 3; I < Call->getNumArgs(); ++I) {
    const Expr *Value = Call->getArg(I);
    if (Value->isTypeDependent() || Value->isValueDependent())
      return false;
    Args.push_back({Value->IgnoreParenImpCasts(), tagOf(Value->getType())});
  }
  return true;
}

void SeedVisitor::check(SourceLocation CallLoc, const std::vector<Argument> &Args) {
  size_t Wanted = 0, At = 0;
  for (const ListedType &Type : Test.Types)
    Wanted += cfz_kind_is_bytes(Type.Kind) ? 2 : 1;
  for (const ListedType &Type : Test.Types) {
    if (At == Args.size()) {
      error(CallLoc, "this seed of fuzz test '%0' has no value for type '%1'")
          << Test.Name << Type.Word;
      noteListed(Ctx, Test, Type);
      return;
    }
    switch (cfz_kind_family(Type.Kind)) {
    case CFZ_FAMILY_BYTES:
      At = checkBytes(Type, Args, At, Args.size() < Wanted);
      continue;
    case CFZ_FAMILY_STRING:
      checkString(Type, Args[At]);
      // CFUZZ_BYTES where a string belongs: its length belongs to it.
      if (Args[At].Kind == Tag::Data && Args.size() > Wanted)
        ++At;
      break;
    case CFZ_FAMILY_BOOL:
      checkBool(Type, Args[At]);
      break;
    case CFZ_FAMILY_FLOAT:
      checkFloat(Type, Args[At]);
      break;
    default:
      checkInteger(Type, Args[At]);
    }
    ++At;
  }
  if (At < Args.size())
    error(begin(Args[At]), "this seed of fuzz test '%0' has more values than the test has types")
        << Test.Name;
}

/// Checks pointer and length, and returns the index of the argument after them. Short says that
/// arguments are missing.
size_t SeedVisitor::checkBytes(const ListedType &Type, const std::vector<Argument> &Args, size_t At,
                               bool Short) {
  const Argument &Data = Args[At];
  bool HasLength = At + 1 < Args.size() && Args[At + 1].Kind == Tag::Integer;
  const auto *Literal = dyn_cast<StringLiteral>(Data.Value);
  if (Literal && (Short || !HasLength)) {
    error(begin(Data), "a []byte of a seed is a pointer and a length; CFUZZ_BYTES gives both")
        << FixItHint::CreateInsertion(begin(Data), "CFUZZ_BYTES(")
        << FixItHint::CreateInsertion(after(Data), ")");
    noteListed(Ctx, Test, Type);
    return At + 1;
  }
  if (Data.Kind != Tag::Data && Data.Kind != Tag::Text) {
    wrongKind(Type, Data);
    return At + 1;
  }
  if (!HasLength) {
    if (Short || At + 1 == Args.size())
      error(begin(Data), "a []byte of a seed is a pointer and a length; the length is missing");
    else
      error(begin(Args[At + 1]), "the length of a []byte is %0; it must be an integer")
          << Args[At + 1].Value->getType();
    noteListed(Ctx, Test, Type);
    return std::min(At + (Short ? 1 : 2), Args.size());
  }
  llvm::APSInt Length;
  if (constant(Args[At + 1].Value, Length)) {
    if (Length.isNegative()) {
      error(begin(Args[At + 1]), "the length of a []byte is negative: %0")
          << llvm::toString(Length, 10);
      noteListed(Ctx, Test, Type);
    } else if (Literal && Length.ugt(Literal->getByteLength() + 1)) {
      error(begin(Args[At + 1]), "the length %0 of a []byte is more than the literal's %1 bytes")
          << llvm::toString(Length, 10) << Literal->getByteLength();
      noteListed(Ctx, Test, Type);
    } else if (uint64_t Size; !Literal && sizeOfObject(Data.Value, Size) && Length.ugt(Size)) {
      error(begin(Args[At + 1]),
            "the length %0 of a []byte is more than the %1 bytes that are there")
          << llvm::toString(Length, 10) << static_cast<unsigned>(Size);
      noteListed(Ctx, Test, Type);
    }
  }
  return At + 2;
}

/// Sets Size to the bytes that are there from E on, if it is an array or a literal, perhaps cast,
/// or the address of an element.
bool SeedVisitor::sizeOfObject(const Expr *E, uint64_t &Size) const {
  uint64_t Offset = 0;
  E = E->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E)) {
    const auto *Element =
        Address->getOpcode() == UO_AddrOf
            ? dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParenCasts())
            : nullptr;
    llvm::APSInt Index;
    if (!Element || !constant(Element->getIdx(), Index) || Index.isNegative() ||
        Index.getActiveBits() > 32 || Element->getType()->isIncompleteType())
      return false;
    Offset = Index.getZExtValue() * Ctx.getTypeSizeInChars(Element->getType()).getQuantity();
    E = Element->getBase()->IgnoreParenCasts();
  }
  const ConstantArrayType *Array = isa<StringLiteral>(E) || isa<DeclRefExpr>(E)
                                       ? Ctx.getAsConstantArrayType(E->getType())
                                       : nullptr;
  if (!Array || Array->isIncompleteType())
    return false;
  uint64_t All = Ctx.getTypeSizeInChars(E->getType()).getQuantity();
  Size = Offset < All ? All - Offset : 0;
  return true;
}

void SeedVisitor::checkString(const ListedType &Type, const Argument &Arg) {
  if (Arg.Kind != Tag::Text)
    return wrongKind(Type, Arg);
  const auto *Literal = dyn_cast<StringLiteral>(Arg.Value);
  size_t Nul = Literal ? Literal->getBytes().find('\0') : StringRef::npos;
  if (Nul == StringRef::npos)
    return;
  error(begin(Arg), "this string has a NUL byte at offset %0, where a C string ends")
      << static_cast<unsigned>(Nul);
  noteListed(Ctx, Test, Type);
}

/// In C before C23, true, comparisons and && are ints, so what is not constant is left to the run
/// time.
void SeedVisitor::checkBool(const ListedType &Type, const Argument &Arg) {
  if (Arg.Kind == Tag::Bool)
    return;
  if (Arg.Kind != Tag::Integer)
    return wrongKind(Type, Arg);
  llvm::APSInt Value;
  if (!constant(Arg.Value, Value) || Value == 0 || Value == 1)
    return;
  error(begin(Arg), "value %0 is out of range for bool") << llvm::toString(Value, 10);
  noteListed(Ctx, Test, Type);
}

void SeedVisitor::checkInteger(const ListedType &Type, const Argument &Arg) {
  if (Arg.Kind != Tag::Integer)
    return wrongKind(Type, Arg);
  llvm::APSInt Value;
  if (!constant(Arg.Value, Value))
    return; // converted with a range check at run time
  unsigned Bits = cfz_kind_c_width(Type.Kind);
  bool Unsigned = cfz_kind_is_unsigned(Type.Kind);
  llvm::APSInt Min = llvm::APSInt::getMinValue(Bits, Unsigned);
  llvm::APSInt Max = llvm::APSInt::getMaxValue(Bits, Unsigned);
  if (llvm::APSInt::compareValues(Value, Min) >= 0 && llvm::APSInt::compareValues(Value, Max) <= 0)
    return;
  error(begin(Arg), "value %0 is out of range for '%1' (%2 to %3)")
      << llvm::toString(Value, 10) << Type.Word << llvm::toString(Min, 10)
      << llvm::toString(Max, 10);
  noteListed(Ctx, Test, Type);
}

void SeedVisitor::checkFloat(const ListedType &Type, const Argument &Arg) {
  if (Arg.Kind == Tag::Integer) {
    const auto *Literal = dyn_cast<IntegerLiteral>(Arg.Value);
    bool Plain = Literal && after(Arg).isFileID();
    return wrongKind(Type, Arg,
                     Plain ? FixItHint::CreateInsertion(after(Arg), ".0")
                           : FixItHint::CreateInsertion(begin(Arg), "(double)"));
  }
  if (Arg.Kind != Tag::Float)
    return wrongKind(Type, Arg);
  llvm::APFloat Value(0.0);
  if (cfz_kind_width(Type.Kind) != 32 || Arg.Value->isValueDependent() ||
      !Arg.Value->EvaluateAsFloat(Value, Ctx) || !Value.isFinite())
    return;
  bool Inexact = false;
  llvm::APFloat::opStatus Status =
      Value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &Inexact);
  if (!(Status & llvm::APFloat::opOverflow))
    return;
  error(begin(Arg), "this value is out of range for '%0'") << Type.Word;
  noteListed(Ctx, Test, Type);
}

void SeedVisitor::wrongKind(const ListedType &Type, const Argument &Arg, FixItHint Fix) {
  error(begin(Arg), "this value of a seed is %0, but the list of fuzz test '%1' declares '%2'")
      << Arg.Value->getType() << Test.Name << Type.Word << Fix;
  noteListed(Ctx, Test, Type);
}

bool SeedVisitor::constant(const Expr *E, llvm::APSInt &Value) const {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->EvaluateAsInt(Result, Ctx))
    return false;
  Value = Result.Val.getInt();
  return true;
}

} // namespace

void checkSeeds(ASTContext &Ctx, const FuzzSetup &Setup, const FuzzTest &Test) {
  SeedVisitor(Ctx, Test).TraverseStmt(Setup.Fn->getBody());
}

} // namespace cfuzz
