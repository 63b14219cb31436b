/// The scripts that `--generate-completion-script` prints. Each finds the words up to the cursor as its shell has them,
/// asks the command what fits, and offers that.
enum CompletionScripts {
    static func script(for shell: String, program: String) -> String? {
        let script: String? =
            switch shell {
            case "bash": bash
            case "zsh": zsh
            case "fish": fish
            default: nil
            }
        return script?.replacing("PROGRAM", with: program)
    }

    /// bash divides words at = and :, so the words are put together again, and the answer loses what the shell holds to be
    /// words of their own.
    private static let bash = #"""
        # bash completion for PROGRAM
        _PROGRAM() {
            local cur words cword line kind head word ending
            if declare -F _get_comp_words_by_ref > /dev/null; then
                _get_comp_words_by_ref -n =: cur words cword
            else
                words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]}
            fi
            # Words as they are meant, without quotes and backslashes.
            local -a plain=()
            for word in "${words[@]:1:cword}"; do
                word=${word//\\/}
                case $word in \"* | \'*) word=${word:1} ;; esac
                case $word in *[\"\']) word=${word%?} ;; esac
                plain+=("$word")
            done
            [ "$cword" -le "${#plain[@]}" ] || plain+=("")
            local value=${plain[cword - 1]}
            COMPREPLY=()
            # What the shell holds to be words before this one.
            head=
            case $value in *[=:]*) head=${value%"${value##*[=:]}"} ;; esac
            kind=
            while IFS= read -r line; do
                if [ -z "$kind" ]; then kind=$line; continue; fi
                word=${line%%$'\t'*}
                case $cur in \"* | \'*) COMPREPLY+=("${word#"$head"}") ;; *) printf -v word '%q' "${word#"$head"}"; COMPREPLY+=("$word") ;; esac
            done < <("${words[0]}" --complete "${plain[@]}" 2> /dev/null)
            case $kind in
            files*)
                compopt -o filenames 2> /dev/null
                local path=$value
                case $value in --*=*) path=${value#*=} ;; esac
                local -a endings=(${kind#files})
                while IFS= read -r line; do
                    [ -n "$line" ] || continue
                    if [ -d "$line" ] || [ ${#endings[@]} = 0 ]; then COMPREPLY+=("$line"); continue; fi
                    for ending in "${endings[@]}"; do
                        case ${line,,} in *".$ending") COMPREPLY+=("$line"); break ;; esac
                    done
                done < <(compgen -f -- "$path")
                ;;
            esac
            case ${COMPREPLY[*]} in *=) compopt -o nospace 2> /dev/null ;; esac
        }
        complete -F _PROGRAM PROGRAM
        """#

    private static let zsh = #"""
        #compdef PROGRAM
        # zsh completion for PROGRAM
        _PROGRAM() {
            local -a lines plain
            local line kind
            plain=("${(@Q)words[2,CURRENT]}")
            lines=("${(@f)$("${(Q)words[1]}" --complete "${plain[@]}" 2> /dev/null)}")
            kind=$lines[1]
            local -a described
            for line in "${(@)lines[2,-1]}"; do
                [[ -n $line ]] || continue
                if [[ $line == *$'\t'* ]]; then
                    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
                else
                    described+=("${line//:/\\:}")
                fi
            done
            (( $#described )) && _describe -V 'PROGRAM' described
            if [[ $kind == files* ]]; then
                [[ $PREFIX == --*=* ]] && compset -P '*='
                local -a endings
                endings=(${=kind#files})
                if (( $#endings )); then
                    _files -g "(#i)*.(${(j:|:)endings})(-.)"
                else
                    _files
                fi
            fi
        }
        if [ "$funcstack[1]" = "_PROGRAM" ]; then
            _PROGRAM "$@"
        else
            compdef _PROGRAM PROGRAM
        fi
        """#

    private static let fish = #"""
        # fish completion for PROGRAM
        function __PROGRAM_complete
            set -l tokens (commandline -opc)
            set -l current (commandline -ct | string unescape)
            test (count $current) -gt 0; or set current ""
            set -l lines (command $tokens[1] --complete $tokens[2..-1] $current 2> /dev/null)
            for line in $lines[2..-1]
                echo $line
            end
            string match -q 'files*' -- "$lines[1]"; or return
            set -l head ""
            set -l path $current
            if string match -q -- '--*=*' $current
                set head (string replace -r '=.*' '=' -- $current)
                set path (string replace -r '^[^=]*=' '' -- $current)
            end
            set -l endings (string split -n ' ' -- (string replace 'files' '' -- $lines[1]))
            for file in (complete -C "'' $path" | string replace -r '\t.*' '')
                if string match -q -- '*/' $file; or test (count $endings) -eq 0
                    echo $head$file
                    continue
                end
                for ending in $endings
                    if string match -qi -- "*.$ending" $file
                        echo $head$file
                        break
                    end
                end
            end
        end
        complete -c PROGRAM -e
        complete -c PROGRAM -f -a '(__PROGRAM_complete)'
        """#
}
