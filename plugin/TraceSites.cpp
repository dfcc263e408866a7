//===- TraceSites.cpp - the comparisons of a function and their hooks -----===//
//
// Before:                            After:
//   %c = icmp slt i32 %n, 9            %n64 = sext i32 %n to i64
//   br i1 %c, label %a, label %b       call void @cfuzz_trace_number(@cfuzz.sites, i64 %n64, i64 9)
//                                      %c = icmp slt i32 %n, 9
//                                      br i1 %c, label %a, label %b
//
//   @cfuzz.sites = [1 x { kind, predicate, width, flags, ... }], section "cfuzz_sites", comdat($f)
//
// Comparisons.h says what is compared, Outcomes.h what stands behind it. A comparison that has one
// outcome only (KnownOutcomes.h) has no site.
//
// abi.h has the layouts and what a hook is told. The sites of a function are one array, in the
// order of its instructions, and belong to its counters (Sections.h).
//
//===----------------------------------------------------------------------===//

#include "TraceSites.h"
#include "Comparisons.h"
#include "KnownOutcomes.h"
#include "Outcomes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <algorithm>

using namespace llvm;

namespace cfuzz {
namespace {

/// Whether V points to text that the program never changes.
bool isConstantText(const Value *V) {
  const auto *GV = dyn_cast<GlobalVariable>(V->stripInBoundsOffsets());
  return GV && GV->isConstant();
}

/// How often tracing is on: hardly ever.
enum { WeightTraced = 1, WeightPlain = 1 << 20 };

/// Order of the fields in struct cfz_site and struct cfz_case, for addresses of fields.
enum SiteField { CounterTrueField = 9, CounterFalseField = 10 };
enum CaseField { CaseCounterField = 1 };

} // namespace

/// One function while its sites are written.
class SiteWriter::OneFunction {
public:
  OneFunction(SiteWriter &W, Function &F, const Counters &Counts, GlobalVariable *Gate)
      : W(W), M(W.M), Ctx(M.getContext()), F(F), Counts(Counts), Gate(Gate),
        Behind(F, Counts, W.Callees), I8(Type::getInt8Ty(Ctx)), I16(Type::getInt16Ty(Ctx)),
        I32(Type::getInt32Ty(Ctx)), I64(Type::getInt64Ty(Ctx)), Ptr(compat::anyPointer(Ctx)),
        CaseTy(StructType::get(Ctx, {I64, I32, I16, I16})),
        SiteTy(StructType::get(
            Ctx, {I8, I8, I8, I8, I32, Ptr, Ptr, I32, I32, I32, I32, I32, I32, I32, I32})) {}

  void write();

private:
  /// A comparison and one site of it.
  struct Site {
    Instruction *I;
    Comparison What;
    bool High; ///< the high half of 128 bits; the low half follows
    /// Then all sites of a call stand in a row, and have one hook.
    bool isThroughPointer() const {
      const auto *Call = dyn_cast<CallBase>(I);
      return Call && Call->isIndirectCall();
    }
  };

  SmallVector<Site, 32> findSites();
  Constant *initializer(const Site &S, uint64_t Index);
  Constant *cases(const SwitchInst &I, bool Signed);
  Constant *counterOffset(std::optional<uint64_t> Counter, GlobalVariable *Array, uint64_t Index,
                          unsigned Field);
  Constant *joinedOffset(const Outcomes::Condition &Of, uint64_t Index, unsigned Field);
  unsigned flagsOf(const Site &S);
  /// What a condition has as its part where S is: the comparison, or a flag that a branch asks for.
  static const Value &partOf(const Site &S) {
    return isa<BranchInst>(S.I) ? *S.What.A : *static_cast<const Value *>(S.I);
  }
  Instruction *gate(Instruction *Before, const Instruction &At);
  void callHook(const Site &S, uint64_t Index);
  Value *numberOf(IRBuilder<> &B, const Value *V, const Site &S);
  Value *inMemory(IRBuilder<> &B, const Value *Vector);
  Value *loadField(IRBuilder<> &B, Value *Object, Type *Ty, uint64_t Offset);
  Constant *element(GlobalVariable *Array, uint64_t Index) {
    return ConstantExpr::getInBoundsGetElementPtr(
        Array->getValueType(), Array,
        ArrayRef<Constant *>{ConstantInt::get(I64, 0), ConstantInt::get(I64, Index)});
  }
  Constant *field(GlobalVariable *Array, uint64_t Index, unsigned Field) {
    return ConstantExpr::getInBoundsGetElementPtr(
        Array->getValueType(), Array,
        ArrayRef<Constant *>{ConstantInt::get(I64, 0), ConstantInt::get(I64, Index), u32(Field)});
  }
  Constant *u8(unsigned N) { return ConstantInt::get(I8, N); }
  Constant *u16(uint64_t N) { return ConstantInt::get(I16, std::min<uint64_t>(N, UINT16_MAX)); }
  Constant *u32(uint64_t N) { return ConstantInt::get(I32, N); }

