import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NodeEnd, runNode } from '@heddle/testing'
import { transform } from 'esbuild'
import { inject } from 'vitest'

export interface Program {
  /** TypeScript; `@heddle/otel-exporter` and packages of this one's are found in it. */
  code: string
  /** Entries of this package that are loaded before the program. */
  imports?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Sent once the program prints `ready`. */
  signal?: NodeJS.Signals
}

const timeLimitMs = 60_000
const ourName = '@heddle/otel-exporter'

/** Runs a program in a separate process, as a user would, with a clean environment. Killed after a minute. */
export async function runProgram({ code, imports = [], env = {}, signal }: Program): Promise<NodeEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-program-'))
  try {
    const path = join(folder, 'program.mjs')
    const program = await transform(resolveImports(code), { loader: 'ts', format: 'esm', target: 'node20' })
    writeFileSync(path, program.code)
    const flags = imports.flatMap((name) => ['--import', resolve(name)])
    return await runNode({ args: [...flags, path], folder, env: { PATH: '/usr/bin:/bin', ...env }, timeLimitMs, signal })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function resolve(name: string): string {
  if (name !== ourName && !name.startsWith(`${ourName}/`)) return import.meta.resolve(name)
  return new URL(`${name.slice(ourName.length + 1) || 'index'}.js`, inject('builtExporter')).href
}

function resolveImports(code: string): string {
  return code.replace(/(from|import\() ?'(@(?:heddle|opentelemetry)\/[^']+)'/g, (_, keyword: string, name: string) => {
    return `${keyword}${keyword === 'from' ? ' ' : ''}'${resolve(name)}'`
  })
}
