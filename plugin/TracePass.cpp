//===- TracePass.cpp - second copies of functions, which tell comparisons -===//
//
// A function with counters that compares something gets a copy that calls hooks (TraceSites.cpp),
// and goes on in it when the image's byte cfuzz_tracing says so.
//
// Before:                          After:
//   define i32 @f(i32 %n) {          define i32 @f(i32 %n) {
//   entry:                           gate:
//     %x = alloca i32                  %x = alloca i32
//     ...                              %on = load i8, ptr @cfuzz_tracing, !nosanitize
//                                      br (icmp ne %on, 0), label %traced, label %entry, !prof
//                                    traced:
//                                      %r = musttail call i32 @f.traced(i32 %n)
//                                      ret i32 %r
//                                    entry:
//                                      ...
//                                    }
//                                    define internal i32 @f.traced(i32 %n) cold noinline {
//                                      ...  the same counters, the same flag, and hooks
//                                    }
//
// A function with few comparisons for its size has no copy, nor has one that cannot be copied, or
// cannot have a gate: each of its hooks has a gate.
//
// What always holds: counters and flag say the same of an execution whether it was traced or not.
// A copy calls copies, so that what happens while tracing is on stays traced, and a function that
// only copies' originals call needs no gate. docs/decisions/050-traced-copies.md,
// 130-sparse-functions.md, 156-no-gate.md.
//
//===----------------------------------------------------------------------===//

#include "Behind.h"
#include "Passes.h"
#include "ProgramStrings.h"
#include "Sections.h"
#include "TraceSites.h"
#include "abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cfuzz {
namespace {

/// The constructor's comdat.
constexpr const char CtorName[] = "cfuzz.trace_ctor";

/// Instructions of a function to one comparison, for that to have a gate of its own. Guessed.
enum { Sparse = 64 };

struct Copied {
  Counters Counts;
  bool Gated;     ///< can be called from elsewhere than copies' originals
  Function *Copy; ///< null until it is made
};
using CopyMap = MapVector<Function *, Copied>;

/// Whether code jumps to the address of a block of F.
bool hasComputedGoto(const Function &F) {
  for (const BasicBlock &B : F)
    if (B.hasAddressTaken())
      if (const BlockAddress *Address = BlockAddress::lookup(&B))
        if (!all_of(Address->users(), isTableOfPCs))
          return true;
  return false;
}

/// Whether a statement of assembly may define a symbol that a second copy would define again: it
/// has a colon, as segments and comments may, too, or such a directive. Labels that are numbers may
/// be.
bool definesSymbol(StringRef Statement) {
  for (;;) {
    Statement = Statement.ltrim();
    StringRef Rest = Statement.drop_while(isDigit);
    if (Rest.size() == Statement.size() || Rest.ltrim().take_front(1) != ":")
      break;
    Statement = Rest.ltrim().drop_front();
  }
  return Statement.contains(':') ||
         any_of(ArrayRef<StringRef>({".macro", ".equiv", ".comm", ".lcomm", ".symver", ".include"}),
                [Statement](StringRef Directive) { return Statement.contains(Directive); });
}

bool definesSymbols(StringRef Assembly) {
  std::string Text; // with each operand, "${0:c}", as a letter
  while (!Assembly.empty()) {
    size_t End = Assembly.take_front(2) == "${" ? Assembly.find('}') : StringRef::npos;
    Text += End == StringRef::npos ? Assembly[0] : 'x';
    Assembly = Assembly.drop_front(End == StringRef::npos ? 1 : End + 1);
  }
  SmallVector<StringRef, 8> Lines;
  StringRef(Text).split(Lines, '\n');
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 4> Statements;
    Line.split(Statements, ';');
    if (any_of(Statements, definesSymbol))
      return true;
  }
  return false;
}

/// Whether assembly of the file, outside of functions, has macros: then any word of a statement may
/// define a symbol.
bool hasMacros(const Module &M) { return StringRef(M.getModuleInlineAsm()).contains(".macro"); }

/// Whether I may stand in one function only.
bool isUnique(const Instruction &I) {
  if (isa<IndirectBrInst>(I) || isa<CallBrInst>(I))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return definesSymbols(Asm->getAsmString()) ||
           (!Asm->getAsmString().empty() && hasMacros(*I.getModule()));
  return Call->cannotDuplicate() || Call->getIntrinsicID() == Intrinsic::localescape;
}

