//===- Passes.h - the plugin's module passes ------------------------------===//
#ifndef CFUZZ_PLUGIN_PASSES_H
#define CFUZZ_PLUGIN_PASSES_H

#include "llvm/IR/PassManager.h"

namespace cfuzz {

/// Module flags, written by the RegistryPass and read by the CoveragePass. Present with value 1
/// when true; absent when false.
constexpr const char FlagRegistered[] = "cfuzz.registered";
constexpr const char FlagNoCoverage[] = "cfuzz.no-coverage";
constexpr const char FlagInstrumented[] = "cfuzz.instrumented";

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

} // namespace cfuzz

#endif
