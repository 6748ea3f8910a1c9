import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Bundler {
  rolldown(options: object): Promise<{ generate(options: object): Promise<{ output: { code?: string }[] }>; close(): Promise<void> }>
}

/** The program in one file, as the build makes it. */
export interface BundledProgram {
  path: string
  bytes: number
  remove(): void
}

/** Bundles the program with the bundler of the build. */
export async function bundleProgram(): Promise<BundledProgram> {
  const { rolldown } = createRequire(createRequire(import.meta.url).resolve('tsdown'))('rolldown') as Bundler
  const build = await rolldown({ input: fileURLToPath(new URL('../bin.ts', import.meta.url)), platform: 'node', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  const [first, ...more] = output
  if (first?.code === undefined || more.length > 0) throw new Error(`the bundle has ${output.length} files, not one`)
  const folder = mkdtempSync(join(tmpdir(), 'heddle-mcp-'))
  const path = join(folder, 'bin.mjs')
  writeFileSync(path, first.code)
  return { path, bytes: Buffer.byteLength(first.code), remove: () => rmSync(folder, { recursive: true }) }
}
