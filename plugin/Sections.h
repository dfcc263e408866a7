//===- Sections.h - what lies beside counters, and who announces it -------===//
//
// CoveragePass and TracePass give a function data in sections of ours. It is in
// the comdat of the function's counters, so that a linker keeps or drops all of
// it together; a constructor per linked image announces the sections' bounds.
//
//===----------------------------------------------------------------------===//
#ifndef CFUZZ_PLUGIN_SECTIONS_H
#define CFUZZ_PLUGIN_SECTIONS_H

#include "LLVMCompat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace cfuzz {

/// The counters of one function, as LLVM's SanitizerCoverage made them.
struct Counters {
  llvm::GlobalVariable *Array;
  llvm::Function *Fn;
  uint64_t Count;
};

llvm::SmallVector<Counters, 32> findCounters(llvm::Module &M);

/// Whether U, a user of a function or block, is the table of PCs alone.
bool isTableOfPCs(const llvm::User *U);

/// Makes globals beside counters, and keeps them in the end.
class Beside {
public:
  explicit Beside(llvm::Module &M) : M(M) {}
  ~Beside();
  Beside(const Beside &) = delete;

  /// A private global of zeros beside the counters C; without a section if Section is null.
  llvm::GlobalVariable *make(const Counters &C, llvm::Type *Ty, bool ReadOnly, const char *Section,
                             const char *Name);

private:
  llvm::Module &M;
  llvm::SmallVector<llvm::GlobalValue *, 64> Grouped, Alone; ///< with a comdat, without one
};

/// A bound of a section that the linker defines for this image.
llvm::Constant *sectionBound(llvm::Module &M, const llvm::Twine &Name);

/// if (<Hook>) <Hook>(<Args>); in a constructor, of which an image has one per name and ABI.
void emitConstructor(llvm::Module &M, llvm::StringRef Name, llvm::StringRef Hook,
                     llvm::ArrayRef<llvm::Constant *> Args);

/// <first byte of To> - <first byte of From> in 32 bits: needs no relocation when loaded.
llvm::Constant *offsetBetween(llvm::Module &M, llvm::Constant *From, llvm::Constant *To);

/// Has functions with counters that can call themselves tell how deep they are: RecursionDepth.cpp.
void tellRecursion(llvm::Module &M, llvm::ArrayRef<Counters> All);

/// Has functions with counters tell the states of automata whose moves are in tables:
/// TableStates.cpp.
void tellTableStates(llvm::Module &M, llvm::ArrayRef<Counters> All);

/// Has B insert code that runs when F is entered: behind its variables, at its line.
void insertAtEntry(llvm::IRBuilderBase &B, llvm::Function &F);

/// Keeps ThreadSanitizer, which runs after us, from tracing accesses to GV in F: threads that run
/// the same code would be reported as data races. The name stays private to the object.
void hideFromThreadSanitizer(const llvm::Function &F, llvm::GlobalVariable *GV);

/// The metadata that has sanitizers leave an instruction alone.
void setNoSanitize(llvm::Instruction *I);

} // namespace cfuzz

#endif
