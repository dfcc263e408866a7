# completion.bash - completion of cfuzz-test's command line, for bash.
#
# Flags, subcommands and topics are what `cfuzz-test help` prints; names of tests stand in the sources of
# the packages that were named, and those of seeds in testdata/corpus.

# What help calls the value of the flag $1, "-" for a switch; nothing if there is no such flag.
_cfuzz_test_argument()
{
    cfuzz-test help 2>/dev/null | awk -v flag="-$1" '
        $1 == flag { print substr($0, length(flag) + 4, 1) == " " || $2 == "" ? "-" : $2; exit }'
}

# The packages among the words of the command line, one a line.
_cfuzz_test_packages()
{
    local word any=
    for word in "${COMP_WORDS[@]:1}"; do
        if [[ $word != -* && -d $word ]]; then
            printf '%s\n' "$word"
            any=1
        fi
    done
    [[ $any ]] || echo .
}

# The names of tests in the sources of the packages.
_cfuzz_test_names()
{
    local dir file
    _cfuzz_test_packages | while IFS= read -r dir; do
        for file in "$dir"/*.{c,h,cc,cpp,cxx,C}; do
            [[ -f $file ]] && sed -n 's/^.*FUZZ_TEST\(_VALUES\)\{0,1\}([[:space:]]*\(Fuzz[A-Za-z0-9_]*\).*/\2/p' "$file"
        done
    done | sort -u
}

# The seeds of the test $1, "FuzzX/1f0c...", of those that are files.
_cfuzz_test_seeds()
{
    local dir file
    _cfuzz_test_packages | while IFS= read -r dir; do
        for file in "$dir/testdata/corpus/$1"/*; do
            [[ -f $file ]] && printf '%s/%q\n' "$1" "${file##*/}"
        done
    done
}

# Sets COMPREPLY to values of the flag $1 that begin with $2.
_cfuzz_test_values()
{
    local IFS=$'\n'
    case $(_cfuzz_test_argument "$1") in
    pattern | FuzzX/*)
        if [[ $2 == */* && $1 != fuzz ]]; then
            COMPREPLY=($(compgen -W "$(_cfuzz_test_seeds "${2%%/*}")" -- "$2"))
            [[ $COMPREPLY ]] && COMPREPLY=($(printf '%q\n' "${COMPREPLY[@]}"))
        else
            COMPREPLY=($(compgen -W "$(_cfuzz_test_names)" -- "$2"))
        fi
        ;;
    file)
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$2"))
        ;;
    directory)
        compopt -o filenames
        COMPREPLY=($(compgen -d -- "$2"))
        ;;
    compiler) COMPREPLY=($(compgen -c -- "$2")) ;;
    sets) COMPREPLY=($(compgen -W $'all\nnone\nasan\nubsan\nasan+ubsan\nmsan\ntsan' -- "$2")) ;;
    'off|on|n') COMPREPLY=($(compgen -W $'off\non' -- "$2")) ;;
    limit) COMPREPLY=($(compgen -W $'10s\n1m\n1h\n1000x' -- "$2")) ;;
    esac
}

_cfuzz_test()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} flag= IFS=$'\n'
    COMPREPLY=()

    # bash splits -run=Fuzz at "=", as long as that is one of COMP_WORDBREAKS.
    if [[ $cur == -*=* ]]; then
        flag=${cur%%=*}
        _cfuzz_test_values "${flag#"${flag%%[!-]*}"}" "${cur#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/$flag=}")
        return
    elif [[ $cur == = ]]; then
        flag=$prev cur=
    elif [[ $prev == = ]]; then
        flag=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $prev == -?* && $(_cfuzz_test_argument "${prev#"${prev%%[!-]*}"}") == [!-]* ]]; then
        flag=$prev
    fi
    if [[ $flag == -* ]]; then
        _cfuzz_test_values "${flag#"${flag%%[!-]*}"}" "$cur"
        return
    fi

    case $cur in
    -*)
        COMPREPLY=($(compgen -W "$(cfuzz-test help 2>/dev/null | awk '
            /^  -/ { print $1 (substr($0, length($1) + 4, 1) == " " || $2 == "" ? "" : "=") }')" \
            -- "-${cur#"${cur%%[!-]*}"}"))
        [[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY == *= ]] && compopt -o nospace
        return
        ;;
    esac
    if [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == corpus ]]; then
        COMPREPLY=($(compgen -W "$(cfuzz-test help 2>/dev/null | sed -n 's/^ *cfuzz-test corpus \([a-z|]*\) .*/\1/p' | tr '|' '\n')" -- "$cur"))
        return
    fi
    if [[ ${COMP_WORDS[1]} == @(show|corpus|libfuzzer) && $cur == Fuzz* ]]; then
        _cfuzz_test_values run "$cur"
        return
    fi
    if [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == help ]]; then
        COMPREPLY=($(compgen -W "$(cfuzz-test help 2>/dev/null | sed -n '/^Topics/,$s/^  \([a-z]*\) .*/\1/p')" -- "$cur"))
        return
    fi
    compopt -o filenames
    COMPREPLY=($(compgen -d -- "$cur") $(compgen -f -X '!*.test' -- "$cur"))
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY+=($(compgen -W "$(cfuzz-test help 2>/dev/null | sed -n 's/^\(usage:\|      \) cfuzz-test \([a-z][a-z-]*\).*/\2/p' | sort -u)" -- "$cur"))
    fi
}

complete -F _cfuzz_test cfuzz-test