  SiteWriter &W;
  Module &M;
  LLVMContext &Ctx;
  Function &F;
  const Counters &Counts;
  GlobalVariable *Gate;
  Outcomes Behind;
  IntegerType *I8, *I16, *I32, *I64;
  PointerType *Ptr;
  StructType *CaseTy, *SiteTy; ///< struct cfz_case, struct cfz_site
  GlobalVariable *Sites = nullptr;
  DenseMap<std::pair<const BranchInst *, unsigned>, uint64_t> FirstParts; ///< by condition
};

SmallVector<SiteWriter::OneFunction::Site, 32> SiteWriter::OneFunction::findSites() {
  SmallVector<Site, 32> Result;
  KnownOutcomes Known(F);
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      const auto *Cmp = dyn_cast<ICmpInst>(&I);
      if (I.getType()->isVectorTy() && Gate)
        continue; // a gate for each number would be many
      if (Cmp && !I.getType()->isVectorTy() && (Known.countsRounds(*Cmp) || Known.isKnown(*Cmp)))
        continue;
      for (const Comparison &What : comparisonsOf(I)) {
        if (What.Width == 128)
          Result.push_back({&I, What, true});
        Result.push_back({&I, What, false});
      }
    }
  return Result;
}

void SiteWriter::OneFunction::write() {
  SmallVector<Site, 32> Found = findSites();
  if (Found.empty())
    return;
  ArrayType *ArrayTy = ArrayType::get(SiteTy, Found.size());
  Sites = W.Data.make(Counts, ArrayTy, false, CFZ_SECTION_SITES, "cfuzz.sites");
  SmallVector<Constant *, 32> Init;
  for (uint64_t I = 0; I != Found.size(); ++I)
    Init.push_back(initializer(Found[I], I));
  Sites->setInitializer(ConstantArray::get(ArrayTy, Init));
  for (uint64_t I = 0; I != Found.size(); ++I)
    if (I == 0 || Found[I].I != Found[I - 1].I || !Found[I].isThroughPointer())
      callHook(Found[I], I);
}

unsigned SiteWriter::OneFunction::flagsOf(const Site &S) {
  if (const auto &Text = S.What.Text) {
    unsigned Flags = S.What.Wanted.empty() ? 0 : CFZ_SITE_CONST_B | CFZ_SITE_EXAMPLE;
    const auto *Call = cast<CallBase>(S.I);
    for (unsigned P = 0; P != Text->Params.size(); ++P) {
      const Value *Arg = Call->getArgOperand(P);
      if (Text->Params[P] == 'a' && isConstantText(Arg))
        Flags |= CFZ_SITE_CONST_A;
      if ((Text->Params[P] == 'b' && isConstantText(Arg)) ||
          (Text->Params[P] == 'c' && isa<Constant>(Arg)))
        Flags |= CFZ_SITE_CONST_B;
    }
    return Flags;
  }
  bool LowHalf = S.What.Width == 128 && !S.High;
  return (S.What.Signed && !LowHalf ? CFZ_SITE_SIGNED : 0) |
         (S.What.A && isa<Constant>(S.What.A) ? CFZ_SITE_CONST_A : 0) |
         (S.What.B && isa<Constant>(S.What.B) ? CFZ_SITE_CONST_B : 0) |
         (S.What.A && S.What.A->getType()->isPointerTy() ? CFZ_SITE_POINTER : 0) |
         (S.High ? CFZ_SITE_HIGH : 0) | (S.What.Before ? CFZ_SITE_UNASKED : 0);
}

