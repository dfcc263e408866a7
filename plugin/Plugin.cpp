//===- Plugin.cpp - entry points: the check of the version, both halves ---===//
//
// Two flags load this file: with -fplugin= clang finds the AST part in its
// registry of frontend plugins, with -fpass-plugin= it calls
// llvmGetPassPluginInfo. Both are always given (README.md): before LLVM 22
// neither flag does what the other one does.
//
//===----------------------------------------------------------------------===//

#include "FuzzTestAttr.h"
#include "LLVMCompat.h"
#include "Options.h"
#include "Passes.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

/// A plugin of one LLVM major crashes a clang of another, and before LLVM 22 nobody checks. This
/// runs when the file is loaded, before any other code of ours: priority 101 comes before C++'s
/// static objects. Only a std::string crosses the border here, which all majors share.
__attribute__((constructor(101))) static void refuseOtherMajor() {
  std::string Version = clang::getClangFullVersion(); // "Debian clang version 19.1.7 (...)"
  const char Before[] = "clang version ";
  size_t At = Version.find(Before);
  int Major = At == std::string::npos ? 0 : std::atoi(Version.c_str() + At + sizeof Before - 1);
  if (Major == cfuzz::compat::BuiltForMajor)
    return;
  std::fprintf(stderr, "error: cfuzz: this plugin is for clang %d, but was loaded by %s\n",
               static_cast<int>(cfuzz::compat::BuiltForMajor), Version.c_str());
  std::fflush(stderr);
  _exit(1);
}

static clang::FrontendPluginRegistry::Add<cfuzz::FuzzTestAction>
    Registration(cfuzz::PluginName, "check and register fuzz tests");

static void registerPasses(llvm::PassBuilder &PB) {
  // The callbacks take one argument more in some majors; none is needed here.
  PB.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &MPM, auto...) { MPM.addPass(cfuzz::RegistryPass()); });
  PB.registerOptimizerLastEPCallback([](llvm::ModulePassManager &MPM, auto...) {
    MPM.addPass(cfuzz::CoveragePass());
    MPM.addPass(cfuzz::TracePass());
  });
}

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, cfuzz::PluginName, "1", registerPasses};
}
