import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Program {
  /** TypeScript; `@heddle/otel-exporter` and packages of this one's are found in it. */
  code: string
  /** Entries of this package that are loaded before the program. */
  imports?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Sent once the program prints `ready`. */
  signal?: NodeJS.Signals
}

export interface Ended {
  stdout: string
  stderr: string
  /** Exit code, or the signal that ended it. */
  end: number | NodeJS.Signals | null
}

const timeLimitMs = 20_000
const entries: Readonly<Record<string, string>> = {
  '@heddle/otel-exporter': '../index.ts',
  '@heddle/otel-exporter/fetch': '../fetch.ts',
  '@heddle/otel-exporter/otlp-http': '../otlp-http.ts',
  '@heddle/otel-exporter/register': '../register.ts',
}

/** Runs a program in a process of its own, as a user would, with nothing of this one's environment. Killed after 20 seconds. */
export async function runProgram({ code, imports = [], env = {}, signal }: Program): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-program-'))
  try {
    const path = join(folder, 'program.mts')
    writeFileSync(path, resolveImports(code))
    const flags = ['tsx', ...imports].flatMap((name) => ['--import', resolve(name)])
    return await run({ args: [...flags, path], folder, env, signal })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function resolve(name: string): string {
  const entry = entries[name]
  return entry === undefined ? import.meta.resolve(name) : new URL(entry, import.meta.url).href
}

function resolveImports(code: string): string {
  return code.replace(/(from|import\() ?'(@(?:heddle|opentelemetry)\/[^']+)'/g, (_, keyword: string, name: string) => {
    return `${keyword}${keyword === 'from' ? ' ' : ''}'${resolve(name)}'`
  })
}

interface Run {
  args: readonly string[]
  folder: string
  env: Readonly<Record<string, string>>
  signal: NodeJS.Signals | undefined
}

function run({ args, folder, env, signal }: Run): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { HOME: folder, TMPDIR: folder, PATH: '/usr/bin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] = (printed[stream] + text).slice(-1_000_000)
      if (signal !== undefined && text.includes('ready')) child.kill(signal)
    })
  }
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', (code, endedBy) => done({ ...printed, end: endedBy ?? code }))
  })
}
