//===- FuzzTestAttr.h - the AST part: finds fuzz tests and checks them ----===//
#ifndef CFUZZ_PLUGIN_FUZZTESTATTR_H
#define CFUZZ_PLUGIN_FUZZTESTATTR_H

#include "Options.h"
#include "TypeList.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/FrontendAction.h"

namespace cfuzz {

/// A fuzz test of this translation unit.
struct FuzzTest {
  std::string Name;
  clang::FunctionDecl *Fn = nullptr;
  std::vector<ListedType> Types;
  bool TakesT = true; ///< its first parameter is a cfuzz_t *: FUZZ_TEST, not FUZZ_TEST_VALUES

  unsigned firstValue() const { return TakesT ? 1 : 0; }
  bool Valid = false; ///< nothing was wrong with it
};

/// A setup part of this translation unit.
struct FuzzSetup {
  std::string Name;
  clang::FunctionDecl *Fn = nullptr;
};

/// Runs before the code generator sees each declaration. For a valid fuzz test it adds to the
/// function what the RegistryPass needs; for an invalid one, errors at the user's line.
class FuzzTestAction : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &CI,
                                                        llvm::StringRef) override;
  bool ParseArgs(const clang::CompilerInstance &CI, const std::vector<std::string> &Args) override;
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options Opts;
};

// SignatureCheck.cpp

/// Checks name, result, parameters and type list of a fuzz test's definition; reports what is
/// wrong. Returns whether nothing was.
bool checkSignature(clang::ASTContext &Ctx, const FuzzTest &Test);

/// Checks that a setup part takes a cfuzz_f * and nothing else, and returns nothing.
bool checkSetup(clang::ASTContext &Ctx, const FuzzSetup &Setup);

/// What a valid test's layout annotation holds, after its prefix: "1:8:data;8:4:flags" (kind,
/// size of the C parameter, name), one entry per value.
std::string encodeLayout(const FuzzTest &Test);

// ComparatorCheck.cpp, SeedCheck.cpp

/// Checks the calls of cfuzz_add in Setup against the types of its fuzz test. Calls through helper
/// functions are left to the run time.
void checkSeeds(clang::ASTContext &Ctx, const FuzzSetup &Setup, const FuzzTest &Test);

/// Checks what C says against the declarations of its function in this translation unit, and sets
/// C.EndInNul from their types. Reports what is wrong.
void checkComparator(clang::ASTContext &Ctx, Comparator &C);

/// Points a note at the word of the list that Type stands for, or at the test when the place of
/// the word is unknown.
void noteListed(clang::ASTContext &Ctx, const FuzzTest &Test, const ListedType &Type);

} // namespace cfuzz

#endif
