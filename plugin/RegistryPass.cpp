//===- RegistryPass.cpp - one descriptor and one call thunk per fuzz test -===//
//
// Before, from  FUZZ_TEST(FuzzParse, []byte, bool)(cfuzz_t *t, const uint8_t *p, size_t n, bool b)
// after the AST part:
//
//   @llvm.used = [... @FuzzParse ...]
//   @llvm.global.annotations = {@FuzzParse, "cfuzz.test", file, line, {"FuzzParse", "[]byte,
//   bool"}},
//                              {@FuzzParse, "cfuzz.layout:1:8:p;3:1:b", ...}
//   define internal void @FuzzParse(ptr %t, ptr %p, i64 %n, i1 zeroext %b)
//
// After, in addition (abi.h has the layouts):
//
//   @cfuzz_test_FuzzParse = global {CFUZZ_ABI, 1, "FuzzParse", "[]byte, bool", @FuzzParse, file,
//                                   line, 2, @cfuzz_call_FuzzParse, params}, section "cfuzz_tests"
//   define internal void @cfuzz_call_FuzzParse(ptr %t, ptr %args) {
//     ; args[1], args[2], args[3] loaded, each pointing to one value
//     call void @FuzzParse(ptr %t, ptr %p, i64 %n, i1 zeroext %b)
//   }
//
// Also renames main if the options say so and, if coverage is on, marks every
// function optforfuzzing, so that branches reach the CoveragePass unmerged. For the
// TracePass it keeps switches, short texts and comparators from being compiled away.
//
//===----------------------------------------------------------------------===//

#include "LLVMCompat.h"
#include "NeverReturns.h"
#include "Options.h"
#include "Passes.h"
#include "abi.h"
#include "core/types.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include <optional>

using namespace llvm;

namespace cfuzz {
namespace {

/// One entry of llvm.global.annotations.
struct Annotation {
  GlobalValue *On;
  StringRef Text;
  StringRef File;
  uint64_t Line;
  SmallVector<StringRef, 2> Args; ///< further strings of the attribute
};

/// One value of a test, out of the layout annotation.
struct Param {
  uint64_t Kind; ///< enum cfz_kind
  uint64_t Size;
  StringRef Name;
};

/// A fuzz test or a setup part defined in this module.
struct Found {
  Function *Fn = nullptr;
  cfz_desc_what What = CFZ_DESC_TEST;
  StringRef Name, Types, File;
  bool TakesT = true; ///< FUZZ_TEST, not FUZZ_TEST_VALUES
  uint64_t Line = 0;
  std::optional<StringRef> Layout; ///< missing when the AST part did not run
};

StringRef constantString(Value *V) {
  StringRef Text;
  getConstantStringInfo(V, Text);
  return Text;
}

SmallVector<Annotation, 8> readAnnotations(Module &M) {
  SmallVector<Annotation, 8> Result;
  GlobalVariable *All = M.getNamedGlobal("llvm.global.annotations");
  if (!All || !All->hasInitializer())
    return Result;
  for (Value *Op : All->getInitializer()->operands()) {
    auto *Record = dyn_cast<ConstantStruct>(Op);
    if (!Record || Record->getNumOperands() < 4)
      continue;
    auto *On = dyn_cast<GlobalValue>(Record->getOperand(0)->stripPointerCasts());
    auto *Line = dyn_cast<ConstantInt>(Record->getOperand(3));
    if (!On)
      continue;
    Annotation A{On,
                 constantString(Record->getOperand(1)),
                 constantString(Record->getOperand(2)),
                 Line ? Line->getZExtValue() : 0,
                 {}};
    if (Record->getNumOperands() > 4)
      if (auto *Args = dyn_cast<GlobalVariable>(Record->getOperand(4)->stripPointerCasts()))
        if (Args->hasInitializer())
          for (Value *Arg : Args->getInitializer()->operands())
            A.Args.push_back(constantString(Arg));
    Result.push_back(std::move(A));
  }
  return Result;
}

/// The fuzz tests and setup parts that this module defines. All reasons to leave one out are here.
SmallVector<Found, 8> findTests(ArrayRef<Annotation> Annotations) {
  SmallVector<Found, 8> Result;
  for (const Annotation &A : Annotations) {
    auto *F = dyn_cast<Function>(A.On);
    bool Test = A.Text == CFZ_ANNOTATION_TEST, Setup = A.Text == CFZ_ANNOTATION_SETUP;
    if (!F || !(Test || Setup) || A.Args.empty() || (Test && A.Args.size() < 2))
      continue;
    if (F->isDeclaration() || F->hasAvailableExternallyLinkage())
      continue; // registered where it is defined
    if (any_of(Result, [F](const Found &Seen) { return Seen.Fn == F; }))
      continue; // its declaration has the annotation too
    Found New;
    New.Fn = F;
    New.What = Test ? CFZ_DESC_TEST : CFZ_DESC_SETUP;
    New.Name = A.Args[0];
    New.Types = Test ? A.Args[1] : StringRef();
    New.TakesT = A.Args.size() < 3 || A.Args[2] != CFZ_ANNOTATION_VALUES;
    New.File = A.File;
    New.Line = A.Line;
    for (const Annotation &L : Annotations) {
      StringRef Layout = L.Text;
      if (L.On == F && Layout.consume_front(CFZ_ANNOTATION_LAYOUT))
        New.Layout = Layout;
    }
    Result.push_back(New);
  }
  return Result;
}

/// Reads "1:8:data;8:4:flags", as SignatureCheck wrote it.
SmallVector<Param, 8> parseLayout(StringRef Layout) {
  SmallVector<Param, 8> Result;
  while (!Layout.empty()) {
    auto [Entry, Rest] = Layout.split(';');
    auto [Kind, SizeAndName] = Entry.split(':');
    auto [Size, Name] = SizeAndName.split(':');
    Param P{0, 0, Name};
    if (!Kind.getAsInteger(10, P.Kind) && !Size.getAsInteger(10, P.Size))
      Result.push_back(P);
    Layout = Rest;
  }
  return Result;
}

class Emitter {
public:
  explicit Emitter(Module &M)
      : M(M), Ctx(M.getContext()), Ptr(compat::anyPointer(Ctx)), I32(Type::getInt32Ty(Ctx)) {}

