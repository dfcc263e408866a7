//===- TypeList.cpp - the words of a type list and their places -----------===//

#include "TypeList.h"
#include "core/types.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/Token.h"

using namespace clang;
using llvm::StringRef;

namespace cfuzz {
namespace {

class Recorder : public PPCallbacks {
public:
  explicit Recorder(TypeListLocations &Into) : Into(Into) {}

  void MacroExpands(const Token &Name, const MacroDefinition &, SourceRange,
                    const MacroArgs *Args) override {
    // Inside another macro there are no places in a file to point to.
    if (!Args || Args->getNumMacroArguments() < 2 || !Name.getLocation().isFileID())
      return;
    const IdentifierInfo *Id = Name.getIdentifierInfo();
    if (!Id || (Id->getName() != "FUZZ_TEST" && Id->getName() != "FUZZ_TEST_VALUES"))
      return;
    auto &Words = Into[Name.getLocation()];
    Words.clear();
    SourceLocation Begin, End;
    for (const Token *T = Args->getUnexpArgument(1);; ++T) {
      bool AtEnd = T->is(tok::eof);
      if (AtEnd || T->is(tok::comma)) {
        Words.push_back(
            {Begin.isValid() ? Begin : T->getLocation(), End.isValid() ? End : T->getLocation()});
        Begin = End = SourceLocation();
        if (AtEnd)
          return;
        continue;
      }
      if (Begin.isInvalid())
        Begin = T->getLocation();
      End = T->getLocation().getLocWithOffset(T->getLength());
    }
  }

private:
  TypeListLocations &Into;
};

} // namespace

std::unique_ptr<PPCallbacks> recordTypeLists(TypeListLocations &Into) {
  return std::make_unique<Recorder>(Into);
}

std::vector<ListedType> readTypeList(StringRef List, const TypeListLocations &Locations,
                                     SourceLocation Expansion) {
  std::vector<ListedType> Result;
  if (List.trim().empty())
    return Result;
  llvm::SmallVector<StringRef, 8> Words;
  List.split(Words, ',');
  for (StringRef Word : Words) {
    ListedType Type;
    Type.Word = Word.trim().str();
    Type.Kind = cfz_kind_of_word(Type.Word.data(), Type.Word.size());
    Result.push_back(std::move(Type));
  }
  auto Found = Locations.find(Expansion);
  if (Found != Locations.end() && Found->second.size() == Result.size())
    for (size_t I = 0; I < Result.size(); ++I)
      std::tie(Result[I].Begin, Result[I].End) = Found->second[I];
  return Result;
}

const char *acceptedTypes() {
  static const std::string Text = [] {
    std::string Joined;
    for (size_t I = 0; const char *Word = cfz_kind_word(I); ++I)
      Joined += (Joined.empty() ? "" : ", ") + std::string(Word);
    return Joined;
  }();
  return Text.c_str();
}

const char *similarType(StringRef Word) {
  const char *Best = nullptr;
  unsigned BestDistance = Word.size() < 4 ? 2 : 3; // guessed: a typing mistake or two
  for (size_t I = 0; const char *Name = cfz_kind_word(I); ++I) {
    unsigned Distance = Word.edit_distance(Name, true, BestDistance);
    if (Distance < BestDistance) {
      Best = Name;
      BestDistance = Distance;
    }
  }
  return Best;
}

} // namespace cfuzz
