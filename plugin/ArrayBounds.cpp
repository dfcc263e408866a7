//===- ArrayBounds.cpp - indices that may lie outside of their array ------===//
//
//   %p = getelementptr [8 x i32], ptr @table, i64 0, i64 %i      i >= 8? i < 0?
//
// An array has a known size if its type says so, or if the address begins in a variable of the
// program. Most indices cannot leave their array, and a goal for each of those would be work for
// nothing: bytes into tables of 256, masked and reduced numbers, and what is compared with a
// constant before.
//
//===----------------------------------------------------------------------===//

#include "ArrayBounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include <optional>

using namespace llvm;

namespace cfuzz {
namespace {

/// An array of one element at the end of a structure has any number of them.
constexpr uint64_t LeastElements = 2;

bool isOfSanitizer(const Instruction &I) {
  return I.getMetadata("nosanitize") || (!I.user_empty() && all_of(I.users(), [](const User *U) {
           const auto *User = dyn_cast<Instruction>(U);
           return User && User->getMetadata("nosanitize");
         }));
}

/// The values that V has at most, as far as its own instruction and those before it tell.
ConstantRange rangeOf(const Value *V, const DataLayout &DL, bool Signed) {
  return ConstantRange::fromKnownBits(computeKnownBits(V, DL), Signed)
      .intersectWith(computeConstantRange(V, Signed));
}

/// Whether one outcome of a comparison with a constant leaves only values for which Within holds.
template <typename Predicate> bool isComparedWithin(const Value *V, Predicate Within) {
  return any_of(V->users(), [&](const User *U) {
    const auto *Cmp = dyn_cast<ICmpInst>(U);
    const auto *C = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
    if (!C || Cmp->isEquality() || isOfSanitizer(*Cmp))
      return false;
    ConstantRange Range = ConstantRange::makeExactICmpRegion(Cmp->getPredicate(), C->getValue());
    ConstantRange Other = Range.inverse();
    return (!Range.isEmptySet() && Within(Range)) || (!Other.isEmptySet() && Within(Other));
  });
}

/// Whether V counts in a loop, perhaps of several rounds at a time, that ends at a constant of at
/// most Elements.
bool countsUpTo(const Value *V, uint64_t Elements) {
  const auto *Ahead = dyn_cast<BinaryOperator>(V);
  if (Ahead && (Ahead->getOpcode() == Instruction::Add || Ahead->getOpcode() == Instruction::Or) &&
      isa<ConstantInt>(Ahead->getOperand(1)))
    V = Ahead->getOperand(0);
  const auto *Phi = dyn_cast<PHINode>(V);
  return Phi && any_of(Phi->incoming_values(), [&](const Value *Next) {
           const auto *Step = dyn_cast<BinaryOperator>(Next);
           if (!Step || Step->getOpcode() != Instruction::Add || Step->getOperand(0) != V)
             return false;
           return any_of(Step->users(), [&](const User *U) {
             const auto *Cmp = dyn_cast<ICmpInst>(U);
             const auto *C = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
             return C && C->getValue().ule(Elements);
           });
         });
}

/// The first instruction that the index is known at, and at which no check of a sanitizer has
/// stopped the program for it.
Instruction *beforeChecks(GetElementPtrInst &Address, const Value *Index, const Value *Extended) {
  for (const Value *V : {Index, Extended})
    for (const User *U : V->users())
      if (const auto *Cmp = dyn_cast<ICmpInst>(U))
        if (Cmp->getFunction() == Address.getFunction() && Cmp->getOperand(0) == V &&
            isa<ConstantInt>(Cmp->getOperand(1)) && isOfSanitizer(*Cmp))
          return const_cast<ICmpInst *>(Cmp);
  return &Address;
}

void addBounds(GetElementPtrInst &Address, const Value *Extended, uint64_t Elements,
               SmallVectorImpl<ArrayBound> &Result) {
  const auto *Cast = dyn_cast<CastInst>(Extended);
  const Value *Index =
      Cast && (isa<SExtInst>(Cast) || isa<ZExtInst>(Cast)) ? Cast->getOperand(0) : Extended;
  bool Signed = !isa<ZExtInst>(Extended);
  if (isa<Constant>(Index) || !Index->getType()->isIntegerTy() || Elements < LeastElements)
    return;
  unsigned Width = Index->getType()->getIntegerBitWidth();
  if (Width < 8 || Width > 64)
    return;
  const DataLayout &DL = Address.getModule()->getDataLayout();
  Instruction *Before = beforeChecks(Address, Index, Extended);
  APInt Most = Signed ? APInt::getSignedMaxValue(Width) : APInt::getMaxValue(Width);
  ConstantRange Range = rangeOf(Index, DL, Signed);
  auto IsCompared = [&](auto Within) {
    return isComparedWithin(Index, Within) || isComparedWithin(Extended, Within);
  };
  if (Most.uge(Elements)) {
    // A number that is known not to be negative is extended with zeros, and compared as signed.
    auto Below = [&](const ConstantRange &R) {
      return R.getUnsignedMax().ult(Elements) ||
             R.getSignedMax().slt(APInt(R.getBitWidth(), Elements));
    };
    if (!Range.getUnsignedMax().ult(Elements) &&
        !(Signed && Range.getSignedMax().slt(APInt(Width, Elements))) &&
        !countsUpTo(Index, Elements) && !countsUpTo(Extended, Elements) && !IsCompared(Below))
      Result.push_back({Index,
                        ConstantInt::get(Index->getType()->getContext(), APInt(Width, Elements)),
                        Signed, false, Before});
  }
  if (Signed) {
    auto NotNegative = [](const ConstantRange &R) { return R.getSignedMin().isNonNegative(); };
    if (!NotNegative(Range) && !countsUpTo(Index, Elements) && !countsUpTo(Extended, Elements) &&
        !IsCompared(NotNegative))
      Result.push_back({Index, ConstantInt::get(Index->getType()->getContext(), APInt(Width, 0)),
                        true, true, Before});
  }
}

/// How many elements of Size bytes there are from Base on, if it points to a row of an array of
/// arrays, or into a variable.
std::optional<uint64_t> elementsFrom(const Value *Base, uint64_t Size, const DataLayout &DL) {
  if (const auto *Row = dyn_cast<GetElementPtrInst>(Base))
    if (const auto *Array = dyn_cast<ArrayType>(Row->getResultElementType()))
      if (Array->getElementType()->isSized() &&
          static_cast<uint64_t>(DL.getTypeAllocSize(Array->getElementType())) == Size)
        return Array->getNumElements();
  APInt Offset(DL.getIndexTypeSizeInBits(Base->getType()), 0);
  const Value *Object = Base->stripAndAccumulateConstantOffsets(DL, Offset, true);
  Type *Ty = nullptr;
  uint64_t Count = 1;
  if (const auto *GV = dyn_cast<GlobalVariable>(Object)) {
    Ty = GV->getValueType();
  } else if (const auto *Alloca = dyn_cast<AllocaInst>(Object)) {
    const auto *N = dyn_cast<ConstantInt>(Alloca->getArraySize());
    Ty = Alloca->getAllocatedType();
    Count = N ? N->getValue().getLimitedValue(UINT32_MAX) : 0;
  }
  if (!Ty || !Ty->isSized() || isa<ScalableVectorType>(Ty) || Size == 0)
    return std::nullopt;
  uint64_t Bytes = static_cast<uint64_t>(DL.getTypeAllocSize(Ty)) * Count;
  if (Offset.isNegative() || Offset.uge(Bytes))
    return std::nullopt;
  return (Bytes - Offset.getZExtValue()) / Size;
}

} // namespace

SmallVector<ArrayBound, 2> arrayBounds(GetElementPtrInst &Address) {
  SmallVector<ArrayBound, 2> Result;
  if (Address.getMetadata("nosanitize") || Address.getType()->isVectorTy())
    return Result;
  const DataLayout &DL = Address.getModule()->getDataLayout();
  const Value *First = Address.getOperand(1);
  if (!isa<Constant>(First)) {
    Type *Ty = Address.getSourceElementType();
    if (Ty->isSized() && !isa<ScalableVectorType>(Ty))
      if (auto Elements = elementsFrom(Address.getPointerOperand(), DL.getTypeAllocSize(Ty), DL))
        addBounds(Address, First, *Elements, Result);
  }
  SmallVector<Value *, 4> Indices(Address.idx_begin(), Address.idx_end());
  for (unsigned I = 1; I < Indices.size(); ++I)
    if (const auto *Array = dyn_cast<ArrayType>(GetElementPtrInst::getIndexedType(
            Address.getSourceElementType(), ArrayRef<Value *>(Indices).take_front(I))))
      addBounds(Address, Indices[I], Array->getNumElements(), Result);
  return Result;
}

} // namespace cfuzz
