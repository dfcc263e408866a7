/*
 * kept_goals.c - see kept_goals.h.
 */
#include "process/kept_goals.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/cache.h"
#include "core/io.h"

int kept_goals_load(const char *dir, struct cfz_run_shm *run, int run_fd, struct cfz_error *err)
{
    struct cfz_buf data = CFZ_BUF_INIT;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;

    if (fd < 0)
        return 0;
    if (cfz_io_read_file(fd, CACHE_GOALS, CFZ_GOALS_SIZE_MAX, &data, NULL) == 0)
        ret = cfz_run_shm_set_goals(run, run_fd, data.data, data.len, err);
    close(fd);
    cfz_buf_release(&data);
    return ret;
}

int kept_goals_save(const char *dir, const struct cfz_buf *data, struct cfz_error *err)
{
    int fd, ret;

    if (cache_make_dir(dir, err) < 0)
        return -1;
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return cfz_fail_errno(err, "%s", dir);
    ret = cfz_io_write_file(fd, CACHE_GOALS, data->data, data->len, CFZ_IO_REPLACE, err);
    close(fd);
    return ret < 0 ? cfz_error_wrap(err, "%s", dir) : 0;
}
