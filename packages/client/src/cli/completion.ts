import { UsageError } from './usage.ts'

/** Prints what a shell completes: commands, their actions and options. */
export function completion(
  shell: string,
  {
    commands,
    options,
  }: { commands: Readonly<Record<string, readonly string[]>>; options: readonly string[] },
): string {
  const flags = options.map((name) => `--${name}`).join(' ')
  const names = Object.keys(commands).join(' ')
  const cases = Object.entries(commands).filter(([, actions]) => actions.length > 0)
  if (shell === 'bash') {
    return `_checkstand_client() {
  local words
  case "\${COMP_CWORD}:\${COMP_WORDS[1]}" in
    1:*) words="${names}" ;;
${cases.map(([name, actions]) => `    2:${name}) words="${actions.join(' ')}" ;;`).join('\n')}
    *) words="${flags}" ;;
  esac
  COMPREPLY=($(compgen -W "$words ${flags}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _checkstand_client checkstand-client
`
  }
  if (shell === 'zsh') {
    return `#compdef checkstand-client
case "$CURRENT:\${words[2]}" in
  2:*) compadd ${names} ;;
${cases.map(([name, actions]) => `  3:${name}) compadd ${actions.join(' ')} ;;`).join('\n')}
esac
[[ "$PREFIX" == -* ]] && compadd -- ${flags}
`
  }
  if (shell === 'fish') {
    return [
      'complete -c checkstand-client -f',
      `complete -c checkstand-client -n __fish_use_subcommand -a '${names}'`,
      ...cases.map(
        ([name, actions]) =>
          `complete -c checkstand-client -n '__fish_seen_subcommand_from ${name}' -a '${actions.join(' ')}'`,
      ),
      ...options.map((name) => `complete -c checkstand-client -l ${name}`),
      '',
    ].join('\n')
  }
  throw new UsageError('completion takes bash, zsh or fish')
}
