/*
 * certificate.c - Mbed TLS parses an X.509 certificate and writes what it says as text.
 */
#include <mbedtls/x509_crt.h>

#include "target.h"

void bench_target(const uint8_t *data, size_t len)
{
    static char text[4096];
    mbedtls_x509_crt crt;

    mbedtls_x509_crt_init(&crt);
    if (mbedtls_x509_crt_parse_der(&crt, data, len) == 0)
        mbedtls_x509_crt_info(text, sizeof text, "", &crt);
    mbedtls_x509_crt_free(&crt);
}
