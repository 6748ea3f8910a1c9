import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NodeEnd, runNode } from '@heddle/testing'

export interface Program {
  /** TypeScript; `@heddle/otel-exporter` and packages of this one's are found in it. */
  code: string
  /** Entries of this package that are loaded before the program. */
  imports?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Sent once the program prints `ready`. */
  signal?: NodeJS.Signals
}

const timeLimitMs = 20_000
const entries: Readonly<Record<string, string>> = {
  '@heddle/otel-exporter': '../index.ts',
  '@heddle/otel-exporter/fetch': '../fetch.ts',
  '@heddle/otel-exporter/otlp-http': '../otlp-http.ts',
  '@heddle/otel-exporter/register': '../register.ts',
}

/** Runs a program in a separate process, as a user would, with a clean environment. Killed after 20 seconds. */
export async function runProgram({ code, imports = [], env = {}, signal }: Program): Promise<NodeEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-program-'))
  try {
    const path = join(folder, 'program.mts')
    writeFileSync(path, resolveImports(code))
    const flags = ['tsx', ...imports].flatMap((name) => ['--import', resolve(name)])
    return await runNode({ args: [...flags, path], folder, env: { PATH: '/usr/bin:/bin', ...env }, timeLimitMs, signal })
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
