import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appendLine } from '@heddle/service-kit/testing'
import type { Container } from '@heddle/testing'
import { inject } from 'vitest'
import { runProgram } from '../run-program.ts'

const main = fileURLToPath(new URL('main.js', inject('builtChildren')))

/** A command that runs as its users run it: as a process of its own. */
export interface RunningCommand {
  child: ChildProcess
  /** What it has written so far. */
  out(): string
  note(): string
  /** Resolves once the output holds the text. @throws Error with all that was written when the command ends before. */
  said(text: string): Promise<void>
  /** Exit code; null when a signal ended it. */
  ended: Promise<number | null>
}

export function startCommand(args: readonly string[], environment: Record<string, string>): RunningCommand {
  return start(process.execPath, [main, ...args], environment)
}

/** The command in a container of its own; `child` is what made the container. */
export function startInContainer(container: Container, args: readonly string[], environment: Record<string, string>): RunningCommand {
  const [program = '', ...rest] = container.wrap([process.execPath, main, ...args])
  return start(program, rest, environment)
}

/** The command as the script `heddle` of the package in a folder, by npm; `child` is npm. Ends when all processes of it have. */
export function startByNpm(folder: string, args: readonly string[], environment: Record<string, string>): RunningCommand {
  const script = `node ${JSON.stringify(main)} ${args.join(' ')}`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { heddle: script } }))
  return start('npm', ['--prefix', folder, 'run', 'heddle'], environment)
}

/** The command in the background of a shell that ends at once; its process id is the first line of its output. Ends when the command has. */
export function startInBackground(args: readonly string[], environment: Record<string, string>): RunningCommand {
  return start('sh', ['-c', '"$@" & echo $!', 'sh', process.execPath, main, ...args], environment)
}

function start(program: string, args: readonly string[], environment: Record<string, string>): RunningCommand {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', HEDDLE_TIME_ZONE: 'UTC', ...environment }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { out: '', note: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (written.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (written.note += text))
  const ended = once(child, 'close').then(([code]) => {
    appendLine(inject('logFolder'), written.note)
    return code as number | null
  })
  return {
    child,
    out: () => written.out,
    note: () => written.note,
    ended,
    async said(text) {
      const gone = ended.then((code) => {
        throw new Error(`ended with ${code} before saying "${text}":\n${written.out}\n${written.note}`)
      })
      gone.catch(() => undefined)
      while (!written.out.includes(text)) await Promise.race([once(child.stdout ?? child, 'data'), gone])
    },
  }
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[], environment: Record<string, string>) {
  const command = startCommand(args, environment)
  const code = await command.ended
  return { code, out: command.out(), note: command.note() }
}

/** Runs a command to its end in this process: without loading the program, which takes longer than most commands. */
export async function runCommandHere(args: readonly string[], environment: Record<string, string>) {
  const written = { out: '', note: '' }
  const write = (stream: keyof typeof written) => (text: string) => void (written[stream] += `${text}\n`)
  const terminal = { out: write('out'), note: write('note'), status: () => {}, isInteractive: false }
  const code = await runProgram(args, { environment: { HEDDLE_TIME_ZONE: 'UTC', ...environment }, terminal })
  appendLine(inject('logFolder'), written.note)
  return { code, ...written }
}
