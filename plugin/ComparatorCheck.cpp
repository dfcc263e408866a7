//===- ComparatorCheck.cpp - comparators that the user names, and their types ---===//
//
// //cfuzz:compare my_memeq 0 1 2 says that the first two parameters of my_memeq point to what it
// compares, and that the third one has the size. Here the numbers meet the declarations.
//
//===----------------------------------------------------------------------===//

#include "FuzzTestAttr.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cfuzz {
namespace {

std::string spelled(const Comparator &C) {
  return "//cfuzz:compare " + C.Function + " " + std::to_string(C.A) + " " + std::to_string(C.B) +
         (C.Size < 0 ? "" : " " + std::to_string(C.Size)) +
         (C.Place.empty() ? "" : " (" + C.Place + ")");
}

/// A pointer to bytes, or to nothing in particular.
bool isText(QualType T) {
  if (!T->isPointerType())
    return false;
  QualType To = T->getPointeeType();
  return To->isVoidType() || To->isCharType() || To->isSpecificBuiltinType(BuiltinType::SChar);
}

/// What is wrong with C for F, or "".
std::string wrongWith(const Comparator &C, const FunctionDecl &F) {
  unsigned N = F.getNumParams();
  for (int Wanted : {static_cast<int>(C.A), static_cast<int>(C.B), C.Size})
    if (Wanted >= static_cast<int>(N))
      return "there is no parameter " + std::to_string(Wanted) + ": the function has " +
             std::to_string(N) + ", and the first is 0";
  for (unsigned Text : {C.A, C.B}) {
    QualType T = F.getParamDecl(Text)->getType();
    if (!isText(T))
      return "parameter " + std::to_string(Text) + " is a '" + T.getAsString() +
             "', and not a pointer to char or void";
  }
  if (C.Size >= 0) {
    QualType T = F.getParamDecl(static_cast<unsigned>(C.Size))->getType();
    if (!T->isIntegerType())
      return "parameter " + std::to_string(C.Size) + " is a '" + T.getAsString() +
             "', and not an integer";
  }
  // Passed in memory or in parts it would move the parameters behind it, where the passes look.
  for (const ParmVarDecl *P : F.parameters())
    if (!P->getType()->isScalarType() || F.getASTContext().getTypeSize(P->getType()) > 64)
      return "a parameter of type '" + P->getType().getAsString() + "' is not supported here";
  if (F.getReturnType()->isRecordType())
    return "a function that returns a struct is not supported here";
  return "";
}

} // namespace

void checkComparator(ASTContext &Ctx, Comparator &C) {
  for (NamedDecl *D : Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get(C.Function))) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (!F || !F->hasPrototype())
      continue;
    std::string Wrong = wrongWith(C, *F);
    if (!Wrong.empty()) {
      DiagnosticsEngine &Diags = Ctx.getDiagnostics();
      Diags.Report(F->getLocation(),
                   Diags.getCustomDiagID(DiagnosticsEngine::Error, "cfuzz: %0: %1"))
          << spelled(C) << Wrong;
      return;
    }
    QualType A = F->getParamDecl(C.A)->getType()->getPointeeType();
    C.EndInNul = C.Size < 0 || A->isSpecificBuiltinType(BuiltinType::Char_S) ||
                 A->isSpecificBuiltinType(BuiltinType::Char_U);
  }
}

} // namespace cfuzz
