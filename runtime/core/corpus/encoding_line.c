/*
 * encoding_line.c - reading one value line.
 *
 * Go reads a line with its expression parser and then looks whether the result has the shape of a
 * conversion. We do the same (expr.c). So we accept its oddities (comments, a comma before the
 * closing parenthesis, "a"..., !Inf), and a bad line is a syntax error at the same column, or an
 * expression of the wrong shape. The checks below are in Go's order, for lines with two faults.
 */
#include "core/corpus/encoding_line.h"

#include <stdio.h>
#include <string.h>

#include "core/corpus/decimal.h"
#include "core/corpus/expr.h"
#include "core/corpus/quote.h"

/* ---- from the shape to the value -------------------------------------------------------- */

/* A literal as conversions see it. The text has "-" and the literal; Inf and NaN are FLOATs. */
struct operand {
    enum cfz_token_kind kind;
    struct cfz_token tok; /* CHAR and STRING without a sign */
    bool signed_;
    struct cfz_buf text;
};

static int fail(struct cfz_error *err, const char *why)
{
    return cfz_fail(err, CFZ_EFORMAT, "%s", why);
}

static int read_operand(const struct cfz_expr *arg, struct operand *op, struct cfz_error *err)
{
    if (arg->shape == CFZ_SHAPE_UNARY && arg->x_shape == CFZ_SHAPE_LITERAL) {
        if (!cfz_token_is(&arg->tok, "-"))
            return cfz_fail(err, CFZ_EFORMAT, "unsupported operation on int/float: %.*s",
                            (int)arg->tok.len, (const char *)arg->tok.text);
        op->signed_ = true;
        op->kind = arg->x.kind;
        if (cfz_buf_puts(&op->text, "-", err) < 0)
            return -1;
        return cfz_buf_append(&op->text, arg->x.text, arg->x.len, err);
    }
    if (arg->shape == CFZ_SHAPE_UNARY) {
        if (arg->x_shape != CFZ_SHAPE_NAME || !cfz_token_is(&arg->x, "Inf"))
            return fail(err, "expected operation on int or float type");
        op->kind = CFZ_TOKEN_FLOAT; /* any operator but "-" makes +Inf */
        return cfz_buf_puts(&op->text, cfz_token_is(&arg->tok, "-") ? "-Inf" : "+Inf", err);
    }
    if (arg->shape == CFZ_SHAPE_NAME && cfz_token_is(&arg->tok, "NaN")) {
        op->kind = CFZ_TOKEN_FLOAT;
        return cfz_buf_puts(&op->text, "NaN", err);
    }
    if (arg->shape != CFZ_SHAPE_LITERAL)
        return fail(err, "literal value required for primitive type");
    op->kind = arg->tok.kind;
    op->tok = arg->tok;
    if (op->kind == CFZ_TOKEN_STRING || op->kind == CFZ_TOKEN_CHAR)
        return 0; /* read from the token */
    return cfz_buf_append(&op->text, arg->tok.text, arg->tok.len, err);
}

static int fail_number(const char *function, const struct operand *op,
                       enum cfz_number_status status, struct cfz_error *err)
{
    struct cfz_buf quoted = CFZ_BUF_INIT;

    if (cfz_quote_some(op->text.data, op->text.len, 256, &quoted, err) == 0)
        cfz_fail(err, CFZ_EFORMAT, "strconv.%s: parsing %s: %s", function, cfz_buf_str(&quoted),
                 status == CFZ_NUMBER_RANGE ? "value out of range" : "invalid syntax");
    cfz_buf_release(&quoted);
    return -1;
}

static int to_int(const struct operand *op, unsigned width, uint64_t *bits, struct cfz_error *err)
{
    enum cfz_number_status status;
    int64_t v;

    status = cfz_int_parse(cfz_buf_str(&op->text), op->text.len, width, &v);
    if (status != CFZ_NUMBER_OK)
        return fail_number("ParseInt", op, status, err);
    *bits = (uint64_t)v;
    return 0;
}

static int to_uint(const struct operand *op, unsigned width, uint64_t *bits, struct cfz_error *err)
{
    enum cfz_number_status status;

    status = cfz_uint_parse(cfz_buf_str(&op->text), op->text.len, width, bits);
    return status == CFZ_NUMBER_OK ? 0 : fail_number("ParseUint", op, status, err);
}