/// Whether F runs before main. There is nothing to trace yet, and AddressSanitizer puts a call
/// before each of its returns, where a jump allows none.
bool isConstructor(const Function &F) {
  const GlobalVariable *Ctors = F.getParent()->getNamedGlobal("llvm.global_ctors");
  if (!Ctors || !Ctors->hasInitializer())
    return false;
  return any_of(Ctors->getInitializer()->operands(), [&F](const Use &Entry) {
    const auto *Record = dyn_cast<ConstantStruct>(Entry);
    return Record && Record->getOperand(1)->stripPointerCasts() == &F;
  });
}

/// Whether F may call a hook. What a comparator compares is told by its callers.
bool canTrace(const Function &F) {
  return !F.hasFnAttribute(Attribute::Naked) && !F.isPresplitCoroutine() &&
         F.getCallingConv() != CallingConv::X86_INTR && !isConstructor(F) &&
         !F.hasFnAttribute(AttrComparator);
}

/// Whether F is all but code that compares nothing, and no comparison is in a loop: then gates at
/// the comparisons cost what one at its entry does, and a copy would be most of it once more.
bool isSparse(Function &F, size_t Sites) {
  size_t Code = 0;
  for (BasicBlock &B : F)
    Code += size_t(count_if(B, [](const Instruction &I) { return !I.isDebugOrPseudoInst(); }));
  if (Code < Sites * Sparse)
    return false;
  for (auto Part = scc_begin(&F); !Part.isAtEnd(); ++Part)
    if (Part.hasCycle() && any_of(*Part, [](BasicBlock *B) { return countSites(*B) != 0; }))
      return false;
  return true;
}

/// All reasons not to copy a function that can be traced are here.
bool canCopy(const Function &F) {
  for (const Argument &A : F.args())
    if (A.hasInAllocaAttr() || A.hasPreallocatedAttr())
      return false;
  if (hasComputedGoto(F))
    return false;
  for (const BasicBlock &B : F)
    if (any_of(B, isUnique))
      return false;
  return true;
}

/// Whether F may have arguments in memory of the caller, though they are no structs: those that
/// Win64 passes by address.
bool passesByAddress(const Function &F) {
  const CallingConv::ID Convention = F.getCallingConv();
  return (Convention == CallingConv::Win64 || Convention == CallingConv::X86_VectorCall) &&
         any_of(F.args(), [](const Argument &A) {
           return A.getType()->isVectorTy() || A.getType()->isX86_FP80Ty();
         });
}

/// Whether the code generator refuses a jump to a function of F's type: where the sanitizer of
/// numerical stability puts its own code before the return, with an error of Swift, and
/// on AArch64 where there are vectors of no fixed length, where vectors are kept by who is called,
/// and where a function changes the mode of the machine.
bool refusesJump(const Function &F) {
  const CallingConv::ID Convention = F.getCallingConv();
  return compat::isNumericallySanitized(F) || Convention == CallingConv::AArch64_VectorCall ||
         Convention == CallingConv::AArch64_SVE_VectorCall ||
         any_of(F.getAttributes().getFnAttrs(),
                [](Attribute A) {
                  return A.isStringAttribute() && A.getKindAsString().take_front(8) == "aarch64_";
                }) ||
         any_of(F.args(), [](const Argument &A) {
           return A.hasSwiftErrorAttr() || isa<ScalableVectorType>(A.getType());
         });
}

/// Whether F can begin with a jump to its copy. Code for x86-64 is wrong where the arguments that
/// the jump passes on are in memory of the caller: variable ones, which overwrite the return
/// address where there are registers of AVX, or a link-time optimizer takes away from one of the
/// two; structs by value, before LLVM 22; and what passesByAddress.
bool canHaveGate(const Function &F) {
  return !F.isVarArg() && !passesByAddress(F) && !refusesJump(F) &&
         none_of(F.args(), [](const Argument &A) { return A.hasByValAttr(); });
}

/// Whether functions of these machines can end in a jump to another one of their type, most often
/// (canHaveGate).
bool canJump(const Module &M) {
  Triple::ArchType Arch = Triple(M.getTargetTriple()).getArch();
  return Arch == Triple::x86_64 || Arch == Triple::aarch64;
}

