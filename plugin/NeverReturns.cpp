//===- NeverReturns.cpp - which functions never return --------------------===//
//
// A function that reports an error and ends the program says nothing about what was wrong, but its
// callers do. The driver, which tells crashes apart by their stacks, looks up such functions in
// this list. And each call of one stays a call of its own.
//
//   @cfuzz.noreturn = private constant [10 x i8] c"die\00vdie\00\00", section "cfuzz_noreturn"
//
// Many such functions are not declared noreturn, so the code decides: every way through the
// function ends in a call that does not return. The pass runs first in the pipeline, while
// functions that will be inlined are still there.
//
//===----------------------------------------------------------------------===//

#include "NeverReturns.h"
#include "LLVMCompat.h"
#include "abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cfuzz {
namespace {

using FunctionSet = SmallPtrSet<const Function *, 8>;

bool endsHere(const Instruction &I, const FunctionSet &Never) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && (Call->doesNotReturn() ||
                  (Call->getCalledFunction() && Never.count(Call->getCalledFunction())));
}

/// Whether F has a return that can be reached when no function of Never returns. A function that
/// loops for ever has none.
bool mayReturn(const Function &F, const FunctionSet &Never) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Open{&F.getEntryBlock()};
  while (!Open.empty()) {
    const BasicBlock *B = Open.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    const auto Ends = find_if(*B, [&](const Instruction &I) { return endsHere(I, Never); });
    if (Ends != B->end()) {
      if (const auto *Invoke = dyn_cast<InvokeInst>(&*Ends)) // it may throw, to here
        Open.push_back(Invoke->getUnwindDest());
      continue;
    }
    const Instruction *End = B->getTerminator();
    if (isa<ReturnInst>(End))
      return true;
    for (unsigned I = 0; I != End->getNumSuccessors(); ++I)
      Open.push_back(End->getSuccessor(I));
  }
  return false;
}

/// Keeps calls that do not return apart. Optimizers make one of several, since nothing differs
/// behind them; then a stack does not say any more which assertion of a function failed, or of
/// which one that was inlined.
void keepApart(Module &M, const FunctionSet &Never) {
  for (Function &F : M)
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (endsHere(I, Never))
          cast<CallBase>(I).addFnAttr(Attribute::NoMerge);
}

/// The name that a symbolizer shows: of C++ with the types of parameters.
std::string shownName(const Function &F) {
  const DISubprogram *Info = F.getSubprogram();
  std::string Demangled = demangle(F.getName().str());
  if (Demangled != F.getName() || !Info || Info->getName().empty())
    return Demangled;
  return Info->getName().str();
}

/// Whether the code of F does not say what is done where F is called: it is assembly, or another F
/// may take its place when linking.
bool mayBeOther(const Function &F) {
  return F.hasFnAttribute(Attribute::Naked) || F.isInterposable();
}

} // namespace

void listNeverReturning(Module &M) {
  FunctionSet Never;
  std::string Names;
  bool More = true;
  while (More) { // callers of such functions may be such functions
    More = false;
    for (const Function &F : M) {
      if (F.isDeclaration() || Never.count(&F) ||
          (!F.doesNotReturn() && (mayBeOther(F) || mayReturn(F, Never))))
        continue;
      Never.insert(&F);
      Names += shownName(F);
      Names += '\0';
      More = true;
    }
  }
  keepApart(M, Never);
  if (Names.empty())
    return;
  Constant *Text = ConstantDataArray::getString(M.getContext(), Names);
  auto *List = new GlobalVariable(M, Text->getType(), true, GlobalValue::PrivateLinkage, Text,
                                  "cfuzz.noreturn");
  List->setSection(CFZ_SECTION_NORETURN);
  appendToUsed(M, {List}); // nothing refers to it
}

} // namespace cfuzz
