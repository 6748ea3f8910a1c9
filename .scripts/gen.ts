import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Resource, tracing, training } from '../packages/core-api/src/index.ts'
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

/** A sentence for each resource of the contract; one that is missing does not compile. */
const tracingTags = {
  annotationQueues: 'Queues of calls that people review',
  auditLog: 'Who changed or deleted what in a project',
  calls: 'Recorded runs of ops',
  completions: 'Chat completions by model providers',
  costs: 'Token prices of models',
  datasets: 'Named lists of rows to evaluate models on',
  evalResults: 'Rows of evaluations with their trials and scores, compared between runs',
  evaluationRuns: 'Executions of evaluations on models',
  evaluations: 'Definitions of evaluations, and their execution on the server',
  feedback: 'Reactions, notes, annotations and scores of calls and objects',
  files: 'Immutable byte strings, addressed by their content',
  images: 'Image generation by model providers',
  inference: 'Models that are served, and the hardware for them',
  models: 'Named, versioned models that evaluations run',
  monitors: 'Scorers that judge new calls on the server',
  objects: 'Named, versioned JSON values',
  ops: 'Named, versioned functions whose runs are calls',
  otel: 'Traces of OpenTelemetry exporters',
  predictions: 'Outputs of models, in evaluation runs or by themselves',
  projectKeys: 'API keys of a project',
  projects: 'Storage size and retention of projects',
  refs: 'Values by their references',
  registry: 'Versions that are published in collections of another project',
  scorers: 'Named, versioned judges of outputs',
  scores: 'Verdicts of scorers on predictions and calls',
  service: 'The service itself',
  sharedTraces: 'Public links to single traces',
  tables: 'Immutable lists of rows, addressed by their content',
  threads: 'Conversations across traces',
  webhooks: 'URLs to which events of a project are sent',
} satisfies Record<keyof typeof tracing, string>

const tracingDocument = toOpenApi({
  title: 'Heddle tracing and evaluation',
  version: '1',
  description: 'Tracing and evaluation for LLM applications.',
  resources: tracing,
  tags: tracingTags,
})

const trainingTags = {
  baseModels: 'Models to begin training from',
  chatCompletions: 'Sampling of base models and trained models',
  checkpoints: 'Saved weights of models',
  health: 'The training service itself',
  jobTrajectories: 'What jobs of reinforcement learning learned from',
  models: 'Models that are trained',
  recordedTrajectories: 'Trajectories that the server records from chat completions',
  trainingData: 'Conversations for supervised fine-tuning',
  trainingEvents: 'What happened to training jobs',
  trainingJobs: 'Requests to learn, from trajectories or from conversations',
  trajectories: 'Rollouts that were logged',
} satisfies Record<keyof typeof training, string>

const trainingDocument = toOpenApi({
  title: 'Heddle training',
  version: '1',
  description: 'Models that learn from trajectories and conversations.',
  resources: training,
  tags: trainingTags,
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
  'packages/otel-exporter/api/exports.txt': exportsText('packages/otel-exporter'),
  'apps/heddle/README.md': replaceBetween('apps/heddle/README.md', 'settings', settingsTable()),
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
