# Completion of mcptap for fish. What is offered mcptap itself says, so this never goes out of date.
function __mcptap_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in ($before[1] completion --complete -- $before[2..-1] "$current" 2>/dev/null)
        set -l word (string split -m 1 \t -- $line)[1]
        switch $word
            case ':files'
                __fish_complete_path "$current"
            case ':commands'
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c mcptap -f -a '(__mcptap_complete)'
