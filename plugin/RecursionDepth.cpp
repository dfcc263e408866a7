//===- RecursionDepth.cpp - how deep functions that call themselves go ----===//
//
// A function that can call itself, by way of others of its module too, tells how deep the stack is
// when it is entered. Counters cannot: they stop telling numbers apart at 128.
//
// Before:                          After:
//   define i32 @f(i32 %n) {          define i32 @f(i32 %n) {
//     ...                              %at = call ptr @llvm.addressofreturnaddress.p0()
//     call i32 @f(i32 %less)           %low = load i64, ptr @__sancov_lowest_stack
//     ...                              store i64 umin(%at, %low), ptr @__sancov_lowest_stack
//                                      ...
//
// __sancov_lowest_stack is that of LLVM's own stack-depth, which does the same in every function:
// it is what the runtime reads. Here others pay nothing. A module defines it weakly, as 0: where
// our runtime is not, it stays 0.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Sections.h"
#include "abi.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"

using namespace llvm;

namespace cfuzz {
namespace {

constexpr const char CtorName[] = "cfuzz.depth_ctor";

/// The functions of M that can call themselves, as far as calls name what they call.
SmallPtrSet<const Function *, 16> recursiveFunctions(Module &M) {
  SmallPtrSet<const Function *, 16> Found;
  CallGraph Graph(M);
  for (auto Part = scc_begin(&Graph); !Part.isAtEnd(); ++Part)
    if (Part.hasCycle())
      for (const CallGraphNode *Node : *Part)
        if (Node->getFunction())
          Found.insert(Node->getFunction());
  return Found;
}

/// LLVM's SanitizerCoverage has declared it.
GlobalVariable *lowestStack(Module &M, Type *Word) {
  GlobalVariable *GV = M.getNamedGlobal(CFZ_SYM_LOWEST_STACK);
  if (!GV)
    GV = new GlobalVariable(M, Word, false, GlobalValue::ExternalLinkage, nullptr,
                            CFZ_SYM_LOWEST_STACK, nullptr, GlobalValue::InitialExecTLSModel);
  if (GV->isDeclaration()) {
    GV->setLinkage(GlobalValue::WeakAnyLinkage);
    GV->setInitializer(Constant::getNullValue(GV->getValueType()));
  }
  return GV;
}

/// Nothing but moves and a select, so that the function keeps its blocks.
void tellDepth(Function &F, GlobalVariable *Lowest) {
  Type *Word = Lowest->getValueType();
  IRBuilder<> B(F.getContext());
  insertAtEntry(B, F);
  Value *Here = B.CreateIntrinsic(Intrinsic::addressofreturnaddress,
                                  {compat::anyPointer(F.getContext())}, {});
  Value *Depth = B.CreatePtrToInt(Here, Word);
  LoadInst *Old = B.CreateLoad(Word, Lowest);
  Value *Lower = B.CreateICmpULT(Depth, Old);
  StoreInst *Store = B.CreateStore(B.CreateSelect(Lower, Depth, Old), Lowest);
  setNoSanitize(Old);
  setNoSanitize(Store);
  if (auto *Cmp = dyn_cast<Instruction>(Lower))
    setNoSanitize(Cmp);
}

} // namespace

void tellRecursion(Module &M, ArrayRef<Counters> All) {
  Triple::ArchType Arch = Triple(M.getTargetTriple()).getArch();
  if (Arch != Triple::x86_64 && Arch != Triple::aarch64)
    return;
  SmallPtrSet<const Function *, 16> Recursive = recursiveFunctions(M);
  bool Any = false;
  for (const Counters &C : All) {
    if (!Recursive.count(C.Fn))
      continue;
    tellDepth(*C.Fn, lowestStack(M, M.getDataLayout().getIntPtrType(M.getContext())));
    Any = true;
  }
  if (Any)
    emitConstructor(M, CtorName, CFZ_SYM_DEPTH_INIT,
                    {ConstantInt::get(Type::getInt32Ty(M.getContext()), CFUZZ_ABI)});
}

} // namespace cfuzz
