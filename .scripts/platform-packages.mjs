import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from './project-root.mjs'

/** Packages whose machine code comes in a package for each platform, which the lock file may lack for this one. */
const nativePackages = ['apps/heddle/node_modules/chdb', 'node_modules/oxfmt', 'node_modules/oxlint', 'node_modules/turbo']

/** @typedef {{ name: string, version: string, place: string }} PlatformPackage `place` is where its package looks for it */
/** @typedef {{ platform: string, arch: string }} Machine as `process` names it */

/**
 * The package with the machine code for a machine; undefined if there is none for it.
 * @param {string} folder of the package that needs it
 * @param {Machine} machine
 * @returns {PlatformPackage | undefined}
 */
export function platformPackage(folder, { platform, arch }) {
  const own = realpathSync(folder)
  const { name: ownName, optionalDependencies = {} } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  const machines = (arch === 'x64' ? ['x64', '64'] : [arch]).flatMap((cpu) => [`${platform}-${cpu}`, `${platform}-${cpu}-gnu`])
  const name = Object.keys(optionalDependencies).find((candidate) =>
    machines.some((machine) => candidate.endsWith(`-${machine}`) || candidate.endsWith(`/${machine}`)),
  )
  if (name === undefined) return undefined
  // A package stands beside those that it needs, one level up for a name with a scope.
  const beside = ownName.startsWith('@') ? dirname(dirname(own)) : dirname(own)
  return { name, version: optionalDependencies[name], place: join(beside, name) }
}

/**
 * Brings what the lock file lacks for this machine, in the version that the package that needs it names.
 * @param {object} [options]
 * @param {Machine} [options.machine]
 * @param {string[]} [options.folders] of packages that need one
 * @param {(wanted: PlatformPackage, folder: string) => Promise<void>} [options.fetchInto] installs a package below `node_modules` of a folder
 * @param {string} [options.store] folder for what is brought
 * @returns {Promise<{ wanted: PlatformPackage, error: unknown }[]>} those that could not be had
 */
export async function installPlatformPackages({
  machine = process,
  folders = nativePackages.map((path) => join(projectRoot, path)),
  fetchInto = fetchFromRegistry,
  store = join(projectRoot, 'node_modules', '.platform-packages'),
} = {}) {
  const failed = []
  for (const folder of folders) {
    const wanted = platformPackage(folder, machine)
    if (wanted === undefined || existsSync(join(wanted.place, 'package.json'))) continue
    try {
      const own = join(store, wanted.name.replace('/', '+'))
      await fetchInto(wanted, own)
      rmSync(wanted.place, { recursive: true, force: true })
      mkdirSync(dirname(wanted.place), { recursive: true })
      symlinkSync(join(own, 'node_modules', wanted.name), wanted.place, 'dir')
    } catch (error) {
      failed.push({ wanted, error })
    }
  }
  return failed
}

/** @param {PlatformPackage} wanted @param {string} folder */
async function fetchFromRegistry({ name, version }, folder) {
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { timeout: 10 * 60_000 })
}
