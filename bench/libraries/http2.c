/*
 * http2.c - nghttp2 is a server that receives what a client sends, and says what the protocol asks
 * of it.
 */
#include <nghttp2/nghttp2.h>

#include "target.h"

enum { SENDS_MOST = 64 };

static int begin(nghttp2_session *session, const nghttp2_frame *frame, void *ctx)
{
    (void)session;
    (void)frame;
    (void)ctx;
    return 0;
}

static int header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                  size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags, void *ctx)
{
    (void)session;
    (void)frame;
    (void)name;
    (void)name_len;
    (void)value;
    (void)value_len;
    (void)flags;
    (void)ctx;
    return 0;
}

static int chunk(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data,
                 size_t len, void *ctx)
{
    (void)session;
    (void)flags;
    (void)stream;
    (void)data;
    (void)len;
    (void)ctx;
    return 0;
}

void bench_target(const uint8_t *data, size_t len)
{
    nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 8}};
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session = NULL;
    const uint8_t *out;

    if (nghttp2_session_callbacks_new(&callbacks) != 0)
        return;
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, begin);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, begin);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, chunk);
    if (nghttp2_session_server_new(&session, callbacks, NULL) == 0) {
        nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 1);
        nghttp2_session_mem_recv(session, data, len);
        for (int i = 0; i < SENDS_MOST && nghttp2_session_mem_send(session, &out) > 0; i++)
            continue;
    }
    nghttp2_session_del(session);
    nghttp2_session_callbacks_del(callbacks);
}
