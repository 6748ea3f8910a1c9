import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Resource, tracing, training } from '../packages/core-api/src/index.ts'
import { metricsTable } from '../apps/heddle/src/metrics/describe-metrics.ts'
import { chartSettings } from '../apps/heddle/src/settings/chart-settings.ts'
import { settingsTable } from '../apps/heddle/src/settings/describe-settings.ts'
import { toOpenApi } from '../packages/core-api/src/openapi/index.ts'
import { type Routes, toRoutes } from '../packages/core-api/src/routes/route.ts'
import { listingTokens } from '../packages/mcp-server/src/testing/listing-tokens.ts'
import { type PackageFacts, toBundleManifest, toServerJson } from '../packages/mcp-server/src/packaging/manifests.ts'

const root = new URL('../', import.meta.url)

/** Text of a file of the repository; undefined when there is none. */
function findText(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), 'utf8')
  } catch {
    return undefined
  }
}

/** The names that an entry exports, with `type` before those that exist for the compiler alone. Entries list names, so their text tells. */
function listExports(entry: string): string[] {
  const lists = [...(findText(entry) ?? '').matchAll(/export (type )?\{([^}]*)\}/g)]
  const names = lists.flatMap(([, type = '', list = '']) => list.split(',').flatMap((name) => (name.trim() ? [type + name.trim()] : [])))
  const constants = [...(findText(entry) ?? '').matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name)
  return [...names, ...constants].toSorted()
}

function exportsText(folder: string): string {
  const manifest = JSON.parse(findText(`${folder}/package.json`) ?? '{}') as { exports: Record<string, string> }
  const entries = Object.entries(manifest.exports).filter(([, target]) => target.endsWith('.ts'))
  return entries
    .map(([entry, target]) => [entry, ...listExports(`${folder}/${target}`).map((name) => `  ${name}`)].join('\n') + '\n')
    .join('\n')
}

/** From a process of its own: the loader that runs this program takes longer to read the compiler than the compiler to run. */
const kernelsModuleText = () =>
  execFileSync(process.execPath, [fileURLToPath(new URL('apps/training/kernels/compile.mjs', root))], { encoding: 'utf8' })

/** The module of the routes of a contract, an operation on each line. */
function routesModule(name: 'tracing' | 'training', routes: Routes<Record<string, Resource>>): string {
  const lines = Object.entries(routes).flatMap(([resource, operations]) => [
    `  ${resource}: {`,
    ...Object.entries(operations).map(([operation, route]) => `    ${operation}: ${JSON.stringify(route)},`),
    '  },',
  ])
  return `// Made from the contract by "npm run gen".
import type { ${name} } from '../${name}/index.ts'
import type { Routes } from './route.ts'

/** The routes of \`${name}\`, for a client that loads no schemas. */
export const ${name}Routes: Routes<typeof ${name}> = {
${lines.join('\n')}
}
`
}

/** A file with the text between two marks replaced: `<!-- name -->` and `<!-- end of name -->`. */
function replaceBetween(path: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = (findText(path) ?? '').split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${path} has no ${begin} … ${end}`)
  return `${before}${begin}\n\n${text}\n\n${end}${after}`
}

/** The module that tells a package its version, without reading its package.json at run time. */
function versionModule(folder: string): string {
  const { version } = JSON.parse(findText(`${folder}/package.json`) ?? '{}') as { version: string }
  return `// Made from package.json by "npm run gen".
/** The version of this package, as servers and clients see it. */
export const version = '${version}'
`
}

const chart = 'apps/heddle/deploy/helm/heddle'

/** The chart, with the version of the server that it installs. */
function chartText(): string {
  const { version } = JSON.parse(findText('apps/heddle/package.json') ?? '{}') as { version: string }
  return (findText(`${chart}/Chart.yaml`) ?? '').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`)
}

/** The schema of the chart's values, with the settings that the server has. */
function chartSchemaText(): string {
  const schema = JSON.parse(findText(`${chart}/values.schema.json`) ?? '{}') as {
    properties: Record<'settings' | 'settingsFromSecrets', { propertyNames: object }>
  }
  const { plain, fromSecrets } = chartSettings()
  schema.properties.settings.propertyNames = { enum: plain }
  schema.properties.settingsFromSecrets.propertyNames = { enum: fromSecrets }
  return `${JSON.stringify(schema, null, 2)}\n`
}

const tracingDocument = toOpenApi({
  title: 'Heddle tracing and evaluation',
  version: '1',
  description: 'Tracing and evaluation for LLM applications.',
  resources: tracing,
})

const trainingDocument = toOpenApi({
  title: 'Heddle training',
  version: '1',
  description: 'Models that learn from trajectories and conversations.',
  resources: training,
  errors: 'detail',
})

const mcpFacts = JSON.parse(findText('packages/mcp-server/package.json') ?? '{}') as PackageFacts

/** Every generated file with its text. */
const generated: Record<string, string> = {
  'packages/core-api/openapi/tracing.json': `${JSON.stringify(tracingDocument, null, 2)}\n`,
  'packages/core-api/openapi/training.json': `${JSON.stringify(trainingDocument, null, 2)}\n`,
  'packages/core-api/src/routes/tracing-routes.ts': routesModule('tracing', toRoutes(tracing)),
  'packages/core-api/src/routes/training-routes.ts': routesModule('training', toRoutes(training)),
  'packages/agent-instrumentation/api/exports.txt': exportsText('packages/agent-instrumentation'),
  'packages/core-api/api/exports.txt': exportsText('packages/core-api'),
  'packages/mcp-server/api/exports.txt': exportsText('packages/mcp-server'),
  'packages/mcp-server/api/listing-tokens.json': `${JSON.stringify(listingTokens(), null, 2)}\n`,
  'packages/mcp-server/server.json': `${JSON.stringify(toServerJson(mcpFacts), null, 2)}\n`,
  'packages/mcp-server/mcpb/manifest.json': `${JSON.stringify(toBundleManifest(mcpFacts), null, 2)}\n`,
  'packages/mcp-server/src/version.ts': versionModule('packages/mcp-server'),
  'packages/otel-exporter/api/exports.txt': exportsText('packages/otel-exporter'),
  'packages/otel-exporter/src/version.ts': versionModule('packages/otel-exporter'),
  'apps/heddle/README.md': replaceBetween('apps/heddle/README.md', 'settings', settingsTable()),
  [`${chart}/Chart.yaml`]: chartText(),
  [`${chart}/values.schema.json`]: chartSchemaText(),
  'docs/metrics.md': replaceBetween('docs/metrics.md', 'metrics', metricsTable()),
  'apps/training/src/engine/embedded/kernels/kernels-wasm.ts': kernelsModuleText(),
}

const stale = Object.entries(generated).filter(([path, text]) => findText(path) !== text)

if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} does not match its source; run "npm run gen" and commit the result`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [path, text] of stale) {
    const file = fileURLToPath(new URL(path, root))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${path}`)
  }
}
