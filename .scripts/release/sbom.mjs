import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const minute = 60_000

/**
 * A component of CycloneDX, as far as it is read and written here.
 * @typedef {{ name: string, version: string, 'bom-ref': string, type?: string, purl?: string, licenses?: { expression: string }[], components?: Component[] }} Component
 */
/** @typedef {{ metadata: { component: Component }, components: Component[], dependencies: { ref: string, dependsOn?: string[] }[] }} Sbom */

/**
 * The software bill of materials of a published package, in the CycloneDX form of `npm sbom`: what npm installs with it, and within the package
 * itself what is bundled in it, by its notices.
 * @param {{ name: string, version: string }} one
 * @param {object} options
 * @param {string} options.folder an empty one to work in
 * @param {(args: string[], timeoutMs: number) => Promise<string>} options.npm in that folder
 * @param {readonly string[]} options.notices texts of the package that name what it bundles
 * @returns {Promise<Sbom>}
 */
export async function createSbom({ name, version }, { folder, npm, notices }) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'sbom', version: '0.0.0', private: true, dependencies: { [name]: version } }),
  )
  await npm(['install', '--package-lock-only', '--no-audit', '--no-fund'], 5 * minute)
  const text = await npm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], minute)
  return aboutPackage(JSON.parse(text), name, notices.flatMap(bundledComponents))
}

/**
 * `npm sbom` describes the folder in which it runs; this describes the one package that the folder depends on.
 * @param {Sbom} sbom @param {string} name @param {Component[]} bundled
 * @returns {Sbom}
 */
export function aboutPackage(sbom, name, bundled) {
  const own = sbom.components.find((component) => component.name === name)
  if (own === undefined) throw new Error(`npm sbom does not name ${name}: ${sbom.components.map((component) => component.name).join(', ')}`)
  const root = sbom.metadata.component['bom-ref']
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...own, ...(bundled.length > 0 && { components: bundled }) } },
    components: sbom.components.filter((component) => component !== own),
    dependencies: sbom.dependencies.filter(({ ref }) => ref !== root),
  }
}

/** Those that the notices of a package name as bundled. @param {string} notices @returns {Component[]} */
export function bundledComponents(notices) {
  const [, list = ''] = notices.split(/^Bundled in this package.*\n/m)
  const lines = list.split('\n\n')[0]?.split('\n') ?? []
  return lines.flatMap((line) => {
    const [, name = '', version = '', licence = ''] = /^(\S+) (\S+) \((.+)\)$/.exec(line) ?? []
    if (name === '') return []
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return [{ type: 'library', 'bom-ref': `bundled:${name}@${version}`, name, version, purl, licenses: [{ expression: licence }] }]
  })
}

/** The notices that are in an installed package: its own, and those of the pages that it brings. @param {string} folder */
export function noticesOf(folder) {
  const files = ['dist/THIRD_PARTY_NOTICES.txt', 'dist/web/THIRD_PARTY_NOTICES.txt']
  return files.map((file) => readIfThere(join(folder, file)))
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
