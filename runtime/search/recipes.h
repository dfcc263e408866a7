/*
 * recipes.h - a recipe: which field of the input a comparison of two numbers that came out equal
 * depends on, and how. What is wanted there in another input is written there again.
 *
 * The solver learns one per site when it solves an equality whose operands no constant tells
 * (struct cfz_recipe in goal.h). It applies them where a trial leaves its path at such a site;
 * random mutation does where it broke what the program reckons from the rest of the input: a
 * checksum, a length, a second copy (mend.h). Context: target.
 */
#ifndef CFZ_RECIPES_H
#define CFZ_RECIPES_H

#include "search/solving.h"

/* cfz_recipe_learn makes r the recipe of the site of t, whose goal was met by it, if it is one that
 * is of use again. */
void cfz_recipe_learn(struct cfz_search *s, const struct cfz_task *t, const struct cfz_recipe *r);

/*
 * cfz_recipe_apply applies the recipe of the site of e, an event of im: writes what the comparison
 * wants into the field. way 1 takes the second place that the field may be at, or counts it from
 * the end. False if there is no recipe that fits.
 */
bool cfz_recipe_apply(struct cfz_search *s, const struct cfz_event *e, struct cfz_image *im,
                      int way);

#endif
