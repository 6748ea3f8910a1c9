import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @typedef {{ name: string, version: string, license: string, texts: string[] }} ThirdParty `texts` are those of its licence and notice files */

/** Files of licences and notices, as packages name them. */
const licenceFile = /^(?:licen[cs]e|copying|notice)/i

/**
 * The packages of others that a bundle holds.
 * @param {Iterable<string>} modules paths of its files; those of this repository itself, and modules that a bundler makes up, are passed over
 * @returns {ThirdParty[]} by name and version
 * @throws {Error} if a package states no licence, so that it must not be distributed
 */
export function bundledPackages(modules) {
  const folders = new Set([...modules].flatMap((path) => packageFolder(path) ?? []))
  return sorted([...folders].map(readPackage).filter(({ name }) => !name.startsWith('@heddle/')))
}

/**
 * The packages that npm installs with one, and with those in turn, as they are installed here.
 * @param {string} folder of the package
 * @returns {ThirdParty[]} by name and version
 */
export function installedPackages(folder) {
  const found = new Set(dependencyFolders(folder))
  for (const one of found) for (const needed of dependencyFolders(one)) found.add(needed)
  return sorted([...found].map(readPackage).filter(({ name }) => !name.startsWith('@heddle/')))
}

/**
 * A plugin for bundlers with the interface of Rollup. It writes the notices of all modules that it has seen bundled, for all bundles that use it together.
 * @param {object} options
 * @param {string} options.file
 * @param {readonly string[]} [options.also] paths of files that reach the bundle past the bundler, such as fonts
 */
export function writeNotices({ file, also = [] }) {
  const modules = new Set(also)
  return {
    name: 'third-party-notices',
    /** @param {unknown} _options @param {Record<string, { type: string, moduleIds?: string[] }>} bundle */
    writeBundle(_options, bundle) {
      for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) modules.add(id)
      writeFileSync(file, noticesText({ bundled: bundledPackages(modules) }))
    },
  }
}

/**
 * @param {object} parts
 * @param {readonly ThirdParty[]} parts.bundled
 * @param {readonly ThirdParty[]} [parts.installed] what npm installs beside, where that is to be named
 * @returns {string}
 */
export function noticesText({ bundled, installed = [] }) {
  const beside = installed.length === 0 ? [] : ['Installed beside this package', ...installed.map(titleOf), '']
  return [
    'Heddle is licensed under the Apache License 2.0, see LICENSE. It contains and uses software of others, under these licences.',
    '',
    `Bundled in this package${bundled.length === 0 ? ': none' : ''}`,
    ...bundled.map(titleOf),
    '',
    ...beside,
    ...[...bundled, ...installed.filter((one) => !bundled.some((other) => titleOf(other) === titleOf(one)))].flatMap((one) => [
      '-'.repeat(80),
      titleOf(one),
      '',
      ...(one.texts.length > 0
        ? one.texts.map((text) => `${text.trim()}\n`)
        : [`The package has no text of its licence, ${one.license}.\n`]),
    ]),
  ].join('\n')
}

/** @param {ThirdParty} one */
function titleOf({ name, version, license }) {
  return `${name} ${version} (${license})`
}

/** The folder of the package that a module is of; undefined for our own. @param {string} path */
function packageFolder(path) {
  return /^([^\0]*\/node_modules\/(?:@[^/]+\/)?[^/.][^/]*)\//.exec(path)?.[1]
}

/** @param {string} folder @returns {ThirdParty} */
function readPackage(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const stated = license ?? licenses
  if (stated === undefined)
    throw new Error(`${name} ${version} states no licence in its package.json, so it must not be distributed: replace it`)
  const files = readdirSync(folder).filter((file) => licenceFile.test(file) && !/\.[cm]?[jt]s$/.test(file))
  return { name, version, license: licenceName(stated), texts: files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8')) }
}

/** Older packages state it as `{ type, url }`, or as a list of these. @param {string | { type: string } | { type: string }[]} stated @returns {string} */
function licenceName(stated) {
  if (Array.isArray(stated)) return stated.map(licenceName).join(' OR ')
  return typeof stated === 'string' ? stated : stated.type
}

/** Where pnpm has put the packages that one needs: in its own `node_modules`, or beside it. @param {string} folder */
function dependencyFolders(folder) {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !name.startsWith('@heddle/'))
  return names.flatMap((name) => installedFolder(folder, name) ?? [])
}

/** Undefined where it is not installed, as packages for other machines are. @param {string} from @param {string} name */
function installedFolder(from, name) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    try {
      return dirname(realpathSync(join(found, 'package.json')))
    } catch {
      // Not in this folder: one above may have it.
    }
  }
  return undefined
}

/** @param {ThirdParty[]} packages */
function sorted(packages) {
  const byTitle = new Map(packages.map((one) => [titleOf(one), one]))
  return [...byTitle.values()].toSorted((one, other) => (titleOf(one) < titleOf(other) ? -1 : 1))
}
