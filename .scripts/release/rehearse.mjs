// npm run release:rehearse [-- <major version of Node> …]
// Publishes all packages to a registry on loopback and uses them from there, in empty folders, as a stranger would. Ends with 1 when something failed.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { buildTypeScript, installPackages, loadEntries, runExamples } from './consumer.mjs'
import { execute } from './execute.mjs'
import { startLocalRegistry } from './local-registry.mjs'
import { findNode, nodeMajors } from './node-versions.mjs'
import { createSbom, noticesOf } from './sbom.mjs'
import { packPackage, publishedPackages } from './published-packages.mjs'
import { startServer } from './server-process.mjs'
import { install } from '../install.mjs'
import { projectRoot } from '../project-root.mjs'
import { endWithNpm } from '../terminal/end-with-npm.mjs'
import { fail } from '../terminal/fail.mjs'

const minute = 60_000
const logFile = join(projectRoot, 'node_modules', '.release', 'rehearsal.log')
const majors = process.argv.slice(2).map(Number)
if (majors.some((major) => !nodeMajors.some((known) => known === major)))
  fail(`release:rehearse takes major versions of Node: ${nodeMajors.join(', ')}. You gave: ${process.argv.slice(2).join(' ')}`)

endWithNpm()
await install()
mkdirSync(dirname(logFile), { recursive: true })
rmSync(logFile, { force: true })
const work = mkdtempSync(join(tmpdir(), 'heddle-rehearsal-'))
const packages = publishedPackages()
let failures = 0

const registry = await step('start a registry on loopback', async () => {
  const started = await startLocalRegistry({ folder: join(work, 'registry'), own: packages.map(({ name }) => name) })
  return { value: started, says: started.url }
})
if (registry !== undefined) {
  try {
    for (const one of packages) await step(`publish ${one.name} ${one.version}`, () => publish(one, registry))
    if (failures === 0) for (const major of majors.length > 0 ? majors : nodeMajors) await tryOnNode(major, registry)
  } finally {
    await registry.close()
  }
}
rmSync(work, { recursive: true, force: true })
say(failures === 0 ? 'The rehearsal passed.' : `The rehearsal failed: ${failures} steps.`)
process.stdout.write(`Log: ${logFile}\n`)
process.exit(failures === 0 ? 0 : 1)

/** @param {import('./published-packages.mjs').PublishedPackage} one @param {import('./local-registry.mjs').LocalRegistry} to */
async function publish(one, to) {
  const archive = await packPackage(one, join(work, 'archives'))
  await to.publish(archive)
  return { value: archive }
}

/** @param {number} major @param {import('./local-registry.mjs').LocalRegistry} from */
async function tryOnNode(major, from) {
  const node = await findNode(major).catch((/** @type {Error} */ error) =>
    say(`- Node ${major}: skipped, since it cannot be had here (${firstLine(error)})`),
  )
  if (node === undefined) return
  const on = `Node ${node.version.slice(1)}:`
  const command = folderOn(node, from, `command-${major}`)
  const server = await step(`${on} npx heddle serve, in an empty folder`, () => serve(command))
  if (server === undefined) return
  try {
    await step(`${on} the first trace, by the line that the server prints`, () => sendFirstTrace(command, server))
    const consumer = folderOn(node, from, `consumer-${major}`, {
      HEDDLE_BASE_URL: server.url,
      HEDDLE_API_KEY: server.apiKey,
      HEDDLE_PROJECT: 'local/default',
    })
    const installed = await step(`${on} npm install of all packages`, async () => ({
      value: true,
      says: await installPackages(consumer, packages),
    }))
    if (installed === undefined) return
    if (major === majors.concat(nodeMajors)[0])
      for (const one of packages)
        await step(`write the bill of materials of ${one.name}`, () => writeSbom(one, node, from, consumer.folder))
    for (const { name } of packages)
      await step(`${on} load every entry of ${name}`, async () => ({ value: true, says: await loadEntries(consumer, name) }))
    const built = await step(`${on} build TypeScript, for ES modules and CommonJS`, async () => ({
      value: true,
      says: await buildTypeScript(consumer, packages, server),
    }))
    if (built === undefined) return
    for (const { name } of packages)
      await step(`${on} run the README examples of ${name}`, async () => ({ value: true, says: await runExamples(consumer, name) }))
  } finally {
    await server.end()
  }
}