  /// Emits the descriptor (and thunk) of F; null after reporting why it cannot be.
  GlobalVariable *emit(const Found &F);

private:
  Function *emitThunk(const Found &F, ArrayRef<Param> Params);
  Constant *emitParams(const Found &F, ArrayRef<Param> Params);
  GlobalVariable *privateConstant(Constant *Init, const Twine &Name);
  Constant *string(StringRef Text) {
    return asPointer(privateConstant(ConstantDataArray::getString(Ctx, Text), "cfuzz.str"));
  }
  Constant *asPointer(Constant *C) { return ConstantExpr::getPointerCast(C, Ptr); }
  Constant *null() { return ConstantPointerNull::get(Ptr); }
  Constant *u32(uint64_t N) { return ConstantInt::get(I32, N); }

  Module &M;
  LLVMContext &Ctx;
  PointerType *Ptr;
  IntegerType *I32;
};

GlobalVariable *Emitter::privateConstant(Constant *Init, const Twine &Name) {
  auto *GV = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init, Name);
  GV->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return GV;
}

/// struct cfz_param_desc[nparams]
Constant *Emitter::emitParams(const Found &F, ArrayRef<Param> Params) {
  auto *Ty = StructType::get(Ctx, {I32, I32, Ptr, I32, I32, Ptr});
  SmallVector<Constant *, 8> Elems;
  for (const Param &P : Params)
    Elems.push_back(ConstantStruct::get(
        Ty, {u32(P.Kind), u32(P.Size), string(P.Name), u32(0), u32(0), null()}));
  Constant *Array = ConstantArray::get(ArrayType::get(Ty, Elems.size()), Elems);
  return asPointer(privateConstant(Array, "cfuzz.params." + F.Name));
}

/// cfz_thunk_fn: loads the arguments that args points to and calls the test.
///
/// The call is noinline: the thunk has no counters, and a test inlined into it would lose its own.
/// keepCalled sees to it that the call is not dropped either. MemorySanitizer does instrument the
/// thunk, so that the test's parameters get their shadow. What comes from the uninstrumented
/// runtime counts as initialised: loads are nosanitize, parameters frozen.
Function *Emitter::emitThunk(const Found &F, ArrayRef<Param> Params) {
  Function *Test = F.Fn;
  unsigned First = F.TakesT ? 1 : 0; // the parameter of args[1]
  size_t CParams = First;
  for (const Param &P : Params)
    CParams += cfz_kind_is_bytes(static_cast<cfz_kind>(P.Kind)) ? 2 : 1;
  // True of all scalars on the targets we know; anything else would be called wrongly.
  if (Test->arg_size() != CParams || Test->isVarArg() || !Test->getReturnType()->isVoidTy()) {
    Ctx.emitError("cfuzz: fuzz test " + F.Name +
                  ": this target passes its parameters in a way that is not supported");
    return nullptr;
  }

  auto *Thunk = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), {Ptr, Ptr}, false),
                                 GlobalValue::InternalLinkage, CFZ_SYM_THUNK + F.Name, &M);
  for (const char *Key : {"frame-pointer", "target-cpu", "target-features", "tune-cpu"})
    if (Test->hasFnAttribute(Key))
      Thunk->addFnAttr(Test->getFnAttribute(Key));
  for (Attribute::AttrKind Kind : {Attribute::UWTable, Attribute::SanitizeMemory})
    if (Test->hasFnAttribute(Kind))
      Thunk->addFnAttr(Test->getFnAttribute(Kind));
  Thunk->addFnAttr(Attribute::NoSanitizeCoverage);

  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", Thunk));
  const DataLayout &DL = M.getDataLayout();
  unsigned NoSanitize = Ctx.getMDKindID("nosanitize");
  auto Load = [&](Type *Ty, Value *From) {
    LoadInst *L = B.CreateAlignedLoad(Ty, B.CreatePointerCast(From, compat::pointerTo(Ty)),
                                      DL.getABITypeAlign(Ty));
    L->setMetadata(NoSanitize, MDNode::get(Ctx, {}));
    return L;
  };
  Value *T = B.CreateFreeze(Thunk->getArg(0));
  Value *Args = B.CreatePointerCast(B.CreateFreeze(Thunk->getArg(1)), compat::pointerTo(Ptr));

  SmallVector<Value *, 8> CallArgs;
  if (F.TakesT)
    CallArgs.push_back(B.CreatePointerCast(T, Test->getArg(0)->getType()));
  for (unsigned I = First; I < CParams; ++I) {
    Type *Ty = Test->getArg(I)->getType();
    Value *Slot = Load(Ptr, B.CreateConstInBoundsGEP1_64(Ptr, Args, I - First + 1));
    // A bool is one byte in memory and i1 as a parameter.
    if (Ty->isIntegerTy(1))
      CallArgs.push_back(B.CreateTrunc(Load(B.getInt8Ty(), Slot), Ty));
    else
      CallArgs.push_back(Load(Ty, Slot));
  }
  CallInst *Call = B.CreateCall(Test->getFunctionType(), Test, CallArgs);
  Call->setCallingConv(Test->getCallingConv());
  // signext and zeroext are part of the ABI, so the call has what the function declares.
  AttributeList Declared = Test->getAttributes();
  SmallVector<AttributeSet, 8> ParamAttrs;
  for (unsigned I = 0; I < CParams; ++I)
    ParamAttrs.push_back(Declared.getParamAttrs(I));
  Call->setAttributes(AttributeList::get(Ctx, AttributeSet(), AttributeSet(), ParamAttrs));
  Call->setIsNoInline();
  B.CreateRetVoid();
  return Thunk;
}