/// Bytes from a field of Array[Index] to a counter, or 0.
Constant *SiteWriter::OneFunction::counterOffset(std::optional<uint64_t> Counter,
                                                 GlobalVariable *Array, uint64_t Index,
                                                 unsigned Field) {
  return Counter ? offsetBetween(M, field(Array, Index, Field), element(Counts.Array, *Counter))
                 : u32(0);
}

/// Bytes from a field of a site to the counter behind a condition; where that never returns, to the
/// first site that is a part of it, which tells conditions apart as well.
Constant *SiteWriter::OneFunction::joinedOffset(const Outcomes::Condition &Of, uint64_t Index,
                                                unsigned Field) {
  if (Of.Counter)
    return counterOffset(Of.Counter, Sites, Index, Field);
  uint64_t First = FirstParts.try_emplace({Of.Branch, Of.Holds}, Index).first->second;
  return offsetBetween(M, field(Sites, Index, Field), element(Sites, First));
}

/// struct cfz_case[], sorted by the numbers as they are extended.
Constant *SiteWriter::OneFunction::cases(const SwitchInst &I, bool Signed) {
  struct Case {
    uint64_t Number;
    unsigned Successor;
    CountersBehind::Case Behind;
  };
  SmallVector<Case, 16> Sorted;
  SmallVector<CountersBehind::Case, 16> All = Behind.casesOf(I);
  for (const auto &C : I.cases()) {
    const APInt &Number = C.getCaseValue()->getValue();
    Sorted.push_back({Signed ? static_cast<uint64_t>(Number.getSExtValue()) : Number.getZExtValue(),
                      C.getSuccessorIndex(), All[Sorted.size()]});
  }
  std::sort(Sorted.begin(), Sorted.end(),
            [](const Case &X, const Case &Y) { return X.Number < Y.Number; });
  ArrayType *ArrayTy = ArrayType::get(CaseTy, Sorted.size());
  GlobalVariable *Array = W.Data.make(Counts, ArrayTy, true, nullptr, "cfuzz.cases");
  SmallVector<Constant *, 16> Init;
  DenseMap<unsigned, uint64_t> Bodies; // the first case of each
  for (uint64_t N = 0; N != Sorted.size(); ++N)
    Init.push_back(ConstantStruct::get(
        CaseTy, {ConstantInt::get(I64, Sorted[N].Number),
                 counterOffset(Behind.behind(I, Sorted[N].Successor), Array, N, CaseCounterField),
                 u16(Sorted[N].Behind.Count),
                 u16(Bodies.try_emplace(Sorted[N].Behind.Body, N).first->second)}));
  Array->setInitializer(ConstantArray::get(ArrayTy, Init));
  return ConstantExpr::getPointerCast(Array, Ptr);
}

/// Where a comparison stands for people: of what a header of the system has inlined, such as
/// std::string's operators, where that was called.
static const DILocation *placeOf(const Instruction &I) {
  const DILocation *Loc = I.getDebugLoc();
  auto IsSystem = [](StringRef File) {
    return File.take_front(13) == "/usr/include/" || File.take_front(9) == "/usr/lib/" ||
           File.contains("/include/c++/");
  };
  while (Loc && Loc->getInlinedAt() && IsSystem(Loc->getFilename()))
    Loc = Loc->getInlinedAt();
  return Loc;
}

