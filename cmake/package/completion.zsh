#compdef cfuzz-test
# completion.zsh - completion of cfuzz-test's command line, for zsh.
#
# Flags, subcommands and topics are what `cfuzz-test help` prints; names of tests stand in the sources of
# the packages that were named, and those of seeds in testdata/corpus.

# The packages among the words of the command line.
_cfuzz_test_packages()
{
    reply=()
    local word
    for word in "${(@Q)words[2,-1]}"; do
        [[ $word != -* && -d $word ]] && reply+=("$word")
    done
    (( $#reply )) || reply=(.)
}

_cfuzz_test_names()
{
    local -a reply files names
    local dir
    _cfuzz_test_packages
    for dir in $reply; do
        files=("$dir"/*.(c|h|cc|cpp|cxx|C)(N.))
        (( $#files )) && names+=(${(f)"$(sed -n 's/^.*FUZZ_TEST\(_VALUES\)\{0,1\}([[:space:]]*\(Fuzz[A-Za-z0-9_]*\).*/\2/p' $files)"})
    done
    compadd "$@" -- ${(u)names}
}

_cfuzz_test_seeds()
{
    local -a reply seeds
    local dir
    _cfuzz_test_packages
    for dir in $reply; do
        seeds+=("$dir/testdata/corpus/${PREFIX%%/*}"/*(N.:t))
    done
    local test=${PREFIX%%/*}
    compadd -- $test/${^seeds}
}

# Values of the flag $1, whose value help calls $2.
_cfuzz_test_values()
{
    case $2 in
    pattern|FuzzX/*)
        if [[ $PREFIX == */* && $1 != fuzz ]]; then
            _cfuzz_test_seeds
        else
            _cfuzz_test_names
        fi
        ;;
    file) _files ;;
    directory) _files -/ ;;
    compiler) _command_names -e ;;
    sets) compadd -- all none asan ubsan asan+ubsan msan tsan ;;
    'off|on|n') compadd -- off on ;;
    limit) compadd -- 10s 1m 1h 1000x ;;
    *) _message "$2" ;;
    esac
}

_cfuzz_test()
{
    local -A argument
    local -a help valued switches
    local line name flag
    help=(${(f)"$(cfuzz-test help 2>/dev/null)"})
    for line in $help; do
        [[ $line =~ '^  -([a-z0-9]+)( ([^ ]+))?  +(.*)$' ]] || continue
        argument[$match[1]]=$match[3]
        if [[ -n $match[3] ]]; then
            valued+=("-$match[1]:$match[4]")
        else
            switches+=("-$match[1]:$match[4]")
        fi
    done

    if [[ $PREFIX == -*=* ]]; then
        name=${${PREFIX%%=*}##-#}
        compset -P '*='
        _cfuzz_test_values "$name" "$argument[$name]"
        return
    fi
    flag=${words[CURRENT - 1]}
    name=${flag##-#}
    if [[ $flag == -* && $flag != *=* && -n $argument[$name] ]]; then
        _cfuzz_test_values "$name" "$argument[$name]"
        return
    fi
    if [[ $PREFIX == -* ]]; then
        [[ $PREFIX == --* ]] && PREFIX=${PREFIX#-}
        _describe -t flags flag valued -S = -- switches
        return
    fi
    if [[ $CURRENT -eq 3 && $words[2] == corpus ]]; then
        compadd -- ${(s:|:)"$(print -l $help | sed -n 's/^ *cfuzz-test corpus \([a-z|]*\) .*/\1/p')"}
        return
    fi
    if [[ $words[2] == (show|corpus|libfuzzer) && $PREFIX == Fuzz* ]]; then
        _cfuzz_test_values run pattern
        return
    fi
    if [[ $CURRENT -eq 3 && $words[2] == help ]]; then
        compadd -- ${(f)"$(print -l $help | sed -n '/^Topics/,$s/^  \([a-z]*\) .*/\1/p')"}
        return
    fi
    if [[ $CURRENT -eq 2 ]]; then
        compadd -- ${(uf)"$(print -l $help | sed -n 's/^\(usage:\|      \) cfuzz-test \([a-z][a-z-]*\).*/\2/p')"}
    fi
    _files -/
    _files -g '*.test(*)'
}

_cfuzz_test "$@"
