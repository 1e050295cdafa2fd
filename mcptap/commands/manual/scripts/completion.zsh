#compdef mcptap
# Completion of mcptap for zsh. What is offered mcptap itself says, so this never goes out of date.
_mcptap() {
    local -a words_found
    local line word said files= commands=
    for line in "${(@f)$("${words[1]}" completion --complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        word=${line%%$'\t'*} said=${line#*$'\t'}
        case $word in
            '') ;;
            :files) files=1 ;;
            :commands) commands=1 ;;
            *) words_found+=("${word//:/\\:}${said:+:$said}") ;;
        esac
    done
    (( $#words_found )) && _describe -V 'mcptap' words_found
    [[ -n $files ]] && _files
    [[ -n $commands ]] && _command_names -e
    return 0
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _mcptap "$@"
else
    compdef _mcptap mcptap
fi
