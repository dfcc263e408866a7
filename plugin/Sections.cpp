//===- Sections.cpp - globals in sections of ours, and constructors -------===//

#include "Sections.h"
#include "abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cfuzz {
namespace {

/// Among the first, with SanitizerCoverage's own, so that code which other constructors run is
/// seen.
constexpr int CtorPriority = 2;

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

} // namespace

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

bool isTableOfPCs(const User *U) {
  if (const auto *GV = dyn_cast<GlobalVariable>(U))
    return GV->getSection() == "__sancov_pcs";
  return isa<Constant>(U) && !isa<GlobalValue>(U) && all_of(U->users(), isTableOfPCs);
}

GlobalVariable *Beside::make(const Counters &C, Type *Ty, bool ReadOnly, const char *Section,
                             const char *Name) {
  auto *GV = new GlobalVariable(M, Ty, ReadOnly, GlobalValue::PrivateLinkage,
                                Constant::getNullValue(Ty), Name);
  if (Section)
    GV->setSection(Section);
  GV->setAlignment(M.getDataLayout().getABITypeAlign(Ty));
  GV->setComdat(C.Array->getComdat());
  (GV->hasComdat() ? Grouped : Alone).push_back(GV);
  return GV;
}

Beside::~Beside() {
  if (!Grouped.empty())
    appendToCompilerUsed(M, Grouped);
  if (!Alone.empty())
    appendToUsed(M, Alone);
}

/// Weak, because with --gc-sections the section may be gone.
Constant *sectionBound(Module &M, const Twine &Name) {
  std::string Symbol = Name.str();
  GlobalVariable *GV = M.getNamedGlobal(Symbol);
  if (!GV) {
    GV = new GlobalVariable(M, Type::getInt8Ty(M.getContext()), false,
                            GlobalValue::ExternalWeakLinkage, nullptr, Symbol);
    GV->setVisibility(GlobalValue::HiddenVisibility);
  }
  return ConstantExpr::getPointerCast(GV, compat::anyPointer(M.getContext()));
}

void emitConstructor(Module &M, StringRef Name, StringRef Hook, ArrayRef<Constant *> Args) {
  LLVMContext &Ctx = M.getContext();
  Type *Void = Type::getVoidTy(Ctx);
  SmallVector<Type *, 5> Types;
  for (Constant *Arg : Args)
    Types.push_back(Arg->getType());
  FunctionCallee Init = M.getOrInsertFunction(Hook, FunctionType::get(Void, Types, false));
  auto *InitFn = dyn_cast<Function>(Init.getCallee()->stripPointerCasts());
  // Weak, so that the object links without our runtime too.
  if (InitFn && InitFn->isDeclaration())
    InitFn->setLinkage(GlobalValue::ExternalWeakLinkage);

  // The comdat folds those of all objects; objects of another ABI keep their own.
  std::string Symbol = (Name + "." + Twine(CFUZZ_ABI)).str();
  auto *Ctor =
      Function::Create(FunctionType::get(Void, false), GlobalValue::InternalLinkage, Symbol, &M);
  Ctor->addFnAttr(Attribute::NoUnwind);
  Ctor->addFnAttr(Attribute::NoSanitizeCoverage);
  BasicBlock *Entry = BasicBlock::Create(Ctx, "entry", Ctor);
  BasicBlock *Announce = BasicBlock::Create(Ctx, "announce", Ctor);
  BasicBlock *Done = BasicBlock::Create(Ctx, "done", Ctor);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNotNull(Init.getCallee()), Announce, Done);
  B.SetInsertPoint(Announce);
  B.CreateCall(Init, SmallVector<Value *, 5>(Args.begin(), Args.end()));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  Ctor->setComdat(M.getOrInsertComdat(Symbol));
  appendToGlobalCtors(M, Ctor, CtorPriority, Ctor);
}

Constant *offsetBetween(Module &M, Constant *From, Constant *To) {
  Type *IntPtr = M.getDataLayout().getIntPtrType(M.getContext());
  return ConstantExpr::getTrunc(ConstantExpr::getSub(ConstantExpr::getPtrToInt(To, IntPtr),
                                                     ConstantExpr::getPtrToInt(From, IntPtr)),
                                Type::getInt32Ty(M.getContext()));
}

void insertAtEntry(IRBuilderBase &B, Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator At = Entry.begin();
  while (isa<AllocaInst>(*At))
    ++At;
  B.SetInsertPoint(&Entry, At);
  if (DISubprogram *SP = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(F.getContext(), SP->getScopeLine(), 0, SP));
}

void hideFromThreadSanitizer(const Function &F, GlobalVariable *GV) {
  if (compat::UntracedPrefix && F.hasFnAttribute(Attribute::SanitizeThread) &&
      !GV->getName().contains(compat::UntracedPrefix))
    GV->setName(Twine(compat::UntracedPrefix) + GV->getName());
}

void setNoSanitize(Instruction *I) {
  LLVMContext &Ctx = I->getContext();
  I->setMetadata(Ctx.getMDKindID("nosanitize"), MDNode::get(Ctx, {}));
}

} // namespace cfuzz
