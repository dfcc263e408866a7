/*
 * font.c - FreeType opens a font and renders its first glyphs.
 */
#include <ft2build.h>
#include FT_FREETYPE_H

#include "target.h"

enum { GLYPHS_MOST = 8 };

void bench_target(const uint8_t *data, size_t len)
{
    static FT_Library library;
    FT_Face face;

    if (!library && FT_Init_FreeType(&library) != 0)
        return;
    if (FT_New_Memory_Face(library, data, (FT_Long)len, 0, &face) != 0)
        return;
    if (FT_Set_Pixel_Sizes(face, 12, 12) == 0)
        for (FT_UInt i = 0; i < GLYPHS_MOST && i < (FT_UInt)face->num_glyphs; i++)
            FT_Load_Glyph(face, i, FT_LOAD_RENDER);
    FT_Get_Char_Index(face, 'A');
    FT_Done_Face(face);
}