/// Begins the test with an empty piece of assembly, which for the optimiser could do anything.
/// Otherwise it would drop the call of a test that has no effects, before its counters are there.
static void keepCalled(Function &Test) {
  BasicBlock::iterator Where = Test.getEntryBlock().begin();
  while (isa<AllocaInst>(*Where))
    ++Where;
  IRBuilder<> B(&*Where);
  B.SetCurrentDebugLocation(DebugLoc());
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "~{memory}",
                              /*hasSideEffects=*/true));
}

GlobalVariable *Emitter::emit(const Found &F) {
  bool Test = F.What == CFZ_DESC_TEST;
  SmallVector<Param, 8> Params = parseLayout(*F.Layout);
  Function *Thunk = nullptr;
  if (Test && !(Thunk = emitThunk(F, Params)))
    return nullptr;
  F.Fn->removeFnAttr(Attribute::AlwaysInline);
  F.Fn->addFnAttr(Attribute::NoInline); // one copy, with a frame of its own in every stack
  if (Test)
    keepCalled(*F.Fn);
  else
    F.Fn->addFnAttr(Attribute::NoSanitizeCoverage); // runs once, before any input

  // struct cfuzz_test_desc
  auto *Ty = StructType::get(Ctx, {I32, I32, Ptr, Ptr, Ptr, Ptr, I32, I32, Ptr, Ptr});
  Constant *Init = ConstantStruct::get(
      Ty, {u32(CFUZZ_ABI), u32(Test && !F.TakesT ? CFZ_DESC_VALUES : F.What), string(F.Name),
           Test ? string(F.Types) : null(), asPointer(F.Fn), string(F.File), u32(F.Line),
           u32(Params.size()), Thunk ? asPointer(Thunk) : null(),
           Test ? emitParams(F, Params) : null()});
  std::string Symbol = ((Test ? CFZ_SYM_TEST : CFZ_SYM_SETUP) + F.Name).str();
  GlobalVariable *Old = M.getNamedGlobal(Symbol);
  auto *Desc = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::ExternalLinkage, Init,
                                  Old ? "" : Symbol);
  Desc->setSection(CFZ_SECTION_TESTS);
  Desc->setAlignment(Align(8));
  if (Old) { // written by -DCFUZZ_TEST: one registration, and ours knows more
    Desc->takeName(Old);
    Old->replaceAllUsesWith(ConstantExpr::getPointerCast(Desc, Old->getType()));
    Old->eraseFromParent();
  }
  return Desc;
}

