//===- LLVMCompat.h - what differs between LLVM 14, 16, 19 and 22 ---------===//
//
// The only file that looks at LLVM_VERSION_MAJOR. Everything else is written
// against what these four have in common, through the names below.
//
//===----------------------------------------------------------------------===//
#ifndef CFUZZ_PLUGIN_LLVMCOMPAT_H
#define CFUZZ_PLUGIN_LLVMCOMPAT_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/SanitizerCoverage.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#if LLVM_VERSION_MAJOR >= 16
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#endif
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace cfuzz {
namespace compat {

/// The major that this plugin is built for; no other clang may load it.
enum { BuiltForMajor = LLVM_VERSION_MAJOR };

#if LLVM_VERSION_MAJOR >= 16
using SanitizerCoverage = llvm::SanitizerCoveragePass;
#else
using SanitizerCoverage = llvm::ModuleSanitizerCoveragePass;
#endif

/// Begins the names of globals that ThreadSanitizer leaves alone; null if none is needed. Before
/// LLVM 19 it ignores nosanitize, but takes globals of that name for gcov's counters, which race by
/// design.
#if LLVM_VERSION_MAJOR >= 19
constexpr const char *UntracedPrefix = nullptr;
#else
constexpr const char *UntracedPrefix = "__llvm_gcov.";
#endif

/// For the section of a global whose name is fixed, the same. It ends like that of clang's
/// counters.
#if LLVM_VERSION_MAJOR >= 19
constexpr const char *UntracedSection = nullptr;
#else
constexpr const char *UntracedSection = "cfuzz__llvm_prf_cnts";
#endif

/// Whether F is built with -fsanitize=numerical.
inline bool isNumericallySanitized(const llvm::Function &F) {
#if LLVM_VERSION_MAJOR >= 19
  return F.hasFnAttribute(llvm::Attribute::SanitizeNumericalStability);
#else
  (void)F;
  return false;
#endif
}

/// The attributes that say which memory a function reads and writes.
#if LLVM_VERSION_MAJOR >= 16
constexpr llvm::Attribute::AttrKind MemoryEffects[] = {llvm::Attribute::Memory};
#else
constexpr llvm::Attribute::AttrKind MemoryEffects[] = {
    llvm::Attribute::ReadNone,
    llvm::Attribute::ReadOnly,
    llvm::Attribute::WriteOnly,
    llvm::Attribute::ArgMemOnly,
    llvm::Attribute::InaccessibleMemOnly,
    llvm::Attribute::InaccessibleMemOrArgMemOnly,
};
#endif

/// Drops what says where the variables of F are. Where its lines are stays.
inline void removeDebugVariables(llvm::Function &F) {
  for (llvm::BasicBlock &B : F)
    for (auto I = B.begin(); I != B.end();) {
      llvm::Instruction &This = *I++;
#if LLVM_VERSION_MAJOR >= 19
      This.dropDbgRecords();
#endif
      if (llvm::isa<llvm::DbgInfoIntrinsic>(This))
        This.eraseFromParent();
    }
}

/// A pointer to Pointee where pointers have types (LLVM 14), else the one pointer type.
inline llvm::PointerType *pointerTo(llvm::Type *Pointee) {
#if LLVM_VERSION_MAJOR >= 17
  return llvm::PointerType::getUnqual(Pointee->getContext());
#else
  return llvm::PointerType::getUnqual(Pointee);
#endif
}

/// What stands for void * in structures: i8 * where pointers have types.
inline llvm::PointerType *anyPointer(llvm::LLVMContext &Ctx) {
  return pointerTo(llvm::Type::getInt8Ty(Ctx));
}

/// Takes GV out of llvm.used and llvm.compiler.used, so that it can be erased.
inline void removeFromUsedLists(llvm::Module &M, llvm::GlobalVariable *GV) {
#if LLVM_VERSION_MAJOR >= 16
  llvm::removeFromUsedLists(M, [GV](llvm::Constant *C) { return C->stripPointerCasts() == GV; });
#else
  for (const char *ListName : {"llvm.used", "llvm.compiler.used"}) {
    llvm::GlobalVariable *List = M.getNamedGlobal(ListName);
    if (!List || !List->hasInitializer())
      continue;
    llvm::SmallVector<llvm::GlobalValue *, 16> Kept;
    for (llvm::Value *Op : List->getInitializer()->operands())
      if (auto *Entry = llvm::dyn_cast<llvm::GlobalValue>(Op->stripPointerCasts()))
        if (Entry != GV)
          Kept.push_back(Entry);
    bool Compiler = List->getName() == "llvm.compiler.used";
    List->eraseFromParent();
    if (Kept.empty())
      continue;
    if (Compiler)
      llvm::appendToCompilerUsed(M, Kept);
    else
      llvm::appendToUsed(M, Kept);
  }
#endif
}

} // namespace compat
} // namespace cfuzz

#endif
