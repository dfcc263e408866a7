/*
 * project.h - the project around a package: where it begins, and paths within it.
 *
 * Context: ordinary.
 */
#ifndef PROJECT_H
#define PROJECT_H

#include <stdbool.h>

/* project_begins reports whether a project begins in dir, or a part of one that is built: version
 * control or a build system has a file there. */
bool project_begins(const char *dir);

/*
 * project_root returns the directory in which the project of the package directory dir begins: the
 * highest one from dir on upwards, without a gap of more than one, in which one begins; but never
 * above version control. NULL where there is none. The caller frees it.
 */
char *project_root(const char *dir);

/* project_walk calls found with the paths of regular files below root, in the order of names;
 * hidden directories are left out, and what is beyond six levels or the first 5000 files. */
void project_walk(const char *root, void (*found)(void *ctx, const char *path), void *ctx);

/* project_commands returns the commands that make a compile_commands.json for the project whose
 * root is given, by its build system; NULL if that is not known. */
const char *project_commands(const char *root);

/* project_relative returns how path is written in the directory dir, "../src/a.c"; both are
 * absolute. NULL without memory. The caller frees it. */
char *project_relative(const char *dir, const char *path);

#endif
