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

#include "LLVMCompat.h"
#include "Passes.h"
#include "abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cfuzz {
namespace {

/// The constructor's comdat: objects of another ABI keep their own.
constexpr const char CtorName[] = "cfuzz.module_ctor";

/// Among the first, with SanitizerCoverage's own, so that code which other constructors run is
/// seen.
constexpr int CtorPriority = 2;

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

/// The function whose instructions use C, directly or through constant expressions; null if none.
/// SanitizerCoverage makes one array per function, so the first is the only one.
Function *userOf(Constant *C) {
  for (User *U : C->users()) {
    if (auto *I = dyn_cast<Instruction>(U))
      return I->getFunction();
    // Not through globals: llvm.compiler.used lists every array.
    if (isa<Constant>(U) && !isa<GlobalValue>(U))
      if (Function *F = userOf(cast<Constant>(U)))
        return F;
  }
  return nullptr;
}

struct Counters {
  GlobalVariable *Array;
  Function *Fn;
  uint64_t Count;
};

SmallVector<Counters, 32> findCounters(Module &M) {
  SmallVector<Counters, 32> Result;
  for (GlobalVariable &GV : M.globals()) {
    if (GV.getSection() != "__sancov_cntrs")
      continue;
    auto *Ty = dyn_cast<ArrayType>(GV.getValueType());
    Function *F = userOf(&GV);
    if (Ty && F)
      Result.push_back({&GV, F, Ty->getNumElements()});
  }
  return Result;
}

/// A global beside the counters C: same comdat, or retained if there is none.
GlobalVariable *makeBeside(Module &M, const Counters &C, Type *Ty, bool ReadOnly,
                           const char *Section, const char *Name,
                           SmallVectorImpl<GlobalValue *> &Grouped,
                           SmallVectorImpl<GlobalValue *> &Alone) {
  auto *GV = new GlobalVariable(M, Ty, ReadOnly, GlobalValue::PrivateLinkage,
                                Constant::getNullValue(Ty), Name);
  GV->setSection(Section);
  GV->setAlignment(M.getDataLayout().getABITypeAlign(Ty));
  GV->setComdat(C.Array->getComdat());
  (GV->hasComdat() ? Grouped : Alone).push_back(GV);
  return GV;
}

/// One byte store, the cheapest mark there is; sanitizers leave it alone.
void setOnEntry(Function &F, GlobalVariable *Flag) {
  LLVMContext &Ctx = F.getContext();
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator At = Entry.begin();
  while (isa<AllocaInst>(*At))
    ++At;
  IRBuilder<> B(&Entry, At);
  if (DISubprogram *SP = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(Ctx, SP->getScopeLine(), 0, SP));
  StoreInst *Store = B.CreateAlignedStore(B.getInt8(1), Flag, Align(1));
  Store->setMetadata(Ctx.getMDKindID("nosanitize"), MDNode::get(Ctx, {}));
}

/// Keeps ThreadSanitizer, which runs after us, from tracing accesses to GV: threads that run the
/// same code would be reported as data races. The name stays private to the object.
void hideFromThreadSanitizer(const Function &F, GlobalVariable *GV) {
  if (compat::UntracedPrefix && F.hasFnAttribute(Attribute::SanitizeThread))
    GV->setName(Twine(compat::UntracedPrefix) + GV->getName());
}

void emitFlags(Module &M, ArrayRef<Counters> All) {
  LLVMContext &Ctx = M.getContext();
  Type *I8 = Type::getInt8Ty(Ctx);
  Type *I32 = Type::getInt32Ty(Ctx);
  Type *IntPtr = M.getDataLayout().getIntPtrType(Ctx);
  auto *RecTy = StructType::get(Ctx, {I32, I32}); // struct cfz_func_rec
  SmallVector<GlobalValue *, 64> Grouped, Alone;
  for (const Counters &C : All) {
    GlobalVariable *Flag =
        makeBeside(M, C, I8, false, CFZ_SECTION_FLAGS, "cfuzz.flag", Grouped, Alone);
    GlobalVariable *Rec =
        makeBeside(M, C, RecTy, true, CFZ_SECTION_RECS, "cfuzz.rec", Grouped, Alone);
    // The field counters is the first, so "from this field" is from the record.
    Constant *Offset = ConstantExpr::getSub(ConstantExpr::getPtrToInt(C.Array, IntPtr),
                                            ConstantExpr::getPtrToInt(Rec, IntPtr));
    Rec->setInitializer(ConstantStruct::get(
        RecTy, {ConstantExpr::getTrunc(Offset, I32), ConstantInt::get(I32, C.Count)}));
    setOnEntry(*C.Fn, Flag);
    hideFromThreadSanitizer(*C.Fn, C.Array);
    hideFromThreadSanitizer(*C.Fn, Flag);
  }
  if (!Grouped.empty())
    appendToCompilerUsed(M, Grouped);
  if (!Alone.empty())
    appendToUsed(M, Alone);
}

/// A bound that the linker defines for this image; weak, because with --gc-sections the section may
/// be gone.
Constant *sectionBound(Module &M, const Twine &Name, Type *Ty) {
  std::string Symbol = Name.str();
  GlobalVariable *GV = M.getNamedGlobal(Symbol);
  if (!GV) {
    GV = new GlobalVariable(M, Ty, false, GlobalValue::ExternalWeakLinkage, nullptr, Symbol);
    GV->setVisibility(GlobalValue::HiddenVisibility);
  }
  return ConstantExpr::getPointerCast(GV, compat::anyPointer(M.getContext()));
}

/// if (cfuzz_module_init) cfuzz_module_init(abi, flags, flags_end, recs, recs_end);
void emitConstructor(Module &M) {
  LLVMContext &Ctx = M.getContext();
  Type *Void = Type::getVoidTy(Ctx), *I8 = Type::getInt8Ty(Ctx), *I32 = Type::getInt32Ty(Ctx);
  Type *Ptr = compat::anyPointer(Ctx);
  FunctionCallee Init = M.getOrInsertFunction(
      CFZ_SYM_MODULE_INIT, FunctionType::get(Void, {I32, Ptr, Ptr, Ptr, Ptr}, false));
  auto *InitFn = dyn_cast<Function>(Init.getCallee()->stripPointerCasts());
  // Weak, so that the object links without our runtime too.
  if (InitFn && InitFn->isDeclaration())
    InitFn->setLinkage(GlobalValue::ExternalWeakLinkage);

  std::string Name = (Twine(CtorName) + "." + Twine(CFUZZ_ABI)).str();
  auto *Ctor =
      Function::Create(FunctionType::get(Void, false), GlobalValue::InternalLinkage, Name, &M);
  Ctor->addFnAttr(Attribute::NoUnwind);
  Ctor->addFnAttr(Attribute::NoSanitizeCoverage);
  BasicBlock *Entry = BasicBlock::Create(Ctx, "entry", Ctor);
  BasicBlock *Announce = BasicBlock::Create(Ctx, "announce", Ctor);
  BasicBlock *Done = BasicBlock::Create(Ctx, "done", Ctor);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNotNull(Init.getCallee()), Announce, Done);
  B.SetInsertPoint(Announce);
  B.CreateCall(Init, {B.getInt32(CFUZZ_ABI), sectionBound(M, "__start_" CFZ_SECTION_FLAGS, I8),
                      sectionBound(M, "__stop_" CFZ_SECTION_FLAGS, I8),
                      sectionBound(M, "__start_" CFZ_SECTION_RECS, I8),
                      sectionBound(M, "__stop_" CFZ_SECTION_RECS, I8)});
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  Ctor->setComdat(M.getOrInsertComdat(Name));
  appendToGlobalCtors(M, Ctor, CtorPriority, Ctor);
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
    emitConstructor(M);
  }
  return PreservedAnalyses::none();
}

} // namespace cfuzz
