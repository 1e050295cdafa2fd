# Completion of mcptap for bash. What is offered mcptap itself says, so this never goes out of date.
_mcptap() {
    local current="${COMP_WORDS[COMP_CWORD]}" word
    [[ $current == "=" ]] && current=""
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        case $word in
            :files) compopt -o filenames 2>/dev/null
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
            :commands)
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$current") ;;
            *) COMPREPLY+=("$word") ;;
        esac
    done < <("${COMP_WORDS[0]}" completion --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _mcptap mcptap
