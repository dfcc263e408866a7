#!/bin/sh
# strike.sh SIGNAL... - for each signal waits for a process that shows itself as a file at/PID, sends it
# the signal and waits for its end.
for sig in "$@"; do
    pid=
    while [ -z "$pid" ]; do
        for f in at/*; do
            [ -f "$f" ] || continue
            pid=${f#at/}
            rm "$f"
            break
        done
        [ -n "$pid" ] || sleep 0.02
    done
    kill -"$sig" "$pid" || exit 1
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.02
    done
done
