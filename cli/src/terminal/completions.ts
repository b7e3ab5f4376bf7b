import { COMMANDS, type Completion, findOption, OPTIONS, optionsOf, type Shell, USAGE } from './usage.ts'

/** Returns the script that completes commands, options and values in a shell. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]()
}

const SCRIPTS: Record<Shell, () => string> = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Options of all commands by the completion of their value; those without one have no row. */
const VALUES = Object.keys(OPTIONS).flatMap((name) => {
  const option = findOption(name)
  // The value of --gallery may be left out, and what follows may be a file.
  return option?.value === undefined || option.value.startsWith('[') ? [] : [{ name, completes: option.completes }]
})

/** Without compopt, as in the bash of macOS, names of files are completed by compgen. `=` is a word of its own in bash. */
function bashScript(): string {
  const valueCases = VALUES.map(({ name, completes }) => `    --${name}) ${bashWords(completes)} ;;`)
  const optionCases = COMMANDS.map(
    (command) => `      ${command}) options='${optionsOf(command).flatMap(spellings).join(' ')}' ;;`,
  )
  const operandCases = COMMANDS.flatMap((command) => {
    const { completes } = USAGE[command]
    return completes === undefined ? [] : [`    ${command}) ${bashWords(completes)} ;;`]
  })
  return `# Completion of tintype-cli for bash. To load it: eval "$(tintype-cli completion bash)"
_tintype_cli_names() {
  compopt -o "$1" 2>/dev/null && return
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$2" -- "$cur"))
}
_tintype_cli() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command='' options='' i
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=''
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${COMMANDS.join('|')}) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $before in
${valueCases.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${optionCases.join('\n')}
      *) options='${optionsOf('help').flatMap(spellings).join(' ')}' ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $command in
    '') COMPREPLY=($(compgen -W '${COMMANDS.join(' ')}' -- "$cur")) ;;
${operandCases.join('\n')}
  esac
}
complete -F _tintype_cli tintype-cli
`
}

function bashWords(completes: Completion | undefined): string {
  if (completes === undefined) return 'return'
  if (completes === 'files') return '_tintype_cli_names default -f; return'
  if (completes === 'folders') return '_tintype_cli_names dirnames -d; return'
  return `COMPREPLY=($(compgen -W '${completes.join(' ')}' -- "$cur")); return`
}

function spellings([name]: [string, unknown]): string[] {
  const short = findOption(name)?.short
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
}

function zshScript(): string {
  const commands = COMMANDS.map((command) => `    '${command}:${USAGE[command].summary}'`)
  const cases = COMMANDS.map((command) => {
    const rows = optionsOf(command).map(([name]) => `          ${zshOption(name)}`)
    const { completes } = USAGE[command]
    const operands = completes === undefined ? [] : [`          '*:${command}:${zshWords(completes)}'`]
    return `        ${command}) _arguments \\\n${[...rows, ...operands].join(' \\\n')} ;;`
  })
  return `#compdef tintype-cli
# Completion of tintype-cli for zsh. To load it: source <(tintype-cli completion zsh)
_tintype_cli() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  local -a commands
  commands=(
${commands.join('\n')}
  )
  _arguments -C ${optionsOf('help')
    .map(([name]) => zshOption(name))
    .join(' ')} '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe command commands ;;
    arguments)
      case $words[1] in
${cases.join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _tintype_cli ]]; then
  _tintype_cli "$@"
else
  compdef _tintype_cli tintype-cli
fi
`
}

function zshOption(name: string): string {
  const { value, short, summary = '', completes } = findOption(name) ?? {}
  const row =
    value === undefined
      ? `[${summary}]`
      : `=[${summary}]${value.startsWith('[') ? '::' : ':'}${name}:${zshWords(completes)}`
  return short === undefined ? `'--${name}${row}'` : `{-${short},--${name}}'${row}'`
}

function zshWords(completes: Completion | undefined): string {
  if (completes === undefined) return ''
  if (completes === 'files') return '_files'
  if (completes === 'folders') return '_files -/'
  return `(${completes.join(' ')})`
}

function fishScript(): string {
  const lines = COMMANDS.flatMap((command) => {
    const seen = `complete -c tintype-cli -n '__fish_seen_subcommand_from ${command}'`
    const { completes, summary } = USAGE[command]
    return [
      `complete -c tintype-cli -n __fish_use_subcommand -a ${command} -d '${summary}'`,
      ...(completes === undefined ? [] : [`${seen} ${fishWords(completes)}`]),
      ...optionsOf(command).map(([name]) => `${seen} ${fishOption(name)}`),
    ]
  })
  const everywhere = optionsOf('help').map(
    ([name]) => `complete -c tintype-cli -n __fish_use_subcommand ${fishOption(name)}`,
  )
  return `# Completion of tintype-cli for fish. To load it: tintype-cli completion fish > ~/.config/fish/completions/tintype-cli.fish
complete -c tintype-cli -f
${[...everywhere, ...lines].join('\n')}
`
}

function fishOption(name: string): string {
  const { value, short, summary = '', completes } = findOption(name) ?? {}
  const spelling = `-l ${name}${short === undefined ? '' : ` -s ${short}`} -d '${summary}'`
  if (value === undefined || value.startsWith('[')) return spelling
  return completes === 'files' ? `${spelling} -r -F` : `${spelling} -x${completes ? ` ${fishWords(completes)}` : ''}`
}

function fishWords(completes: Completion): string {
  if (completes === 'files') return '-F'
  if (completes === 'folders') return "-a '(__fish_complete_directories)'"
  return `-a '${completes.join(' ')}'`
}