/// The file of a place: relative to where the compiler ran, which is the package, if it lies there.
/// Of another one the compiler has the part of the path that the two share as a directory.
static std::string fileOf(const DILocation &Loc) {
  StringRef File = sys::path::remove_leading_dotslash(Loc.getFilename());
  StringRef Directory = Loc.getDirectory();
  const DISubprogram *Function = Loc.getScope()->getSubprogram();
  const DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  if (File.empty() || Directory.empty() || sys::path::is_absolute(File) || !Unit ||
      Directory == Unit->getDirectory())
    return File.str();
  SmallString<256> Path(Directory);
  sys::path::append(Path, File);
  return Path.str().str();
}

/// Whether What is one of two sites that make up the comparison of I.
static bool isHalf(const Instruction &I, const Comparison &What) {
  const auto *Cmp = dyn_cast<FCmpInst>(&I);
  return What.Width == 128 || (Cmp && comparesLastBits(*Cmp));
}

/// struct cfz_site
Constant *SiteWriter::OneFunction::initializer(const Site &S, uint64_t Index) {
  std::optional<uint64_t> True, False;
  uint64_t NeedTrue = 0, NeedFalse = 0;
  const Outcomes::Condition *JoinedTrue = nullptr, *JoinedFalse = nullptr;
  const auto *Switch = dyn_cast<SwitchInst>(S.I);
  if (Switch) {
    False = Behind.behind(*Switch, 0); // the default
    NeedFalse = Behind.countBehind(*Switch, 0);
  } else if (!isHalf(*S.I, S.What)) { // neither half decides
    NeedTrue = Behind.countNeeding(*S.I, true);
    NeedFalse = Behind.countNeeding(*S.I, false);
    if (auto Tie = Behind.tieOf(*S.I)) {
      True = Behind.behind(*Tie->Branch, Tie->True);
      False = Behind.behind(*Tie->Branch, Tie->True ^ 1);
    } else {
      const Value &Part = partOf(S);
      JoinedTrue = Behind.joined(Part, true);
      JoinedFalse = Behind.joined(Part, false);
    }
    // Of bytes that is asked whether they are equal.
    const auto *Cmp = dyn_cast<ICmpInst>(S.I);
    if (Cmp && S.What.Kind == CFZ_SITE_MEM && Cmp->getPredicate() == CmpInst::ICMP_NE) {
      std::swap(JoinedTrue, JoinedFalse);
      std::swap(NeedTrue, NeedFalse);
    }
  }
  const DILocation *Loc = placeOf(*S.I);
  return ConstantStruct::get(
      SiteTy, {u8(S.What.Kind), u8(S.What.Predicate), u8(S.What.Width == 128 ? 64 : S.What.Width),
               u8(flagsOf(S) | (JoinedTrue || JoinedFalse ? CFZ_SITE_JOINED : 0)),
               u32(Switch ? Switch->getNumCases() : 0),
               Switch ? cases(*Switch, S.What.Signed) : ConstantPointerNull::get(Ptr),
               W.text(Loc ? fileOf(*Loc) : ""), u32(Loc ? Loc->getLine() : 0),
               u32(Loc ? Loc->getColumn() : 0),
               JoinedTrue ? joinedOffset(*JoinedTrue, Index, CounterTrueField)
                          : counterOffset(True, Sites, Index, CounterTrueField),
               JoinedFalse ? joinedOffset(*JoinedFalse, Index, CounterFalseField)
                           : counterOffset(False, Sites, Index, CounterFalseField),
               u32(NeedTrue), u32(NeedFalse), u32(0), u32(0)});
}

/// V as hooks take numbers: extended, or the bits of a float.
Value *SiteWriter::OneFunction::numberOf(IRBuilder<> &B, const Value *Number, const Site &S) {
  auto *V = const_cast<Value *>(Number);
  if (V->getType()->isPointerTy())
    return B.CreateZExt(B.CreateIsNotNull(V), I64);
  if (S.What.Lane >= 0)
    V = B.CreateExtractElement(V, uint64_t(S.What.Lane));
  if (V->getType()->isX86_FP80Ty()) {
    V = B.CreateBitCast(V, B.getIntNTy(80));
    return S.What.Kind == CFZ_SITE_FLOAT ? B.CreateTrunc(B.CreateLShr(V, 16), I64)
                                         : B.CreateZExt(B.CreateTrunc(V, I16), I64);
  }
  if (S.What.Kind == CFZ_SITE_FLOAT)
    return B.CreateZExt(B.CreateBitCast(V, B.getIntNTy(S.What.Width)), I64);
  if (S.What.Width == 128)
    return B.CreateTrunc(S.High ? B.CreateLShr(V, 64) : V, I64);
  return S.What.Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64);
}

