import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layOutBundle } from './lay-out-bundle.ts'

/** Packs the built program into `dist/heddle.mcpb`, and checks the manifest first. Run by `npm run mcpb`. */
const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const bundler = join(dirname(createRequire(import.meta.url).resolve('@anthropic-ai/mcpb')), 'cli/cli.js')
const folder = mkdtempSync(join(tmpdir(), 'heddle-mcpb-'))
try {
  layOutBundle({ program: join(dist, 'bin.mjs'), into: folder })
  for (const args of [
    ['validate', join(folder, 'manifest.json')],
    ['pack', folder, join(dist, 'heddle.mcpb')],
  ])
    execFileSync(process.execPath, [bundler, ...args], { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