/// Calls of comparators are to stay calls, with the parameters that the user counted: they are not
/// inlined, and their address is taken, so that no argument is removed or loaded before the call.
void keepComparators(Module &M, ArrayRef<Comparator> Comparators) {
  SmallVector<GlobalValue *, 4> Defined;
  for (const Comparator &C : Comparators) {
    Function *F = M.getFunction(C.Function);
    if (GlobalAlias *Alias = F ? nullptr : M.getNamedAlias(C.Function))
      F = dyn_cast_or_null<Function>(Alias->getAliaseeObject());
    if (!F || F->isIntrinsic())
      continue;
    F->addFnAttr(AttrComparator, C.parameters());
    if (F->isDeclaration())
      continue;
    F->removeFnAttr(Attribute::AlwaysInline);
    F->addFnAttr(Attribute::NoInline);
    Defined.push_back(F);
  }
  if (!Defined.empty())
    appendToCompilerUsed(M, Defined);
}

/// Takes the options out of the module: reads and erases the variable that carries them.
Options takeOptions(Module &M, ArrayRef<Annotation> Annotations) {
  for (const Annotation &A : Annotations) {
    StringRef Text = A.Text;
    auto *Carrier = dyn_cast<GlobalVariable>(A.On);
    if (!Carrier || !Text.consume_front(OptionsAnnotation))
      continue;
    Options Result = Options::decode(Text);
    compat::removeFromUsedLists(M, Carrier);
    Carrier->replaceAllUsesWith(Constant::getNullValue(Carrier->getType())); // its annotation
    Carrier->eraseFromParent();
    return Result;
  }
  return Options();
}

/// Keeps calls of cfuzz_error and the like apart and out of tail position. A function that ends in
/// such a call would jump there, and would not be in the stack; two calls that become one have no
/// line. Then a failure would have other callers on one way through the test than on another: two
/// crashes for one bug.
void keepCallers(Module &M) {
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic() || F.getName().substr(0, 6) != "cfuzz_")
      continue;
    for (User *U : F.users()) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != &F || Call->isMustTailCall())
        continue;
      Call->setTailCallKind(CallInst::TCK_NoTail);
      Call->addFnAttr(Attribute::NoMerge);
    }
  }
}

