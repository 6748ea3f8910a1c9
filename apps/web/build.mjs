import { copyFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce, sourcesOf } from '../../.scripts/build-once.mjs'

// node build.mjs [<folder>]
const folder = resolve(process.argv[2] ?? 'dist')
const root = fileURLToPath(new URL('.', import.meta.url))

await buildOnce({
  name: 'web',
  sources: await sourcesOf(root),
  folder,
  async build(outDir) {
    const { buildPages } = await import('./build-pages.mjs')
    await buildPages(outDir)
  },
})

// For the check of sizes; no page needs it.
const manifest = join(folder, 'manifest.json')
await copyFile(manifest, join(root, 'node_modules', '.built.json'))
await rm(manifest)