static int to_float(const struct operand *op, enum cfz_float_format format, uint64_t *bits,
                    struct cfz_error *err)
{
    static const struct {
        const char *text;
        uint64_t bits32, bits64;
    } names[] = {
        {"+Inf", 0x7f800000, 0x7ff0000000000000},
        {"-Inf", 0xff800000, 0xfff0000000000000},
        {"NaN", 0x7fc00000, 0x7ff8000000000001}, /* Go's own */
    };
    enum cfz_number_status status;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(cfz_buf_str(&op->text), names[i].text) == 0) {
            *bits = format == CFZ_FLOAT32 ? names[i].bits32 : names[i].bits64;
            return 0;
        }
    }
    status = cfz_float_parse(cfz_buf_str(&op->text), op->text.len, format, bits);
    return status == CFZ_NUMBER_OK ? 0 : fail_number("ParseFloat", op, status, err);
}

/* byte('a') and rune('a'). */
static int to_char(const struct operand *op, bool byte, uint64_t *bits, struct cfz_error *err)
{
    if (op->signed_)
        return fail(err, "invalid syntax");
    *bits = cfz_unquote_char(&op->tok);
    if (byte && *bits > 255)
        return fail(err, "can only encode single byte to a byte type");
    return 0;
}

/* What a conversion makes of its operand. */
enum conversion {
    TO_STRING,
    TO_BYTE,
    TO_RUNE,
    TO_INT,
    TO_UINT,
    TO_FLOAT,
    FROM_BITS,
};

struct target {
    const char *name;
    enum cfz_kind kind;
    enum conversion conversion;
    unsigned width;
};

static enum conversion conversion_of(enum cfz_family family, bool is_char)
{
    switch (family) {
    case CFZ_FAMILY_SIGNED:
        return is_char ? TO_RUNE : TO_INT;
    case CFZ_FAMILY_UNSIGNED:
        return is_char ? TO_BYTE : TO_UINT;
    case CFZ_FAMILY_FLOAT:
        return TO_FLOAT;
    default:
        CFZ_ASSERT(family == CFZ_FAMILY_STRING); /* a bool is read elsewhere */
        return TO_STRING;
    }
}

/* The type of a name, byte and rune included; false if there is none. */
static bool find_target(const struct cfz_token *name, struct target *t)
{
    for (size_t i = CFZ_KIND_NONE + 1; i < CFZ_KIND_COUNT; i++) {
        const struct cfz_kind_row *row = &cfz_kinds[i];
        bool is_char = row->char_name && cfz_token_is(name, row->char_name);

        if (!is_char && !cfz_token_is(name, row->name))
            continue;
        *t = (struct target){is_char ? row->char_name : row->name, (enum cfz_kind)i,
                             conversion_of(row->family, is_char), row->width};
        return true;
    }
    return false;
}

/* The float of a function of math, Float32frombits say; false if it is none of them. */
static bool find_from_bits(const struct cfz_token *name, struct target *t)
{
    for (size_t i = CFZ_KIND_NONE + 1; i < CFZ_KIND_COUNT; i++) {
        const struct cfz_kind_row *row = &cfz_kinds[i];
        char function[32];

        if (row->family != CFZ_FAMILY_FLOAT)
            continue;
        snprintf(function, sizeof function, "Float%ufrombits", row->width);
        if (!cfz_token_is(name, function))
            continue;
        *t = (struct target){row->name, (enum cfz_kind)i, FROM_BITS, row->width};
        return true;
    }
    return false;
}

/* Converts the operand to the bits of a scalar. */
static int convert(const struct target *t, const struct operand *op, uint64_t *bits,
                   struct cfz_error *err)
{
    bool integer = op->kind == CFZ_TOKEN_INT;

    CFZ_ASSERT(t->conversion != TO_STRING);
    switch (t->conversion) {
    case TO_BYTE:
        if (integer)
            return to_uint(op, t->width, bits, err);
        break;
    case TO_RUNE:
        if (integer)
            return to_int(op, t->width, bits, err);
        break;
    case TO_INT:
        if (!integer)
            return fail(err, "integer literal required for int types");
        return to_int(op, t->width, bits, err);
    case TO_UINT:
        if (!integer)
            return fail(err, "integer literal required for uint types");
        return to_uint(op, t->width, bits, err);
    case TO_FLOAT:
        if (!integer && op->kind != CFZ_TOKEN_FLOAT)
            return cfz_fail(err, CFZ_EFORMAT, "float or integer literal required for %s type",
                            t->name);
        return to_float(op, t->width == 32 ? CFZ_FLOAT32 : CFZ_FLOAT64, bits, err);
    case FROM_BITS:
        /* Go lets a float through to here for the wider one, and then refuses it as an integer. */
        if (!integer && !(t->width == 64 && op->kind == CFZ_TOKEN_FLOAT))
            return cfz_fail(err, CFZ_EFORMAT,
                            "integer literal required for math.Float%ufrombits type", t->width);
        return to_uint(op, t->width, bits, err);
    case TO_STRING: /* not here */
        break;
    }
    if (op->kind != CFZ_TOKEN_CHAR)
        return fail(err, "character literal required for byte/rune types");
    return to_char(op, t->conversion == TO_BYTE, bits, err);
}

