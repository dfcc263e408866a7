//===- Options.cpp - reading and writing the plugin's options -------------===//

#include "Options.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace cfuzz {

bool Options::parse(StringRef Arg, std::string &Error) {
  auto [Name, Value] = Arg.split('=');
  bool *Option = Name == "coverage"      ? &Coverage
                 : Name == "rename-main" ? &RenameMain
                 : Name == "trace"       ? &Trace
                                         : nullptr;
  if (!Option) {
    Error = "-fplugin-arg-cfuzz-" + Arg.str() +
            ": unknown option; there are coverage=on|off, rename-main=on|off and trace=on|off";
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
  return std::string("coverage=") + (Coverage ? "on" : "off") +
         ",rename-main=" + (RenameMain ? "on" : "off") + ",trace=" + (Trace ? "on" : "off");
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
