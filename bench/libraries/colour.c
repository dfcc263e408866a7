/*
 * colour.c - Little CMS reads a profile, all of its tags, and makes a transform of it to sRGB that
 * it applies to a few colours.
 */
#include <lcms2.h>

#include "target.h"

enum { COLOURS = 4, CHANNELS_MOST = 16 };

static void transform(cmsHPROFILE profile)
{
    cmsUInt32Number format = cmsFormatterForColorspaceOfProfile(profile, 1, FALSE);
    uint8_t from[COLOURS * CHANNELS_MOST * 8] = {0, 255, 7, 130}, to[COLOURS * 4];
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM how = srgb ? cmsCreateTransform(profile, format, srgb, TYPE_RGB_8,
                                                  INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE)
                             : NULL;

    if (how) {
        cmsDoTransform(how, from, to, COLOURS);
        cmsDeleteTransform(how);
    }
    if (srgb)
        cmsCloseProfile(srgb);
}

void bench_target(const uint8_t *data, size_t len)
{
    cmsHPROFILE profile = cmsOpenProfileFromMem(data, (cmsUInt32Number)len);
    cmsInt32Number n;

    if (!profile)
        return;
    n = cmsGetTagCount(profile);
    for (cmsInt32Number i = 0; i < n; i++)
        cmsReadTag(profile, cmsGetTagSignature(profile, (cmsUInt32Number)i));
    transform(profile);
    cmsCloseProfile(profile);
}
