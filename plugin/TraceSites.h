//===- TraceSites.h - the comparisons of a function and their hooks -------===//
#ifndef CFUZZ_PLUGIN_TRACESITES_H
#define CFUZZ_PLUGIN_TRACESITES_H

#include "Behind.h"
#include "Sections.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace cfuzz {

/// How many comparisons hooks are told of.
size_t countSites(llvm::BasicBlock &B);
size_t countSites(llvm::Function &F);

/// Asks the image's byte Tracing. *Weights: of a branch by the result, which hardly ever holds.
llvm::Value *askTracing(llvm::IRBuilder<> &B, llvm::GlobalVariable *Tracing,
                        llvm::MDNode **Weights);

/// Writes the sites of functions that are traced, and the calls of hooks into them.
class SiteWriter {
public:
  SiteWriter(llvm::Module &M, Beside &Data, const PrivateCallees &Callees)
      : M(M), Data(Data), Callees(Callees) {}

  /// Gives each comparison in F a struct cfz_site and a hook. Counts has the counters of F, or of
  /// the function that F is a copy of. Gate: the byte that each hook asks for; null in a copy.
  void instrument(llvm::Function &F, const Counters &Counts, llvm::GlobalVariable *Gate);

private:
  class OneFunction;
  llvm::FunctionCallee hook(const char *Name, llvm::ArrayRef<llvm::Type *> Params);
  llvm::Constant *text(llvm::StringRef Text);

  llvm::Module &M;
  Beside &Data;
  llvm::StringMap<llvm::Constant *> Texts; ///< names of files, and texts that formats want
  const PrivateCallees &Callees;
};

} // namespace cfuzz

#endif