/// What stands in an object so many bytes behind its beginning.
Value *SiteWriter::OneFunction::loadField(IRBuilder<> &B, Value *Object, Type *Ty,
                                          uint64_t Offset) {
  Value *At = B.CreateConstInBoundsGEP1_64(I8, B.CreatePointerCast(Object, Ptr), Offset);
  LoadInst *Load = B.CreateLoad(Ty, B.CreatePointerCast(At, compat::pointerTo(Ty)));
  setNoSanitize(Load);
  return Load;
}

/// Where the hook goes that belongs to At and has its place before Before.
Instruction *SiteWriter::OneFunction::gate(Instruction *Before, const Instruction &At) {
  if (!Gate)
    return Before;
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(At.getDebugLoc());
  MDNode *Weights;
  Value *On = askTracing(B, Gate, &Weights);
  return SplitBlockAndInsertIfThen(On, Before, false, Weights);
}

/// The address of the bytes of a vector.
Value *SiteWriter::OneFunction::inMemory(IRBuilder<> &B, const Value *Vector) {
  auto *V = const_cast<Value *>(Vector);
  IRBuilder<> AtEntry(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Room = AtEntry.CreateAlloca(V->getType());
  StoreInst *Store = B.CreateStore(V, Room);
  setNoSanitize(Store);
  return B.CreatePointerCast(Room, Ptr);
}

void SiteWriter::OneFunction::callHook(const Site &S, uint64_t Index) {
  Constant *Site = ConstantExpr::getPointerCast(element(Sites, Index), Ptr);
  if (const auto &Text = S.What.Text) {
    auto *Call = cast<CallBase>(S.I);
    auto *Invoke = dyn_cast<InvokeInst>(Call);
    // After it, so that a sanitizer reports first.
    IRBuilder<> B(gate(Invoke ? &*SplitEdge(Invoke->getParent(), Invoke->getNormalDest())->begin()
                              : Call->getNextNode(),
                       *Call));
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    Value *NoPointer = ConstantPointerNull::get(Ptr), *NoSize = ConstantInt::get(I64, 0);
    Value *A = NoPointer, *N = NoSize, *Other = NoPointer, *M = NoSize;
    for (unsigned P = 0; P != Text->Params.size(); ++P) {
      Value *Arg = Call->getArgOperand(P);
      switch (Text->Params[P]) {
      case 'a':
        A = B.CreatePointerCast(Arg, Ptr);
        break;
      case 'b':
        Other = B.CreatePointerCast(Arg, Ptr);
        break;
      case 'n':
        N = B.CreateZExtOrTrunc(Arg, I64);
        break;
      case 'm':
        M = B.CreateZExtOrTrunc(Arg, I64);
        break;
      case 'A':
        A = loadField(B, Arg, Ptr, 0);
        break;
      case 'B':
        Other = loadField(B, Arg, Ptr, 0);
        break;
      case 'S':
        A = loadField(B, Arg, Ptr, 0);
        N = loadField(B, Arg, I64, 8);
        break;
      case '-':
        break;
      default: // c, converted as the function does
        M = B.CreateZExt(B.CreateZExtOrTrunc(Arg, I8), I64);
      }
    }
    if (!S.What.Wanted.empty())
      Other = W.text(S.What.Wanted);
    if (S.isThroughPointer()) {
      Value *Kinds = ConstantInt::get(I64, textBehindPointer(Call).size());
      B.CreateCall(W.hook(CFZ_SYM_TRACE_CALL, {Ptr, I64, Ptr, Ptr, Ptr, I64}),
                   {Site, Kinds, B.CreatePointerCast(Call->getCalledOperand(), Ptr), A, Other, N});
      return;
    }
    B.CreateCall(W.hook(CFZ_SYM_TRACE_TEXT, {Ptr, Ptr, I64, Ptr, I64}), {Site, A, N, Other, M});
    return;
  }
  IRBuilder<> B(gate(S.What.Before ? S.What.Before : S.I, *S.I));
  B.SetCurrentDebugLocation(S.I->getDebugLoc()); // Before is perhaps of a block of its own
  if (S.What.Kind == CFZ_SITE_MEM) {
    B.CreateCall(
        W.hook(CFZ_SYM_TRACE_TEXT, {Ptr, Ptr, I64, Ptr, I64}),
        {Site, inMemory(B, S.What.A),
         ConstantInt::get(I64, cast<FixedVectorType>(S.What.A->getType())->getNumElements()),
         inMemory(B, S.What.B), ConstantInt::get(I64, 0)});
    return;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(S.I))
    B.CreateCall(W.hook(CFZ_SYM_TRACE_SWITCH, {Ptr, I64}),
                 {Site, numberOf(B, Switch->getCondition(), S)});
  else
    B.CreateCall(W.hook(CFZ_SYM_TRACE_NUMBER, {Ptr, I64, I64}),
                 {Site, numberOf(B, S.What.A, S), numberOf(B, S.What.B, S)});
}

size_t countSites(BasicBlock &B) {
  size_t N = 0;
  for (Instruction &I : B)
    N += comparisonsOf(I).size();
  return N;
}

size_t countSites(Function &F) {
  size_t N = 0;
  for (BasicBlock &B : F)
    N += countSites(B);
  return N;
}

/// Moves what a branch alone asks for down to it, where it was hoisted to a block before: there it
/// would be told of, and tried, before the comparisons between are what they have to be.
static void sinkConditions(Function &F) {
  for (BasicBlock &B : F) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    SmallVector<std::pair<Value *, Instruction *>, 8> Below{{Branch->getCondition(), Branch}};
    while (!Below.empty()) {
      auto [V, User] = Below.pop_back_val();
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !I->hasOneUse() || !isCondition(*I))
        continue;
      if (I->getParent() != &B)
        I->moveBefore(*User->getParent(), User->getIterator());
      for (Value *Operand : I->operands())
        Below.push_back({Operand, I});
    }
  }
}

