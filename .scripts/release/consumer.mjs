import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from './execute.mjs'
import { readmeExamples } from './readme-examples.mjs'

const minute = 60_000

/** What the examples use beside our packages: of OpenTelemetry the line 2.x, which runs on each Node. */
const others = [
  '@opentelemetry/api@~1.9',
  '@opentelemetry/sdk-node@>=0.200.0 <0.300',
  '@opentelemetry/sdk-trace-node@2',
  '@opentelemetry/sdk-trace-base@2',
  '@opentelemetry/exporter-trace-otlp-http@>=0.200.0 <0.300',
  '@opentelemetry/instrumentation@>=0.200.0 <0.300',
  'openai@6',
  'zod@4',
  'typescript@5',
  '@types/node@20',
]

/** Examples that continue another one, or need a model of someone else, by their place in the README. @type {Record<string, readonly number[]>} */
export const fragments = { '@heddle/agent-instrumentation': [1, 3, 4] }

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: false,
  outDir: 'built',
  rootDir: 'src',
}

/**
 * @typedef {object} Installation
 * @property {string} folder in which everything is installed
 * @property {string} node program
 * @property {NodeJS.ProcessEnv} env
 * @property {(args: string[], timeoutMs: number) => Promise<string>} npm
 */

/**
 * Installs the packages as a program of someone else would.
 * @param {Installation} installation
 * @param {readonly { name: string, version: string }[]} packages
 */
export async function installPackages({ folder, npm }, packages) {
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', version: '1.0.0', private: true, type: 'module' }))
  const own = packages.map(({ name, version }) => `${name}@${version}`)
  await npm(['install', '--no-audit', '--no-fund', ...own, ...others], 10 * minute)
}

/** The names by which a program imports a package, with whether it can be required. @param {string} folder @param {string} name */
function entriesOf(folder, name) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([entry]) => entry !== './package.json')
    .map(([entry, conditions]) => ({ specifier: join(name, entry), required: Object.hasOwn(conditions, 'require') }))
}

/**
 * Loads every entry as an ES module and, where the package offers that, as a CommonJS module.
 * @param {Installation} installation
 * @param {string} name
 * @returns {Promise<string>} what was loaded, for the log
 */
export async function loadEntries({ folder, node, env }, name) {
  const entries = entriesOf(folder, name)
  const load = entries.flatMap(({ specifier, required }) => [
    `if (Object.keys(await import('${specifier}')).length === 0 && !'${specifier}'.endsWith('/register')) throw new Error('${specifier} exports nothing')`,
    ...(required ? [`createRequire(import.meta.url)('${specifier}')`] : []),
  ])
  const program = join(folder, 'load.mjs')
  writeFileSync(program, [`import { createRequire } from 'node:module'`, ...load].join('\n'))
  await execute([node, program], { cwd: folder, env, timeoutMs: minute })
  return `${entries.length} by import, ${entries.filter(({ required }) => required).length} by require`
}

/**
 * Compiles the types of all entries, for ES modules and for CommonJS, and the examples of the READMEs.
 * @param {Installation} installation
 * @param {readonly { name: string }[]} packages
 * @param {{ url: string, apiKey: string }} server put in the place of the one that the examples name
 */
export async function buildTypeScript({ folder, node, env }, packages, server) {
  const imports = packages.flatMap(({ name }) => entriesOf(folder, name)).map((entry, index) => ({ ...entry, as: `entry${index}` }))
  const all = imports.map(({ specifier, as }) => `import * as ${as} from '${specifier}'\nexport { ${as} }`)
  const common = imports.filter(({ required }) => required)
  writeFileSync(join(folder, 'src', 'entries.mts'), all.join('\n'))
  writeFileSync(
    join(folder, 'src', 'entries.cts'),
    common.map(({ specifier, as }) => `import ${as} = require('${specifier}')\nexport { ${as} }`).join('\n'),
  )
  for (const { file, code } of examplesOf(folder, packages))
    writeFileSync(
      join(folder, 'src', file),
      code.replaceAll('http://127.0.0.1:7400', server.url).replaceAll("'your-key'", `'${server.apiKey}'`),
    )
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  await execute([node, join(folder, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], { cwd: folder, env, timeoutMs: 5 * minute })
}

/** @param {string} folder @param {readonly { name: string }[]} packages */
function examplesOf(folder, packages) {
  return packages.flatMap(({ name }) =>
    readmeExamples(join(folder, 'node_modules', name))
      .map((code, place) => ({ place, file: `${name.replace(/[@/]/g, '_')}-${place}.mts`, code }))
      .filter(({ place }) => !fragments[name]?.includes(place)),
  )
}

/**
 * Runs the compiled examples of a package against the server.
 * @param {Installation} installation
 * @param {string} name
 * @returns {Promise<string>} how many ran, for the log
 */
export async function runExamples({ folder, node, env }, name) {
  const examples = examplesOf(folder, [{ name }])
  for (const { file } of examples)
    await execute([node, join(folder, 'built', file.replace('.mts', '.mjs'))], { cwd: folder, env, timeoutMs: 5 * minute })
  return `${examples.length}`
}
