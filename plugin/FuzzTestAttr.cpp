//===- FuzzTestAttr.cpp - finds fuzz tests, has them checked, hands them on ===//
//
// The header's macros leave annotate("cfuzz.test", name, types),
// for FUZZ_TEST_VALUES with CFZ_ANNOTATION_VALUES behind it, and annotate("cfuzz.setup", name, "") on functions that are otherwise static and
// unused. For each definition this part
//   1. checks it (SignatureCheck.cpp), at the latest moment before the code
//      generator sees it;
//   2. adds `used`, so that it is kept, and annotate("cfuzz.layout:..."), from
//      which the RegistryPass makes the descriptor.
// The descriptor of CFUZZ_DICT is a static variable with annotate("cfuzz.dict"), which gets its
// section here and is kept.
// Functions with no_sanitize("coverage") get an annotation too: before LLVM 16 clang passes the
// attribute on only under -fsanitize-coverage.
// At the end of the file, when setup parts and tests are known in any order, it
// checks seeds, and hands over the options (Options.h).
//
//===----------------------------------------------------------------------===//

#include "FuzzTestAttr.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::StringRef;

namespace cfuzz {
namespace {

StringRef stringArg(const AnnotateAttr *A, unsigned I) {
  if (I >= A->args_size())
    return "";
  const auto *Text = dyn_cast<StringLiteral>(A->args_begin()[I]->IgnoreParenImpCasts());
  return Text ? Text->getString() : "";
}

const AnnotateAttr *findAnnotation(const Decl *D, StringRef Text) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == Text)
      return A;
  return nullptr;
}

bool hasLayout(const Decl *D) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>()) {
    StringRef Text = A->getAnnotation();
    if (Text.consume_front(CFZ_ANNOTATION_LAYOUT))
      return true;
  }
  return false;
}

class FuzzTestConsumer : public ASTConsumer {
public:
  FuzzTestConsumer(CompilerInstance &CI, const Options &Opts) : CI(CI), Opts(Opts) {}

  void Initialize(ASTContext &) override {
    CI.getPreprocessor().addPPCallbacks(recordTypeLists(Locations));
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      visit(D, nullptr);
    return true;
  }

  void HandleTranslationUnit(ASTContext &Ctx) override {
    visitPrecompiled(Ctx);
    checkPairs(Ctx);
    for (Comparator &C : Opts.Comparators)
      checkComparator(Ctx, C);
    if (!Opts.isDefault() && generatesCode())
      handOverOptions(Ctx);
  }

private:
  void visit(Decl *D, std::vector<Decl *> *New);
  void visitFunction(FunctionDecl *F, std::vector<Decl *> *New);
  void visitWords(VarDecl *V, std::vector<Decl *> *New);
  void visitTest(FunctionDecl *F, const AnnotateAttr *A);
  void visitSetup(FunctionDecl *F, const AnnotateAttr *A);
  void visitPrecompiled(ASTContext &Ctx);
  void checkPairs(ASTContext &Ctx);
  void handOverOptions(ASTContext &Ctx);
  bool generatesCode() const;
  void misplaced(const FunctionDecl *F);
  void passOnNoCoverage(FunctionDecl *F);
  void keep(FunctionDecl *F, const std::string &Layout);
  const FuzzTest *find(StringRef Name) const;

  CompilerInstance &CI;
  Options Opts;
  TypeListLocations Locations;
  std::vector<FuzzTest> Tests;
  std::vector<FuzzSetup> Setups;
  std::vector<const FunctionDecl *> Declared; ///< annotated, without a body so far
};

/// Fuzz tests are found at file level, in namespaces and in linkage blocks; elsewhere they are
/// refused. New, if given, gets the functions that were not seen before.
void FuzzTestConsumer::visit(Decl *D, std::vector<Decl *> *New) {
  if (auto *F = dyn_cast<FunctionDecl>(D))
    return visitFunction(F, New);
  if (auto *V = dyn_cast<VarDecl>(D))
    return visitWords(V, New);
  if (auto *T = dyn_cast<FunctionTemplateDecl>(D)) {
    misplaced(T->getTemplatedDecl());
    return passOnNoCoverage(T->getTemplatedDecl());
  }
  if (auto *T = dyn_cast<ClassTemplateDecl>(D))
    return visit(T->getTemplatedDecl(), New);
  if (auto *R = dyn_cast<CXXRecordDecl>(D)) {
    for (Decl *Member : R->decls()) {
      if (auto *T = dyn_cast<FunctionTemplateDecl>(Member))
        Member = T->getTemplatedDecl();
      if (auto *F = dyn_cast<FunctionDecl>(Member)) {
        misplaced(F);
        passOnNoCoverage(F);
      }
      if (isa<CXXRecordDecl, ClassTemplateDecl>(Member) && !Member->isImplicit())
        visit(Member, New);
    }
    return;
  }
  if (isa<NamespaceDecl>(D) || isa<LinkageSpecDecl>(D) || isa<ExportDecl>(D))
    for (Decl *Inner : cast<DeclContext>(D)->decls())
      visit(Inner, New);
}

