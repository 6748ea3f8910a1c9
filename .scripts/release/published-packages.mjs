import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../terminal/run-command.mjs'
import { projectRoot } from '../project-root.mjs'

/** @typedef {{ name: string, version: string, folder: string }} PublishedPackage */

/** The packages of this repository that the npm registry gets, those that others need first. @returns {PublishedPackage[]} */
export function publishedPackages() {
  const manifests = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(projectRoot, parent))
      .map((name) => join(projectRoot, parent, name))
      .filter((folder) => existsSync(join(folder, 'package.json')))
      .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) })),
  )
  const needed = (/** @type {{ manifest: { dependencies?: object } }} */ { manifest }) =>
    Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@heddle/')).length
  return manifests
    .filter(({ manifest }) => manifest.private !== true)
    .toSorted((one, other) => needed(one) - needed(other))
    .map(({ folder, manifest }) => ({ name: manifest.name, version: manifest.version, folder }))
}

/**
 * Builds and packs a package as `pnpm publish` does.
 * @param {PublishedPackage} one
 * @param {string} destination folder for the archive
 * @returns {Promise<string>} path of the archive
 */
export async function packPackage({ name, version, folder }, destination) {
  mkdirSync(destination, { recursive: true })
  const archive = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  const command = `cd ${JSON.stringify(folder)} && pnpm pack --out ${JSON.stringify(archive)}`
  const { code, output } = await runCommand(command, { timeoutMs: 10 * 60_000 })
  if (code !== 0) throw new Error(`packing ${name} failed:\n${output}`)
  return archive
}
