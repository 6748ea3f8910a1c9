import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce, sourcesOf } from '../../.scripts/build-once.mjs'
import { bundledPackages, noticesText } from '../../.scripts/release/third-party-notices.mjs'

// node --import tsx build.mjs [<folder>]
const folder = resolve(process.argv[2] ?? 'dist')
const root = fileURLToPath(new URL('.', import.meta.url))
const repository = join(root, '../..')

/** The pages that are not in `docs`, and what they link to. */
const readmes = ['apps', 'packages'].flatMap((within) =>
  readdirSync(join(repository, within), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(repository, within, name, 'README.md')),
)

await buildOnce({
  name: 'docs',
  sources: [...(await sourcesOf(root)), join(repository, 'docs'), ...readmes.filter((path) => existsSync(path))],
  folder,
  async build(site) {
    const { buildSite } = await import('./src/build-site.ts')
    const { bundled } = await buildSite(site)
    await writeFile(join(site, 'THIRD_PARTY_NOTICES.txt'), noticesText({ bundled: bundledPackages(bundled) }))
  },
})
