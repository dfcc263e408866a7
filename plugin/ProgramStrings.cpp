//===- ProgramStrings.cpp - strings of the program, as words --------------===//
//
// A keyword that is looked up in a table, by bisection or a hash, is compared with few inputs or
// none: tracing does not see it. It is a string of the program. Each word has its length in a byte
// before it:
//
//   @cfuzz.strings = private constant [6 x i8] c"\05begin", section "cfuzz_strings"
//
// Words may also stand in one text, each ended by a zero or told by tables of places and lengths:
//
//   static const char text[] = {'b', 'e', 'g', 'i', 'n', 'd', ...}; // begin, end, index
//   static const unsigned char place[] = {0, 3, 5, ...}, length[] = {5, 3, 5, ...};
//
// Left out is what is there for people: formats and messages, by who uses them and by blanks.
// What else is no word costs little, since words have to earn their use (runtime/search/words.h).
//
//===----------------------------------------------------------------------===//

#include "ProgramStrings.h"
#include "LLVMCompat.h"
#include "Sections.h"
#include "abi.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace cfuzz {
namespace {

constexpr size_t Shortest = 2, Longest = 32;
constexpr size_t LongestBinary = 16;    ///< of an array that is no string
constexpr size_t MostWords = 4096;      ///< of a module
constexpr unsigned MostElements = 4096; ///< of an array that is looked at
constexpr unsigned FewestPacked = 8;    ///< words that share a text
constexpr unsigned MostTables = 512;    ///< of a module that may tell where they are

bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\n'; }

/// Whether Text is two words and more, as only messages are.
bool isSentence(StringRef Text) {
  unsigned Gaps = 0;
  for (size_t I = 1; I + 1 < Text.size(); ++I)
    Gaps += isBlank(Text[I]) && !isBlank(Text[I - 1]) && isAlpha(Text[I + 1]);
  return Gaps > 1;
}

bool isText(StringRef Text) {
  return all_of(Text, [](char C) { return isPrint(C) || isBlank(C) || C == '\r'; });
}

/// Calls that show people what they are given. Ours get the name of the source, and messages.
bool shows(const CallBase &Call) {
  if (Call.doesNotReturn() || Call.getFunctionType()->isVarArg())
    return true;
  const Function *F = Call.getCalledFunction();
  return F && (F->getName() == "puts" || F->getName() == "fputs" || F->getName() == "perror" ||
               F->getName() == "fwrite" || F->getName().take_front(6) == "cfuzz_");
}

/// Descriptors of tests, with their names and files, annotations, and what has no name: places in
/// the source that UndefinedBehaviorSanitizer reports.
bool isDescriptor(const User *U) {
  const auto *G = dyn_cast<GlobalVariable>(U);
  return G && (G->getSection() == CFZ_SECTION_TESTS || G->getSection() == "llvm.metadata" ||
               !G->hasName());
}

/// Whether C is used by such calls and descriptors alone. Used: there is one.
bool isShown(const Constant &C, bool &Used) {
  for (const User *U : C.users()) {
    const auto *Call = dyn_cast<CallBase>(U);
    if ((Call && shows(*Call)) || isDescriptor(U)) {
      Used = true;
      continue;
    }
    if (isa<Instruction>(U) || isa<GlobalValue>(U))
      return false;
    const auto *Inner = cast<Constant>(U);
    if (!Inner->use_empty() && !isShown(*Inner, Used))
      return false;
  }
  return true;
}

/// What the compiler or the plugin made, and names of functions and files.
bool isMade(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name.empty() || G.hasSection() || Name.take_front(5) == "cfuzz" ||
         Name.take_front(5) == "llvm." || Name.take_front(4) == ".src" ||
         Name.take_front(8) == "__func__" || Name.take_front(12) == "__FUNCTION__" ||
         Name.take_front(19) == "__PRETTY_FUNCTION__";
}

/// The data of a module that may tell where words are in a text.
struct Tables {
  SmallVector<StringRef, 8> Texts;
  SmallVector<const ConstantDataArray *, 64> Numbers;