/// Renames main, also in a file that only declares it, so that all files of a package agree.
void renameMain(Module &M) {
  Function *Main = M.getFunction("main");
  if (!Main)
    return;
  if (M.getNamedValue(CFZ_SYM_USER_MAIN)) {
    M.getContext().emitError("cfuzz: " CFZ_SYM_USER_MAIN
                             ": main is renamed to this, but the name is already taken");
    return;
  }
  Main->setName(CFZ_SYM_USER_MAIN);
}

/// A switch that only chooses a value stays one, unless the user has none become a table anyway.
void keepSwitches(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute("no-jump-tables")) {
      F.addFnAttr("no-jump-tables", "true");
      F.addFnAttr(AttrKeepSwitches);
    }
}

/// The most characters of a constant text that LLVM 18 and later compare one by one instead of with
/// strcmp (strncmp-inline-threshold of AggressiveInstCombine).
constexpr uint64_t MostCharactersInline = 3;

/// A call that compares with a short text stays a call: as numbers its characters would be
/// comparisons without a line, and the text would be no word.
void keepShortTexts(Module &M) {
  for (StringRef Name : {"strcmp", "strncmp"}) {
    Function *F = M.getFunction(Name);
    if (!F || !F->isDeclaration())
      continue;
    for (User *U : F->users()) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != F || Call->arg_size() < 2)
        continue;
      StringRef A, B;
      uint64_t Length = ~UINT64_C(0);
      if (getConstantStringInfo(Call->getArgOperand(0), A))
        Length = A.size();
      if (getConstantStringInfo(Call->getArgOperand(1), B))
        Length = std::min<uint64_t>(Length, B.size());
      if (Call->arg_size() > 2)
        if (auto *Size = dyn_cast<ConstantInt>(Call->getArgOperand(2)))
          Length = std::min(Length, Size->getLimitedValue());
      if (Length != 0 && Length <= MostCharactersInline)
        Call->addFnAttr(Attribute::NoBuiltin);
    }
  }
}

void setFlag(Module &M, const char *Flag) { M.addModuleFlag(Module::Max, Flag, 1); }

} // namespace

PreservedAnalyses RegistryPass::run(Module &M, ModuleAnalysisManager &) {
  if (M.getModuleFlag(FlagRegistered)) // bitcode that we compiled before
    return PreservedAnalyses::all();
  setFlag(M, FlagRegistered);
  // Collected first: thunks are functions of M too.
  SmallVector<Annotation, 8> Annotations = readAnnotations(M);
  SmallVector<Found, 8> Tests = findTests(Annotations);
  SmallVector<GlobalValue *, 8> Descs;
  Emitter E(M);
  for (const Found &F : Tests) {
    if (!F.Layout) {
      M.getContext().emitError(
          "cfuzz: fuzz test " + F.Name +
          " was not checked: the plugin has to be given with -fplugin= as well as -fpass-plugin=");
      continue;
    }
    if (GlobalVariable *Desc = E.emit(F))
      Descs.push_back(Desc);
  }
  if (!Descs.empty())
    appendToUsed(M, Descs); // nothing but the section's bounds refers to them

  for (const Annotation &A : Annotations)
    if (auto *F = dyn_cast<Function>(A.On))
      if (A.Text == NoCoverageAnnotation)
        F->addFnAttr(Attribute::NoSanitizeCoverage);

  Options Opts = takeOptions(M, Annotations); // last: it changes what Annotations points to
  if (Opts.RenameMain)
    renameMain(M);
  keepCallers(M);
  listNeverReturning(M); // also without coverage, so that a seed that fails is the crash it was
  if (Opts.Coverage) {
    for (Function &F : M)
      if (!F.isDeclaration())
        F.addFnAttr(Attribute::OptForFuzzing);
    if (Opts.Trace) {
      keepSwitches(M);
      keepShortTexts(M);
      keepComparators(M, Opts.Comparators);
    } else
      setFlag(M, FlagNoTrace);
  } else {
    setFlag(M, FlagNoCoverage);
  }
  return PreservedAnalyses::none();
}

} // namespace cfuzz
