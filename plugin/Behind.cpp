//===- Behind.cpp - how much of the program lies behind an outcome --------===//
//
// The counters that are reached only after a comparison had an outcome: those of the blocks that
// the edge of the branch dominates, and those of local functions that are called from there alone.
// As long as no execution had the outcome, none of them is covered.
//
//   if (n == 7) {        behind "n == 7": the counters of this block,
//     if (m < 9)         the counters behind "m < 9",
//       helper();        and those of helper(), if nobody else calls it
//   }
//
//===----------------------------------------------------------------------===//

#include "Behind.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace cfuzz {
namespace {

DenseMap<const BasicBlock *, unsigned> numbersOf(const Function &F) {
  DenseMap<const BasicBlock *, unsigned> Numbers;
  unsigned N = 0;
  for (const BasicBlock &B : F)
    Numbers[&B] = N++;
  return Numbers;
}

/// The one function, other than F itself, that calls F, and the blocks from which it does.
/// Caller is null if there is none or another use of F.
struct Callers {
  Function *Caller = nullptr;
  SmallVector<BasicBlock *, 4> From;
};
Callers callersOf(const Function &F) {
  Callers Result;
  if (!F.hasLocalLinkage())
    return Callers();
  for (const Use &U : F.uses()) {
    if (isTableOfPCs(U.getUser()))
      continue;
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U))
      return Callers();
    Function *Caller = Call->getFunction();
    if (Caller == &F)
      continue;
    if (Result.Caller && Result.Caller != Caller)
      return Callers();
    Result.Caller = Caller;
    Result.From.push_back(Call->getParent());
  }
  return Result;
}

} // namespace

PrivateCallees::PrivateCallees(ArrayRef<Counters> All) {
  MapVector<Function *, uint64_t> Counts;
  for (const Counters &C : All)
    Counts[C.Fn] += C.Count;
  // Chains of calls are short, and of functions that call each other in a ring none counts.
  DenseMap<Function *, SmallVector<Function *, 4>> CallsAlone;
  DenseMap<Function *, unsigned> Lowest;
  for (const auto &Callee : Counts) {
    Callers C = callersOf(*Callee.first);
    if (!C.Caller || !Counts.count(C.Caller))
      continue;
    CallsAlone[C.Caller].push_back(Callee.first);
    Lowest[Callee.first] = ~0u;
  }
  for (auto &Caller : CallsAlone) {
    DominatorTree Tree(*Caller.first);
    DenseMap<const BasicBlock *, unsigned> Numbers = numbersOf(*Caller.first);
    for (Function *Callee : Caller.second) {
      BasicBlock *Common = nullptr;
      for (BasicBlock *B : callersOf(*Callee).From)
        if (Tree.isReachableFromEntry(B))
          Common = Common ? Tree.findNearestCommonDominator(Common, B) : B;
      if (Common)
        Lowest[Callee] = Numbers[Common];
    }
  }
  // From the functions that call nobody alone upwards. Each is called by one other at most, so this
  // is a forest (and rings, which no root reaches).
  for (const auto &Root : Counts) {
    if (Lowest.count(Root.first))
      continue;
    SmallVector<Function *, 16> Order{Root.first};
    for (size_t I = 0; I != Order.size(); ++I) {
      auto Found = CallsAlone.find(Order[I]);
      if (Found != CallsAlone.end())
        Order.append(Found->second.begin(), Found->second.end());
    }
    DenseMap<Function *, uint64_t> Whole;
    for (Function *F : reverse(Order)) {
      Whole[F] += Counts[F];
      auto Found = Lowest.find(F);
      if (Found == Lowest.end() || Found->second == ~0u)
        continue;
      Function *Caller = callersOf(*F).Caller;
      Whole[Caller] += Whole[F];
      Below[Caller][Found->second] += Whole[F];
    }
  }
}

uint64_t PrivateCallees::below(const Function &F, unsigned Block) const {
  auto Found = Below.find(&F);
  return Found == Below.end() ? 0 : Found->second.lookup(Block);
}

CountersBehind::CountersBehind(Function &F, const Function &Original,
                               const DenseMap<const BasicBlock *, uint64_t> &Own,
                               const PrivateCallees &Callees)
    : Tree(F) {
  unsigned Number = 0; // a copy has the blocks of its original in the same order
  for (const BasicBlock &B : F) {
    Dominated[&B] = Own.count(&B) + Callees.below(Original, Number);
    ++Number;
  }
  for (const auto *Node : post_order(Tree.getRootNode()))
    if (const auto *Parent = Node->getIDom())
      Dominated[Parent->getBlock()] += Dominated[Node->getBlock()];
}

uint64_t CountersBehind::successor(const Instruction &Terminator, unsigned Successor) const {
  const BasicBlock *To = Terminator.getSuccessor(Successor);
  return Tree.dominates(BasicBlockEdge(Terminator.getParent(), To), To) ? dominatedBy(To) : 0;
}

SmallVector<CountersBehind::Case, 16> CountersBehind::cases(const SwitchInst &Switch) const {
  const BasicBlock *From = Switch.getParent();
  // By the block at which successors meet: the successor itself, or the one behind it that was put
  // between for its counter.
  MapVector<const BasicBlock *, SmallVector<unsigned, 4>> Meeting;
  SmallVector<Case, 16> Result;
  for (const auto &C : Switch.cases()) {
    unsigned Successor = C.getSuccessorIndex();
    const BasicBlock *To = C.getCaseSuccessor();
    Result.push_back({successor(Switch, Successor), Successor});
    if (To->getSinglePredecessor())
      if (const BasicBlock *Next = To->getSingleSuccessor())
        To = Next;
    if (!To->getSinglePredecessor())
      Meeting[To].push_back(static_cast<unsigned>(Result.size() - 1));
  }
  for (const auto &M : Meeting) {
    const BasicBlock *Body = M.first;
    DenseMap<const BasicBlock *, bool> Ways; // by which the cases get there
    for (unsigned Index : M.second)
      Ways[Switch.getSuccessor(Result[Index].Body) == Body
               ? From
               : Switch.getSuccessor(Result[Index].Body)] = true;
    if (M.second.size() < 2 || Switch.getDefaultDest() == Body ||
        !all_of(predecessors(Body),
                [&](const BasicBlock *P) { return Ways.count(P) || Tree.dominates(Body, P); }))
      continue;
    unsigned First = Result[M.second.front()].Body;
    for (unsigned Index : M.second) {
      Result[Index].Count += dominatedBy(Body);
      Result[Index].Body = First;
    }
  }
  return Result;
}

} // namespace cfuzz
