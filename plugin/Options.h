//===- Options.h - the plugin's options and how they reach the passes -----===//
//
//   -fplugin-arg-cfuzz-coverage=on|off      instrument for coverage (on)
//   -fplugin-arg-cfuzz-rename-main=on|off   main becomes cfuzz_user_main (off)
//   -fplugin-arg-cfuzz-trace=on|off         with coverage: copies that tell comparisons (on)
//   -fplugin-arg-cfuzz-compare=F:A:B[:N][@PLACE]
//                                           calls of F compare the texts that its parameters A and
//                                           B point to, of N bytes if there is an N; repeatable
//
// Only the AST part sees the command line, and the passes may run in another
// process (clang -save-temps compiles bitcode). So what differs from the
// defaults travels inside the module: the AST part adds a variable that carries
// an annotation, the RegistryPass reads it, erases it and leaves module flags
// for the other passes. docs/decisions/021-plugin-options.md.
//
// Knows neither clang nor LLVM's IR, so both parts include it.
//
//===----------------------------------------------------------------------===//
#ifndef CFUZZ_PLUGIN_OPTIONS_H
#define CFUZZ_PLUGIN_OPTIONS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cfuzz {

/// The name the plugin is registered under: -fplugin-arg-<this>-...
constexpr const char PluginName[] = "cfuzz";

/// Begins the annotation of the variable that carries options; the rest is what encode() wrote.
constexpr const char OptionsAnnotation[] = "cfuzz.options:";

/// On a function with no_sanitize("coverage").
constexpr const char NoCoverageAnnotation[] = "cfuzz.no-coverage";

/// A function of the user's that compares text, and numbers of its parameters.
struct Comparator {
  std::string Function;
  unsigned A = 0, B = 0;
  int Size = -1; ///< -1: the texts end in NUL
  /// Texts end in NUL even with a size, which is then the most that is compared. The AST part,
  /// which knows the types of the parameters, decides it.
  bool EndInNul = true;
  std::string Place; ///< of the directive, for messages: "parse_test.c:3"; not handed on

  /// "F:A:B", "F:A:B:N", and with ":nul" behind it if EndInNul; without the place.
  std::string encode() const;
  /// The same without the function, as the attribute of the function has it.
  std::string parameters() const;
};

struct Options {
  bool Coverage = true;
  bool RenameMain = false;
  bool Trace = true;
  std::vector<Comparator> Comparators;

  /// Reads one argument as clang hands it over ("coverage=off"). On failure leaves the options as
  /// they were and puts "what: why" into Error.
  bool parse(llvm::StringRef Arg, std::string &Error);

  /// "coverage=on,rename-main=off,trace=on,compare=f:0:1:nul"; decode() reads it back and ignores
  /// what it does not know.
  std::string encode() const;
  static Options decode(llvm::StringRef Text);

  bool isDefault() const { return Coverage && !RenameMain && Trace && Comparators.empty(); }
};

} // namespace cfuzz

#endif