static int push_bytes(struct cfz_values *out, enum cfz_kind kind, const struct cfz_token *literal,
                      struct cfz_error *err)
{
    struct cfz_buf bytes = CFZ_BUF_INIT;
    struct cfz_value *v;

    if (cfz_unquote(literal, &bytes, err) < 0)
        return -1;
    v = cfz_values_push(out, kind);
    if (!v) {
        cfz_buf_release(&bytes);
        return cfz_fail_nomem(err);
    }
    v->data = bytes.data; /* malloc'ed, as values own theirs */
    v->len = bytes.len;
    v->cap = bytes.cap;
    return 0;
}

/* Appends the operand as a value of t. t is NULL for a name that is not a type; that is reported
 * after a fault of the operand. */
static int push_converted(struct cfz_values *out, const struct target *t,
                          const struct cfz_expr *arg, struct cfz_error *err)
{
    struct operand op = {.text = CFZ_BUF_INIT};
    struct cfz_value *v;
    uint64_t bits = 0;
    int ret = -1;

    if (read_operand(arg, &op, err) < 0)
        goto out;
    if (!t) {
        fail(err, "expected []byte or primitive type");
        goto out;
    }
    if (t->conversion == TO_STRING) {
        if (op.kind != CFZ_TOKEN_STRING)
            fail(err, "string literal value required for type string");
        else if (op.signed_)
            fail(err, "invalid syntax");
        else
            ret = push_bytes(out, t->kind, &op.tok, err);
        goto out;
    }
    if (convert(t, &op, &bits, err) < 0)
        goto out;
    v = cfz_values_push(out, t->kind);
    if (!v) {
        cfz_fail_nomem(err);
        goto out;
    }
    v->bits = bits;
    ret = 0;
out:
    cfz_buf_release(&op.text);
    return ret;
}

static int push_bool(struct cfz_values *out, const struct cfz_expr *arg, struct cfz_error *err)
{
    struct cfz_value *v;
    bool is_true;

    if (arg->shape != CFZ_SHAPE_NAME)
        return fail(err, "malformed bool");
    is_true = cfz_token_is(&arg->tok, "true");
    if (!is_true && !cfz_token_is(&arg->tok, "false"))
        return fail(err, "true or false required for type bool");
    v = cfz_values_push(out, CFZ_KIND_BOOL);
    if (!v)
        return cfz_fail_nomem(err);
    v->bits = is_true;
    return 0;
}

/* Appends the value of fun(arg). */
static int push_call(struct cfz_values *out, const struct cfz_expr *fun, const struct cfz_expr *arg,
                     struct cfz_error *err)
{
    struct target t;
    bool found;

    switch (fun->shape) {
    case CFZ_SHAPE_ARRAY:
        if (fun->has_len)
            return fail(err, "expected []byte or primitive type");
        if (!fun->plain || !cfz_token_is(&fun->tok, "byte"))
            return fail(err, "expected []byte");
        if (arg->shape != CFZ_SHAPE_LITERAL || arg->tok.kind != CFZ_TOKEN_STRING)
            return fail(err, "string literal required for type []byte");
        return push_bytes(out, CFZ_KIND_BYTES, &arg->tok, err);
    case CFZ_SHAPE_SELECTOR:
        if (fun->x_shape != CFZ_SHAPE_NAME || !cfz_token_is(&fun->x, "math") ||
            !find_from_bits(&fun->tok, &t))
            return fail(err, "invalid selector type");
        return push_converted(out, &t, arg, err);
    case CFZ_SHAPE_NAME:
        if (cfz_token_is(&fun->tok, "bool"))
            return push_bool(out, arg, err);
        found = find_target(&fun->tok, &t);
        return push_converted(out, found ? &t : NULL, arg, err);
    default:
        return fail(err, "expected []byte or primitive type");
    }
}

int cfz_encoding_parse_line(const uint8_t *line, size_t len, struct cfz_values *out,
                            struct cfz_error *err)
{
    struct cfz_call call;

    if (cfz_expr_parse(line, len, &call, err) < 0)
        return -1;
    if (!call.is_call)
        return fail(err, "expected call expression");
    if (call.nargs != 1)
        return cfz_fail(err, CFZ_EFORMAT, "expected call expression with 1 argument; got %zu",
                        call.nargs);
    return push_call(out, &call.fun, &call.arg, err);
}
