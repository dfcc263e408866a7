//===- CoveragePass.cpp - counters from LLVM, flags and records from us ---===//
//
// Chooses functions, has LLVM's own SanitizerCoverage give them counters and a
// PC table, and adds one flag and one record per function that got counters.
//
// Before:                          After:
//   define i32 @f(i32 %x) comdat     @__sancov_gen_ = [3 x i8], section "__sancov_cntrs",
//   comdat($f) {                                @cfuzz.flag = i8 0, section "cfuzz_flags",
//   comdat($f) entry:                           @cfuzz.rec = {i32 (counters - here), i32 3},
//     ...                                           section "cfuzz_recs", comdat($f)
//                                    define i32 @f(i32 %x) comdat {
//                                    entry:
//                                      store i8 1, ptr @cfuzz.flag, !nosanitize
//                                      ...
//
// What always holds: flag and record of a function are in the comdat of its
// counters, so a linker keeps or drops them together, and both sections list
// the functions of an object in one order: flags[i] belongs to recs[i] in every
// linked image.
//
// A constructor per image (its comdat folds those of all objects) announces
// both sections with bounds that see this image alone: hidden __start_ and
// __stop_. docs/decisions/022-plugin-coverage.md.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Sections.h"
#include "abi.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cfuzz {
namespace {

/// The constructor's comdat.
constexpr const char CtorName[] = "cfuzz.module_ctor";

/// Whether F was defined by cfuzz.h, and so is our code in the user's object; in C++ too, where it
/// is called _Z13cfuzz_arg_of_i, or _ZL... if static.
bool isFromHeader(const Function &F) {
  StringRef Name = F.getName();
  if (Name.consume_front("_Z")) {
    Name.consume_front("L");
    Name = Name.ltrim("0123456789");
  }
  return Name.consume_front("cfuzz_arg_") || Name.consume_front("cfuzz_add_seed_");
}

/// Thunks and setup parts already have the attribute, from the RegistryPass.
void excludeFunctions(Module &M) {
  for (Function &F : M)
    if (isFromHeader(F) || F.hasFnAttribute(Attribute::Naked))
      F.addFnAttr(Attribute::NoSanitizeCoverage);
}

/// Counters and PC table as with -fsanitize=fuzzer, without its hooks for comparisons, indirect
/// calls and the depth of the stack.
SanitizerCoverageOptions sanitizerCoverageOptions() {
  SanitizerCoverageOptions Opts;
  Opts.CoverageType = SanitizerCoverageOptions::SCK_Edge;
  Opts.Inline8bitCounters = true;
  Opts.PCTable = true;
  return Opts;
}

/// One byte store, the cheapest mark there is; sanitizers leave it alone.
void setOnEntry(Function &F, GlobalVariable *Flag) {
  IRBuilder<> B(F.getContext());
  insertAtEntry(B, F);
  StoreInst *Store = B.CreateAlignedStore(B.getInt8(1), Flag, Align(1));
  setNoSanitize(Store);
}

void emitFlags(Module &M, ArrayRef<Counters> All) {
  LLVMContext &Ctx = M.getContext();
  Type *I8 = Type::getInt8Ty(Ctx);
  Type *I32 = Type::getInt32Ty(Ctx);
  auto *RecTy = StructType::get(Ctx, {I32, I32}); // struct cfz_func_rec
  Beside Data(M);
  for (const Counters &C : All) {
    GlobalVariable *Flag = Data.make(C, I8, false, CFZ_SECTION_FLAGS, "cfuzz.flag");
    GlobalVariable *Rec = Data.make(C, RecTy, true, CFZ_SECTION_RECS, "cfuzz.rec");
    // The field counters is the first, so "from this field" is from the record.
    Rec->setInitializer(ConstantStruct::get(
        RecTy, {offsetBetween(M, Rec, C.Array), ConstantInt::get(I32, C.Count)}));
    setOnEntry(*C.Fn, Flag);
    hideFromThreadSanitizer(*C.Fn, C.Array);
    hideFromThreadSanitizer(*C.Fn, Flag);
  }
}

/// cfuzz_module_init(abi, flags, flags_end, recs, recs_end)
void announceFlags(Module &M) {
  emitConstructor(
      M, CtorName, CFZ_SYM_MODULE_INIT,
      {ConstantInt::get(Type::getInt32Ty(M.getContext()), CFUZZ_ABI),
       sectionBound(M, "__start_" CFZ_SECTION_FLAGS), sectionBound(M, "__stop_" CFZ_SECTION_FLAGS),
       sectionBound(M, "__start_" CFZ_SECTION_RECS), sectionBound(M, "__stop_" CFZ_SECTION_RECS)});
}

} // namespace

PreservedAnalyses CoveragePass::run(Module &M, ModuleAnalysisManager &AM) {
  if (M.getModuleFlag(FlagNoCoverage) || M.getModuleFlag(FlagInstrumented))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, FlagInstrumented, 1);
  excludeFunctions(M);
  compat::SanitizerCoverage(sanitizerCoverageOptions()).run(M, AM);
  SmallVector<Counters, 32> All = findCounters(M);
  if (!All.empty()) {
    emitFlags(M, All);
    tellRecursion(M, All);
    tellTableStates(M, All);
    announceFlags(M);
  }
  return PreservedAnalyses::none();
}

} // namespace cfuzz
