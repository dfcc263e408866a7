//===- TraceSites.h - the comparisons of a function and their hooks -------===//
#ifndef CFUZZ_PLUGIN_TRACESITES_H
#define CFUZZ_PLUGIN_TRACESITES_H

#include "Behind.h"
#include "Sections.h"
#include "llvm/ADT/StringMap.h"

namespace cfuzz {

/// Whether F compares something that a hook is told of.
bool hasSites(llvm::Function &F);

/// Writes the sites of traced copies, and the calls of hooks into them.
class SiteWriter {
public:
  SiteWriter(llvm::Module &M, Beside &Data, const PrivateCallees &Callees)
      : M(M), Data(Data), Callees(Callees) {}

  /// Gives each comparison in Copy a struct cfz_site and a hook. Counts has the counters of the
  /// original, which Copy counts with too.
  void instrument(llvm::Function &Copy, const Counters &Counts);

private:
  class OneCopy;
  llvm::FunctionCallee hook(const char *Name, llvm::ArrayRef<llvm::Type *> Params);
  llvm::Constant *text(llvm::StringRef Text);

  llvm::Module &M;
  Beside &Data;
  llvm::StringMap<llvm::Constant *> Texts; ///< names of files, and texts that formats want
  const PrivateCallees &Callees;
};

} // namespace cfuzz

#endif