void FuzzTestConsumer::misplaced(const FunctionDecl *F) {
  if (!findAnnotation(F, CFZ_ANNOTATION_TEST) && !findAnnotation(F, CFZ_ANNOTATION_SETUP))
    return;
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(F->getASTContext().getSourceManager().getFileLoc(F->getLocation()),
               Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                     "%0 must be a plain function of a file or namespace, not a "
                                     "template or a member of a class"))
      << F;
}

void FuzzTestConsumer::passOnNoCoverage(FunctionDecl *F) {
  for (const auto *A : F->specific_attrs<NoSanitizeAttr>())
    for (StringRef Sanitizer : A->sanitizers())
      if (Sanitizer == "coverage" && !findAnnotation(F, NoCoverageAnnotation)) {
        F->addAttr(
            AnnotateAttr::CreateImplicit(F->getASTContext(), NoCoverageAnnotation, nullptr, 0));
        return;
      }
}

void FuzzTestConsumer::visitFunction(FunctionDecl *F, std::vector<Decl *> *New) {
  passOnNoCoverage(F);
  const AnnotateAttr *Test = findAnnotation(F, CFZ_ANNOTATION_TEST);
  const AnnotateAttr *Setup = findAnnotation(F, CFZ_ANNOTATION_SETUP);
  if ((!Test && !Setup) || F->isInvalidDecl())
    return;
  if (!F->isThisDeclarationADefinition()) {
    Declared.push_back(F);
    return;
  }
  for (const FuzzTest &T : Tests)
    if (T.Fn == F)
      return;
  for (const FuzzSetup &S : Setups)
    if (S.Fn == F)
      return;
  if (Test)
    visitTest(F, Test);
  else
    visitSetup(F, Setup);
  if (New)
    New->push_back(F);
}

/// Words are registered by their place alone. -DCFUZZ_TEST, or the plugin when it made a precompiled
/// header, put them there before.
void FuzzTestConsumer::visitWords(VarDecl *V, std::vector<Decl *> *New) {
  if (!findAnnotation(V, CFZ_ANNOTATION_DICT) || V->isInvalidDecl())
    return;
  if (!V->hasAttr<SectionAttr>()) {
    ASTContext &Ctx = V->getASTContext();
    V->addAttr(UsedAttr::CreateImplicit(Ctx));
    V->addAttr(RetainAttr::CreateImplicit(Ctx));
    V->addAttr(SectionAttr::CreateImplicit(Ctx, CFZ_SECTION_TESTS));
  }
  if (New)
    New->push_back(V);
}

/// A fuzz test that came out of a precompiled header made with the plugin has it all already.
void FuzzTestConsumer::keep(FunctionDecl *F, const std::string &Layout) {
  if (hasLayout(F))
    return;
  ASTContext &Ctx = F->getASTContext();
  F->addAttr(UsedAttr::CreateImplicit(Ctx));
  F->addAttr(AnnotateAttr::CreateImplicit(Ctx, CFZ_ANNOTATION_LAYOUT + Layout, nullptr, 0));
}

const FuzzTest *FuzzTestConsumer::find(StringRef Name) const {
  for (const FuzzTest &T : Tests)
    if (T.Name == Name)
      return &T;
  return nullptr;
}

void FuzzTestConsumer::visitTest(FunctionDecl *F, const AnnotateAttr *A) {
  ASTContext &Ctx = F->getASTContext();
  SourceManager &SM = Ctx.getSourceManager();
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  FuzzTest T;
  T.Name = stringArg(A, 0).str();
  T.Fn = F;
  T.TakesT = stringArg(A, 2) != CFZ_ANNOTATION_VALUES;
  T.Types = readTypeList(stringArg(A, 1), Locations, SM.getExpansionLoc(F->getLocation()));

  // Across files the linker says it: the descriptor is one external symbol.
  if (const FuzzTest *Other = find(T.Name)) {
    Diags.Report(
        SM.getFileLoc(F->getLocation()),
        Diags.getCustomDiagID(DiagnosticsEngine::Error, "two fuzz tests have the name '%0'"))
        << T.Name;
    Diags.Report(SM.getFileLoc(Other->Fn->getLocation()),
                 Diags.getCustomDiagID(DiagnosticsEngine::Note, "the other one is here"));
    return;
  }
  T.Valid = checkSignature(Ctx, T);
  if (T.Valid)
    keep(F, encodeLayout(T));
  Tests.push_back(std::move(T));
}

