//===- Options.cpp - reading and writing the plugin's options -------------===//

#include "Options.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace cfuzz {

namespace {

/// Reads "F:A:B[:N][:nul][@PLACE]".
bool parseComparator(StringRef Text, Comparator &C) {
  auto [What, Place] = Text.split('@');
  SmallVector<StringRef, 5> Parts;
  What.split(Parts, ':');
  C.EndInNul = Parts.back() == "nul";
  if (C.EndInNul)
    Parts.pop_back();
  if (Parts.size() < 3 || Parts.size() > 4 || Parts[0].empty())
    return false;
  unsigned Size = 0;
  // getAsInteger is true when it failed.
  if (Parts[1].getAsInteger(10, C.A) || Parts[2].getAsInteger(10, C.B) ||
      (Parts.size() == 4 && Parts[3].getAsInteger(10, Size)))
    return false;
  C.Function = Parts[0].str();
  C.Size = Parts.size() == 4 ? static_cast<int>(Size) : -1;
  C.Place = Place.str();
  return true;
}

} // namespace

std::string Comparator::parameters() const {
  return std::to_string(A) + ":" + std::to_string(B) +
         (Size < 0 ? "" : ":" + std::to_string(Size)) + (EndInNul ? ":nul" : "");
}

std::string Comparator::encode() const { return Function + ":" + parameters(); }

bool Options::parse(StringRef Arg, std::string &Error) {
  auto [Name, Value] = Arg.split('=');
  if (Name == "compare") {
    Comparator C;
    if (!parseComparator(Value, C)) {
      Error = "-fplugin-arg-cfuzz-" + Arg.str() +
              ": the value must be FUNCTION:A:B or FUNCTION:A:B:SIZE, with numbers of parameters";
      return false;
    }
    Comparators.push_back(C);
    return true;
  }
  bool *Option = Name == "coverage"      ? &Coverage
                 : Name == "rename-main" ? &RenameMain
                 : Name == "trace"       ? &Trace
                                         : nullptr;
  if (!Option) {
    Error = "-fplugin-arg-cfuzz-" + Arg.str() +
            ": unknown option; there are coverage=on|off, rename-main=on|off, trace=on|off and "
            "compare=FUNCTION:A:B[:SIZE]";
    return false;
  }
  if (Value != "on" && Value != "off") {
    Error = "-fplugin-arg-cfuzz-" + Arg.str() + ": the value must be on or off";
    return false;
  }
  *Option = Value == "on";
  return true;
}

std::string Options::encode() const {
  std::string Text = std::string("coverage=") + (Coverage ? "on" : "off") +
                     ",rename-main=" + (RenameMain ? "on" : "off") +
                     ",trace=" + (Trace ? "on" : "off");
  for (const Comparator &C : Comparators)
    Text += ",compare=" + C.encode();
  return Text;
}

Options Options::decode(StringRef Text) {
  Options Result;
  std::string Ignored;
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts)
    Result.parse(Part, Ignored);
  return Result;
}

} // namespace cfuzz