Value *askTracing(IRBuilder<> &B, GlobalVariable *Tracing, MDNode **Weights) {
  LoadInst *On = B.CreateAlignedLoad(B.getInt8Ty(), Tracing, Align(1));
  setNoSanitize(On);
  *Weights = MDBuilder(B.getContext()).createBranchWeights(WeightTraced, WeightPlain);
  return B.CreateIsNotNull(On);
}

void SiteWriter::instrument(Function &F, const Counters &Counts, GlobalVariable *Gate) {
  sinkConditions(F);
  OneFunction(*this, F, Counts, Gate).write();
}

/// Weak, so that the object links without our runtime too: then nothing ever calls a copy.
FunctionCallee SiteWriter::hook(const char *Name, ArrayRef<Type *> Params) {
  FunctionCallee Hook = M.getOrInsertFunction(
      Name, FunctionType::get(Type::getVoidTy(M.getContext()), Params, false));
  auto *F = dyn_cast<Function>(Hook.getCallee()->stripPointerCasts());
  if (F && F->isDeclaration()) {
    F->setLinkage(GlobalValue::ExternalWeakLinkage);
    F->setDoesNotThrow();
  }
  return Hook;
}

Constant *SiteWriter::text(StringRef Text) {
  Constant *&Found = Texts[Text];
  if (!Found) {
    Constant *Init = ConstantDataArray::getString(M.getContext(), Text);
    auto *GV = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init,
                                  "cfuzz.file");
    GV->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Found = ConstantExpr::getPointerCast(GV, compat::anyPointer(M.getContext()));
  }
  return Found;
}

} // namespace cfuzz