void FuzzTestConsumer::visitSetup(FunctionDecl *F, const AnnotateAttr *A) {
  FuzzSetup S{stringArg(A, 0).str(), F};
  if (checkSetup(F->getASTContext(), S))
    keep(F, "");
  Setups.push_back(std::move(S));
}

/// Functions of a precompiled header are not handed to consumers unless something uses them. Looks
/// through all of it, if it knows cfuzz at all, and has the tests it holds generated.
void FuzzTestConsumer::visitPrecompiled(ASTContext &Ctx) {
  TranslationUnitDecl *TU = Ctx.getTranslationUnitDecl();
  if (!Ctx.getExternalSource() || TU->lookup(&Ctx.Idents.get("cfuzz_t")).empty())
    return;
  std::vector<Decl *> New;
  for (Decl *D : TU->decls())
    visit(D, &New);
  for (Decl *D : New)
    CI.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(D));
}

void FuzzTestConsumer::checkPairs(ASTContext &Ctx) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  for (const FunctionDecl *F : Declared)
    if (!F->isDefined())
      Diags.Report(Ctx.getSourceManager().getFileLoc(F->getLocation()),
                   Diags.getCustomDiagID(DiagnosticsEngine::Warning,
                                         "%0 is declared here, but has no body in this file"))
          << F;
  for (const FuzzSetup &S : Setups) {
    const FuzzTest *T = find(S.Name);
    if (!T)
      Diags.Report(Ctx.getSourceManager().getFileLoc(S.Fn->getLocation()),
                   Diags.getCustomDiagID(DiagnosticsEngine::Warning,
                                         "FUZZ_SETUP(%0) has no FUZZ_TEST(%0, ...) in this file"))
          << S.Name;
    else if (T->Valid)
      checkSeeds(Ctx, S, *T);
  }
}

bool FuzzTestConsumer::generatesCode() const {
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false; // a precompiled header must not carry the options of its own compilation
  }
}

/// Declares a static variable that only carries the annotation; the RegistryPass erases it.
void FuzzTestConsumer::handOverOptions(ASTContext &Ctx) {
  TranslationUnitDecl *TU = Ctx.getTranslationUnitDecl();
  SourceLocation Loc =
      Ctx.getSourceManager().getLocForStartOfFile(Ctx.getSourceManager().getMainFileID());
  VarDecl *Carrier =
      VarDecl::Create(Ctx, TU, Loc, Loc, &Ctx.Idents.get("cfuzz.options"), Ctx.CharTy,
                      Ctx.getTrivialTypeSourceInfo(Ctx.CharTy, Loc), SC_Static);
  Carrier->setImplicit();
  // Without an initialiser it would be a tentative definition in C, which nobody completes.
  Carrier->setInit(
      IntegerLiteral::Create(Ctx, llvm::APInt(Ctx.getIntWidth(Ctx.IntTy), 0), Ctx.IntTy, Loc));
  Carrier->addAttr(UsedAttr::CreateImplicit(Ctx));
  Carrier->addAttr(
      AnnotateAttr::CreateImplicit(Ctx, OptionsAnnotation + Opts.encode(), nullptr, 0));
  TU->addDecl(Carrier);
  CI.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(Carrier));
}

} // namespace

bool FuzzTestAction::ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Args) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  for (const std::string &Arg : Args) {
    std::string Error;
    if (Opts.parse(Arg, Error))
      continue;
    Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "cfuzz: %0")) << Error;
    return false;
  }
  return true;
}

std::unique_ptr<ASTConsumer> FuzzTestAction::CreateASTConsumer(CompilerInstance &CI, StringRef) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  // Both would count every edge twice.
  if (Opts.Coverage && CI.getCodeGenOpts().hasSanitizeCoverage())
    Diags.Report(Diags.getCustomDiagID(
        DiagnosticsEngine::Error,
        "cfuzz: -fsanitize-coverage and -fsanitize=fuzzer-no-link instrument what the plugin "
        "instruments already: leave them out, or give -fplugin-arg-cfuzz-coverage=off"));
  return std::make_unique<FuzzTestConsumer>(CI, Opts);
}

} // namespace cfuzz
