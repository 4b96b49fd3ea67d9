/** `pcs-conformance completion`: completes commands, flags and values in a shell, from what the program itself accepts. */

import type { Command, Option } from 'commander';
import { SETTINGS } from '../../settings/table.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';

/** The shells. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** What may follow in a place: flags that are shown in the help, with their values if these are a closed list. */
interface Place {
  readonly words: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
}

/** The program and its commands, each behind the words that lead to it. */
function placesOf(command: Command, words = ''): readonly Place[] {
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== undefined);
  const inner = command.commands.flatMap((one) => placesOf(one, `${words} ${one.name()}`.trim()));
  return [{ words, commands: command.commands, options }, ...inner];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const valuesOf = ({ argChoices, long }: Option): readonly string[] | undefined =>
  argChoices ?? SETTINGS.find(({ flag }) => `--${flag}` === long)?.kind.words;

const flagsOf = ({ options }: Place): readonly string[] => ['--help', ...options.flatMap(({ long }) => long ?? [])];

/** zsh reads the same through its emulation of bash's completion. */
function bash(places: readonly Place[]): string {
  const closed = places.flatMap(({ words, options }) =>
    options.flatMap((option) => {
      const values = valuesOf(option);
      return values === undefined ? [] : [`    "${words} ${option.long}") words="${values.join(' ')}" ;;`];
    }),
  );
  const open = places.map((place) => {
    const words = [...place.commands.map((command) => command.name()), ...flagsOf(place)];
    return `      "${place.words}") words="${words.join(' ')}" ;;`;
  });
  const named = places.filter(({ words }) => words !== '').map(({ words }) => `"${words}"`);
  return `_pcs_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" place="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "\${place:+$place }$word" in
      ${named.join(' | ')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place $before" in
${closed.join('\n')}
    *) case "$place" in
${open.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pcs_conformance pcs-conformance`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ words, commands, options }) => {
    const first = words === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words.split(' ').at(-1)}`;
    const when = `complete -c pcs-conformance -n ${quoted(first)}`;
    return [
      ...commands.map((command) => `${when} -f -a ${command.name()} -d ${quoted(command.description())}`),
      ...options.map((option) => {
        const { long = '', required, description } = option;
        const words = valuesOf(option);
        const values = words === undefined ? '' : ` -f -a ${quoted(words.join(' '))}`;
        return `${when} -l ${long.slice(2)}${required ? ' -r' : ''}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  return lines.join('\n');
}

/** Prints the script for a shell. */
export function completion(shell: Shell, program: Command, terminal: Terminal): ExitCode {
  const places = placesOf(program);
  const head = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  terminal.out(shell === 'fish' ? fish(places) : `${head}${bash(places)}`);
  return EXIT_CODES.conformant;
}
