import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A command as a shell would have run it. */
export interface RecordedCommand {
  /** Its name, then its arguments, without quotes and with variables replaced. */
  words: string[]
  /** Variables whose names begin with `HEDDLE_` that it would have seen. */
  environment: Record<string, string>
}

const shellLimitMs = 60_000

/**
 * Every command that is not one of the shell's own is written down instead of run, and so are those that depend on the folder or on a person.
 * What it prints is a command that does nothing, for lines that run the output of another.
 */
const recorder = `
command_not_found_handle() {
  local name line
  printf -v line '%s\\x1f' "$@"
  line+=$'\\x1d'
  while read -r name; do [[ $name == HEDDLE_* ]] && line+="$name=\${!name}"$'\\x1f'; done < <(compgen -e)
  printf '%s\\x1e' "$line" >>"$RECORD"
  echo :
}
for name in cd alias kill wait exec source; do eval "$name() { command_not_found_handle $name \\"\\$@\\"; }"; done
. ./block.sh
`

/** What is left to the reader is a word: \`<run before>\` and variables that the block does not set. */
function withoutGaps(code: string): string {
  const words = code.replaceAll(/<([a-z][a-z ]*)>/g, (_, name: string) => name.replaceAll(' ', '-'))
  const named = new Set([...words.matchAll(/\$\{?([A-Z][A-Z_]*)/g)].map(([, name = '']) => name))
  const unset = [...named].filter((name) => name !== 'PWD' && name !== 'HOME')
  return `${unset.map((name) => `${name}=${name.toLowerCase()}\n`).join('')}${words}`
}

/**
 * The commands of a block for a shell, in their order, as bash itself reads them: quotes, variables, pipes, lines that continue.
 * @throws Error of the shell when the block is not valid
 */
export function recordCommands(code: string): RecordedCommand[] {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-shell-block-'))
  try {
    const record = join(folder, 'record')
    writeFileSync(join(folder, 'block.sh'), withoutGaps(code))
    const env = { PATH: '/nonexistent', HOME: folder, RECORD: record }
    execFileSync('/bin/bash', ['--noprofile', '--norc', '-ec', recorder], { cwd: folder, env, timeout: shellLimitMs, stdio: 'pipe' })
    if (!existsSync(record)) return []
    return readFileSync(record, 'utf8').split('\x1e').slice(0, -1).map(toCommand(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const toCommand =
  (folder: string) =>
  (line: string): RecordedCommand => {
    const [words = '', variables = ''] = line.split('\x1d')
    const partsOf = (text: string) => text.split('\x1f').slice(0, -1)
    return {
      // The shell runs in a temporary folder; make paths relative to the repository root again.
      words: partsOf(words).map((word) => word.replaceAll(`${folder}/`, '')),
      environment: Object.fromEntries(
        partsOf(variables).map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
      ),
    }
  }
