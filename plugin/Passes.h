//===- Passes.h - the plugin's module passes ------------------------------===//
#ifndef CFUZZ_PLUGIN_PASSES_H
#define CFUZZ_PLUGIN_PASSES_H

#include "llvm/IR/PassManager.h"

namespace cfuzz {

/// Module flags, written by the RegistryPass and read by the other passes. Present with value 1
/// when true; absent when false.
constexpr const char FlagRegistered[] = "cfuzz.registered";
constexpr const char FlagNoCoverage[] = "cfuzz.no-coverage";
constexpr const char FlagNoTrace[] = "cfuzz.no-trace";
constexpr const char FlagInstrumented[] = "cfuzz.instrumented";
constexpr const char FlagTraced[] = "cfuzz.traced";

/// On functions from the RegistryPass to the TracePass: they have "no-jump-tables" from us, so that
/// a switch that chooses a value does not become a table before it is counted and traced.
constexpr const char AttrKeepSwitches[] = "cfuzz-keep-switches";

/// On functions that the user named as comparators: which parameters are what, as
/// Comparator::parameters wrote it.
constexpr const char AttrComparator[] = "cfuzz-comparator";

/// First in the pipeline: descriptors and thunks of fuzz tests, main renamed, functions made
/// optforfuzzing. See RegistryPass.cpp.
class RegistryPass : public llvm::PassInfoMixin<RegistryPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  /// Tests are registered at -O0 too, where functions are optnone.
  static bool isRequired() { return true; }
};

/// Last of the optimisations and before the sanitizers: counters, flags and records of
/// functions. See CoveragePass.cpp.
class CoveragePass : public llvm::PassInfoMixin<CoveragePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  /// Coverage is wanted at -O0 too, where functions are optnone.
  static bool isRequired() { return true; }
};

/// Right behind the CoveragePass: second copies of functions, which tell hooks what they compare.
/// See TracePass.cpp.
class TracePass : public llvm::PassInfoMixin<TracePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  /// Comparisons are traced at -O0 too, where functions are optnone.
  static bool isRequired() { return true; }
};

} // namespace cfuzz

#endif