  void add(const Constant &C) {
    const auto *Data = dyn_cast<ConstantDataArray>(&C);
    if (!Data || Data->getNumElements() < FewestPacked || Data->getNumElements() > MostElements ||
        !Data->getElementType()->isIntegerTy())
      return;
    if (Data->isString(8) && Data->getAsString().size() > Longest && isText(Data->getAsString()))
      Texts.push_back(Data->getAsString());
    else if (Numbers.size() < MostTables)
      Numbers.push_back(Data);
  }

  /// Whether Places and Lengths tell words, each byte of Text being in one.
  static bool tell(StringRef Text, const ConstantDataArray &Places,
                   const ConstantDataArray &Lengths) {
    if (Places.getNumElements() != Lengths.getNumElements())
      return false;
    BitVector Told(Text.size());
    for (unsigned I = 0, N = Places.getNumElements(); I != N; ++I) {
      uint64_t Place = Places.getElementAsInteger(I), Length = Lengths.getElementAsInteger(I);
      if (Length > Longest || Place > Text.size() || Length > Text.size() - Place)
        return false;
      Told.set(Place, Place + Length);
    }
    return Told.all();
  }
};

class Words {
public:
  void addFrom(const Constant &C) {
    if (const auto *Data = dyn_cast<ConstantDataArray>(&C)) {
      if (Data->isString(8))
        addParts(Data->getAsString());
    } else if (isa<ConstantArray>(C) || isa<ConstantStruct>(C)) {
      for (unsigned I = 0, N = C.getNumOperands(); I != N && I != MostElements; ++I)
        addFrom(*cast<Constant>(C.getOperand(I)));
    }
  }

  /// Words that stand in one text, told by two tables.
  void addPacked(const Tables &T) {
    for (StringRef Text : T.Texts)
      for (const ConstantDataArray *Places : T.Numbers)
        for (const ConstantDataArray *Lengths : T.Numbers)
          if (Places != Lengths && Tables::tell(Text, *Places, *Lengths))
            for (unsigned I = 0, N = Places->getNumElements(); I != N; ++I)
              addString(
                  Text.substr(Places->getElementAsInteger(I), Lengths->getElementAsInteger(I)));
  }

  std::string Text;

private:
  /// A string, or several that end in zeros.
  void addParts(StringRef S) {
    SmallVector<StringRef, 8> Parts;
    S.rtrim('\0').split(Parts, '\0');
    if (Parts.size() < FewestPacked || !all_of(Parts, isText))
      addString(S);
    else
      for (StringRef Part : Parts)
        addString(Part);
  }

  void addString(StringRef S) {
    bool EndsInNul = !S.empty() && S.back() == 0;
    StringRef Word = S;
    while (!Word.empty() && Word.back() == 0)
      Word = Word.drop_back();
    if (Word.size() < Shortest || Word.size() > Longest || Count == MostWords ||
        Word.find_first_not_of(Word[0]) == StringRef::npos)
      return;
    if (isText(Word) ? isSentence(Word) : !EndsInNul && S.size() > LongestBinary)
      return;
    if (!Seen.insert(Word).second)
      return;
    ++Count;
    Text += char(Word.size());
    Text += Word.str();
  }

  StringSet<> Seen;
  size_t Count = 0;
};

} // namespace

void listStrings(Module &M) {
  Tables Found;
  Words All;
  for (const GlobalVariable &G : M.globals()) {
    bool Used = false;
    if (!G.hasInitializer() || isMade(G) || (isShown(G, Used) && (Used || G.hasLocalLinkage())))
      continue;
    All.addFrom(*G.getInitializer());
    Found.add(*G.getInitializer());
  }
  All.addPacked(Found);
  if (All.Text.empty())
    return;
  Constant *Text = ConstantDataArray::getString(M.getContext(), All.Text, false);
  auto *List = new GlobalVariable(M, Text->getType(), true, GlobalValue::PrivateLinkage, Text,
                                  "cfuzz.strings");
  List->setSection(CFZ_SECTION_STRINGS);
  List->setAlignment(Align(1));
  appendToUsed(M, {List}); // nothing refers to it
  emitConstructor(M, "cfuzz.strings_ctor", CFZ_SYM_STRINGS_INIT,
                  {ConstantInt::get(Type::getInt32Ty(M.getContext()), CFUZZ_ABI),
                   sectionBound(M, "__start_" CFZ_SECTION_STRINGS),
                   sectionBound(M, "__stop_" CFZ_SECTION_STRINGS)});
}

} // namespace cfuzz
