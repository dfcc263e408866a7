#!/bin/sh
# kill_workers.sh DIR - kills, with SIGKILL, the youngest process of a test binary that runs in DIR:
# a worker, as it was forked last.
dir=$(cd "$1" && pwd -P)
for proc in /proc/[0-9]*; do
    [ "$(readlink "$proc/cwd" 2>/dev/null)" = "$dir" ] || continue
    case $(readlink "$proc/exe" 2>/dev/null) in
    *.test) echo "${proc#/proc/}" ;; # not what this script itself runs
    esac
done | sort -n | tail -n 1 | { read -r pid && kill -KILL "$pid"; }