/**
 * An empty folder in which nothing of this checkout is seen: neither its tools nor its settings.
 * @param {import('./node-versions.mjs').Node} node
 * @param {import('./local-registry.mjs').LocalRegistry} from
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [variables]
 */
function folderOn(node, from, name, variables = {}) {
  const folder = join(work, name)
  mkdirSync(folder)
  const env = {
    PATH: [node.bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: join(work, 'home'),
    TMPDIR: tmpdir(),
    npm_config_registry: from.url,
    npm_config_cache: join(work, 'npm-cache'),
    npm_config_update_notifier: 'false',
    ...variables,
  }
  const program = join(node.bin, 'node')
  const npm = (/** @type {string[]} */ args, /** @type {number} */ timeoutMs) =>
    execute([program, npmProgram(), ...args], { cwd: folder, env, timeoutMs })
  return { folder, env, node: program, npm }
}

/**
 * @param {import('./published-packages.mjs').PublishedPackage} one
 * @param {import('./node-versions.mjs').Node} node
 * @param {import('./local-registry.mjs').LocalRegistry} from
 * @param {string} installedIn
 */
async function writeSbom(one, node, from, installedIn) {
  const file = `${one.name.replace('@', '').replace('/', '-')}-${one.version}.cdx.json`
  const { folder, npm } = folderOn(node, from, `sbom-${file}`)
  const sbom = await createSbom(one, { folder, npm, notices: noticesOf(join(installedIn, 'node_modules', one.name)) })
  writeFileSync(join(dirname(logFile), file), `${JSON.stringify(sbom, null, 2)}\n`)
  const { components: bundled = [] } = sbom.metadata.component
  return { value: sbom, says: `${file}: ${sbom.components.length} packages installed with it, ${bundled.length} bundled` }
}

/** The npm that runs this, since packages with a Node bring none. */
function npmProgram() {
  return process.env['npm_execpath'] ?? fail('Run this by npm: npm run release:rehearse')
}

/** @param {ReturnType<typeof folderOn>} at */
async function serve({ folder, env, node }) {
  const dataDir = join(folder, 'data')
  const command = [node, npmProgram(), 'exec', '--yes', '--', 'heddle', 'serve', '--port', '0', '--data-dir', dataDir]
  const startedAt = performance.now()
  const { printed, end } = await startServer(command, { cwd: folder, env, ready: /Any program/, timeoutMs: 10 * minute })
  const url = /is ready at (\S+)/.exec(printed)?.[1] ?? fail(`the server does not say where it is:\n${printed}`)
  const apiKey = readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()
  return { value: { url, apiKey, printed, dataDir, end }, says: `${seconds(startedAt)} from nothing to ready` }
}

/** @param {ReturnType<typeof folderOn>} at @param {{ printed: string, url: string, dataDir: string }} server */
async function sendFirstTrace({ folder, env, npm }, { printed, url, dataDir }) {
  const line = /First trace {2}(curl .*)/.exec(printed)?.[1] ?? fail(`the server prints no line that sends a trace:\n${printed}`)
  await execute(['sh', '-c', `${line} --fail --silent --show-error`], { cwd: folder, env, timeoutMs: minute })
  const list = ['exec', '--yes', '--', 'heddle', 'traces', 'list', '--json', '--url', url, '--data-dir', dataDir]
  const listed = await npm(list, 2 * minute)
  if (!listed.includes('hello')) throw new Error(`the trace is not listed:\n${listed}`)
  return { value: true }
}

/**
 * Does one step and logs how it ended.
 * @template T
 * @param {string} title
 * @param {() => Promise<{ value: T, says?: string | void }>} work
 * @returns {Promise<T | undefined>} undefined when it failed
 */
async function step(title, work) {
  const startedAt = performance.now()
  try {
    const { value, says } = await work()
    say(`✓ ${title} (${seconds(startedAt)})${typeof says === 'string' ? `: ${says}` : ''}`)
    return value
  } catch (error) {
    failures++
    say(`✗ ${title} (${seconds(startedAt)})\n${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
  appendFileSync(logFile, `${line}\n`)
}

/** @param {Error} error */
function firstLine({ message }) {
  return message.split('\n').find((line) => line.includes('npm error')) ?? message.split('\n')[0]
}

/** @param {number} since */
function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