/// Whether the copy of Caller may name the copy of Callee. It may not if another Callee can take
/// the place of ours when linking, and ours, copy and all, can be dropped.
bool callsCopy(const Function &Caller, const Function &Callee) {
  if (Callee.isInterposable())
    return false;
  const Comdat *C = Callee.getComdat();
  return !C || C == Caller.getComdat() || C->getSelectionKind() == Comdat::NoDeduplicate;
}

/// The function of Copies that Call calls, if it can call the copy just as well.
Function *calledCopied(const CallBase &Call, const CopyMap &Copies) {
  auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
  return Callee && Copies.count(Callee) && Callee->getFunctionType() == Call.getFunctionType() &&
                 callsCopy(*Call.getFunction(), *Callee)
             ? Callee
             : nullptr;
}

/// Whether F is called from anywhere but functions of Copies, whose copies call F's copy.
bool needsGate(const Function &F, const CopyMap &Copies) {
  if (!F.hasLocalLinkage())
    return true;
  for (const Use &U : F.uses()) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (Call ? !(Call->isCallee(&U) && Copies.count(const_cast<Function *>(Call->getFunction())) &&
                 calledCopied(*Call, Copies))
             : !isTableOfPCs(U.getUser()))
      return true;
  }
  return false;
}

/// Tells which functions of Copies need a gate, and moves those that cannot have one to InPlace.
void findGates(CopyMap &Copies, SmallVectorImpl<Counters> &InPlace) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[F, C] : Copies)
      C.Gated = needsGate(*F, Copies);
    // What they call needs one then.
    Copies.remove_if([&](const std::pair<Function *, Copied> &Entry) {
      if (!Entry.second.Gated || canHaveGate(*Entry.first))
        return false;
      InPlace.push_back(Entry.second.Counts);
      return Changed = true;
    });
  }
}

/// What was found out about F before it had counters does not hold any more.
void forgetMemoryEffects(Function &F) {
  for (Attribute::AttrKind Kind : compat::MemoryEffects)
    F.removeFnAttr(Kind);
  for (const Use &U : F.uses())
    if (auto *Call = dyn_cast<CallBase>(U.getUser()))
      if (Call->isCallee(&U))
        for (Attribute::AttrKind Kind : compat::MemoryEffects)
          Call->removeFnAttr(Kind);
}

/// One byte per linked image; weak definitions of all objects are one.
GlobalVariable *tracingByte(Module &M) {
  Type *I8 = Type::getInt8Ty(M.getContext());
  auto *GV = new GlobalVariable(M, I8, false, GlobalValue::WeakAnyLinkage, ConstantInt::get(I8, 0),
                                CFZ_SYM_TRACING);
  GV->setVisibility(GlobalValue::HiddenVisibility);
  GV->setAlignment(Align(1));
  if (compat::UntracedSection &&
      any_of(M, [](const Function &F) { return F.hasFnAttribute(Attribute::SanitizeThread); }))
    GV->setSection(compat::UntracedSection);
  return GV;
}

Function *makeCopy(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  // Not private, though then stacks might have the name out of the debug information: symbolizers
  // prefer a symbol, and take the one before if there is none.
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setComdat(F.getComdat());
  Copy->setName(F.getName() + CFZ_SUFFIX_TRACED);
  for (Attribute::AttrKind Kind : {Attribute::Hot, Attribute::AlwaysInline, Attribute::InlineHint})
    Copy->removeFnAttr(Kind);
  Copy->addFnAttr(Attribute::Cold);
  Copy->addFnAttr(Attribute::NoInline);
  Copy->eraseMetadata(LLVMContext::MD_type); // nobody takes its address
  compat::removeDebugVariables(*Copy);
  return Copy;
}

void callCopies(const CopyMap &Copies) {
  for (const auto &[F, C] : Copies)
    for (BasicBlock &B : *C.Copy)
      for (Instruction &I : B)
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Callee = calledCopied(*Call, Copies))
            Call->setCalledFunction(Copies.find(Callee)->second.Copy);
}

