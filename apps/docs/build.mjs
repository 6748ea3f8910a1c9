import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { bundledPackages, noticesText } from '../../.scripts/release/third-party-notices.mjs'
import { buildSite } from './src/build-site.ts'

// node --import tsx build.mjs [<folder>]
const folder = resolve(process.argv[2] ?? 'dist')
const { bundled } = await buildSite(folder)
await writeFile(join(folder, 'THIRD_PARTY_NOTICES.txt'), noticesText({ bundled: bundledPackages(bundled) }))