/// Begins F with the choice between itself and its copy. Its frame is set up after it, so nothing
/// in it may need one: of what the entry had, static allocas alone come before.
void addGate(Function &F, Function &Copy, GlobalVariable *Tracing) {
  LLVMContext &Ctx = F.getContext();
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock *Gate = BasicBlock::Create(Ctx, "gate", &F, &Entry);
  BasicBlock *Traced = BasicBlock::Create(Ctx, "traced", &F, &Entry);
  SmallVector<AllocaInst *, 8> Static;
  for (Instruction &I : Entry)
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (isa<ConstantInt>(Alloca->getArraySize()))
        Static.push_back(Alloca);
  for (AllocaInst *Alloca : Static)
    Alloca->moveBefore(*Gate, Gate->end());

  IRBuilder<> B(Gate);
  if (DISubprogram *SP = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(Ctx, SP->getScopeLine(), 0, SP));
  MDNode *Weights;
  Value *On = askTracing(B, Tracing, &Weights);
  B.CreateCondBr(On, Traced, &Entry, Weights);

  B.SetInsertPoint(Traced);
  SmallVector<Value *, 8> Args;
  SmallVector<AttributeSet, 8> ArgAttrs;
  for (Argument &A : F.args()) {
    Args.push_back(&A);
    ArgAttrs.push_back(F.getAttributes().getParamAttrs(A.getArgNo()));
  }
  CallInst *Call = B.CreateCall(&Copy, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Call->setAttributes(
      AttributeList::get(Ctx, AttributeSet(), F.getAttributes().getRetAttrs(), ArgAttrs));
  // MemorySanitizer keeps what it knows of arguments, variable ones too, for the copy.
  setNoSanitize(Call);
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

/// cfuzz_trace_init(abi, tracing, sites, sites_end)
void announceSites(Module &M, GlobalVariable *Tracing) {
  LLVMContext &Ctx = M.getContext();
  emitConstructor(M, CtorName, CFZ_SYM_TRACE_INIT,
                  {ConstantInt::get(Type::getInt32Ty(Ctx), CFUZZ_ABI),
                   ConstantExpr::getPointerCast(Tracing, compat::anyPointer(Ctx)),
                   sectionBound(M, "__start_" CFZ_SECTION_SITES),
                   sectionBound(M, "__stop_" CFZ_SECTION_SITES)});
}

/// Takes back what the RegistryPass did to keep switches.
void allowJumpTables(Module &M) {
  for (Function &F : M)
    if (F.hasFnAttribute(AttrKeepSwitches)) {
      F.removeFnAttr(AttrKeepSwitches);
      F.removeFnAttr("no-jump-tables");
    }
}

} // namespace

PreservedAnalyses TracePass::run(Module &M, ModuleAnalysisManager &) {
  if (M.getModuleFlag(FlagNoCoverage) || M.getModuleFlag(FlagNoTrace) ||
      M.getModuleFlag(FlagTraced))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, FlagTraced, 1);
  listStrings(M);
  allowJumpTables(M);
  if (!canJump(M))
    return PreservedAnalyses::none();

  CopyMap Copies;
  SmallVector<Counters, 32> All = findCounters(M), InPlace;
  for (const Counters &C : All) {
    forgetMemoryEffects(*C.Fn);
    size_t Sites = canTrace(*C.Fn) ? countSites(*C.Fn) : 0;
    if (Sites > 0 && (isSparse(*C.Fn, Sites) || !canCopy(*C.Fn)))
      InPlace.push_back(C);
    else if (Sites > 0)
      Copies.insert({C.Fn, {C, true, nullptr}});
  }
  if (Copies.empty() && InPlace.empty())
    return PreservedAnalyses::none();
  PrivateCallees Callees(All); // while a call of a function is one use of it
  findGates(Copies, InPlace);
  for (auto &[F, C] : Copies)
    C.Copy = makeCopy(*F);
  callCopies(Copies);

  GlobalVariable *Tracing = tracingByte(M);
  {
    Beside Data(M);
    SiteWriter Sites(M, Data, Callees);
    for (auto &[F, C] : Copies) {
      Sites.instrument(*C.Copy, C.Counts, nullptr);
      if (C.Gated)
        addGate(*F, *C.Copy, Tracing);
    }
    for (const Counters &C : InPlace)
      Sites.instrument(*C.Fn, C, Tracing);
  }
  announceSites(M, Tracing);
  return PreservedAnalyses::none();
}

} // namespace cfuzz
