import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Violation {
  rule: { name: string }
  from: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const config = join(root, '.config', 'dependency-cruiser.cjs')

/** Rule, importing file, imported file: each import is one that the rule must refuse. */
const refused: [rule: string, from: string, to: string][] = [
  ['no-cycles', 'packages/datastore/src/round-a.ts', './round-b.ts'],
  ['core-api-stands-alone', 'packages/core-api/src/sibling.ts', '../../datastore/src/target.ts'],
  ['core-api-runs-anywhere', 'packages/core-api/src/builtin.ts', 'node:fs'],
  ['core-api-runs-anywhere', 'packages/core-api/src/library.ts', 'kysely'],
  ['attributes-load-no-zod', 'packages/core-api/src/attributes.ts', './uses-zod.ts'],
  ['exporter-stands-light', 'packages/otel-exporter/src/heavy.ts', 'kysely'],
  ['exporter-on-the-edge', 'packages/otel-exporter/src/fetch.ts', './uses-node.ts'],
  ['assistants-see-the-contract', 'packages/mcp-server/src/sideward.ts', '../../datastore/src/target.ts'],
  ['agents-see-the-contract', 'packages/agent-instrumentation/src/sideward.ts', '../../datastore/src/target.ts'],
  ['from-traces-runs-anywhere', 'packages/agent-instrumentation/src/from-traces/reads.ts', 'node:crypto'],
  ['pages-see-the-contract', 'apps/web/src/shortcut.ts', '../../../packages/datastore/src/target.ts'],
  ['lib-imports-nothing-above', 'apps/web/src/lib/upward.ts', '../ui/target.ts'],
  ['lib-imports-nothing-above', 'apps/web/src/jsx/upward.ts', '../features/calls/target.ts'],
  ['ui-knows-no-subject', 'apps/web/src/ui/table/upward.ts', '../../features/calls/target.ts'],
  ['ui-knows-no-subject', 'apps/web/src/ui/sideward.ts', '../plot/target.ts'],
  ['plot-knows-no-subject', 'apps/web/src/plot/upward.ts', '../features/calls/target.ts'],
  ['features-know-no-page', 'apps/web/src/features/calls/upward.ts', '../../pages/calls/target.ts'],
  ['no-page-imports-another', 'apps/web/src/pages/costs/sideward.ts', '../calls/target.ts'],
  ['app-is-the-top', 'apps/web/src/pages/calls/upward.ts', '../../app/target.ts'],
  ['app-is-the-top', 'apps/web/src/ui/upward.ts', '../app/target.ts'],
  ['packages-below-apps', 'packages/datastore/src/upward.ts', '../../../apps/tracing/src/target.ts'],
  ['apps-beside-apps', 'apps/tracing/src/sideward.ts', '../../training/src/target.ts'],
  ['server-on-top-of-its-parts', 'apps/heddle/src/stores/upward.ts', '../server/target.ts'],
  ['documentation-shares-the-theme', 'apps/docs/src/sideward.ts', '../../training/src/target.ts'],
  ['services-below-clients', 'apps/training/src/upward.ts', '../../../packages/agent-instrumentation/src/target.ts'],
  ['drawing-of-packages', 'packages/service-kit/src/sideward.ts', '../../identity/src/target.ts'],
  ['json-knows-no-service', 'packages/json/src/upward.ts', '../../service-kit/src/target.ts'],
  ['exact-json-runs-anywhere', 'packages/json/src/exact.ts', 'node:fs'],
  ['evaluations-run-anywhere', 'packages/evaluations/src/builtin.ts', 'node:fs'],
  ['trace-model-runs-anywhere', 'packages/trace-model/src/builtin.ts', 'node:fs'],
  ['text-files-run-anywhere', 'packages/text-files/src/builtin.ts', 'node:fs'],
  ['testing-stands-alone', 'packages/testing/src/upward.ts', '../../datastore/src/target.ts'],
  ['identity-below-services', 'packages/identity/src/sideward.ts', '../../service-kit/src/target.ts'],
  ['jobs-below-services', 'packages/jobs/src/upward.ts', '../../service-kit/src/target.ts'],
  ['outgoing-stands-alone', 'packages/outgoing/src/heavy.ts', 'kysely'],
  ['one-way-out', 'apps/tracing/src/records/costs/ask.ts', 'node:https'],
  ['no-handlers-of-others', 'apps/tracing/src/records/calls/calls-handlers.ts', '../costs/costs-handlers.ts'],
  ['no-handlers-of-others', 'apps/tracing/src/records/costs/costs-handlers.ts', '../calls/read/calls-read-handlers.ts'],
  ['no-handlers-of-others', 'apps/tracing/src/views/threads/threads-handlers.ts', '../../records/costs/costs-handlers.ts'],
  ['no-handlers-of-others', 'apps/training/src/resources/trajectories/trajectories-handlers.ts', '../models/models-handlers.ts'],
  ['rules-below-handlers', 'apps/tracing/src/records/costs/cost-row.ts', './costs-handlers.ts'],
  ['only-the-app-picks-adapters', 'apps/tracing/src/records/costs/pick-price.ts', './costs-store.sql.ts'],
  ['only-the-app-picks-adapters', 'apps/tracing/src/records/costs/calls.ts', './costs-store.sql.ts'],
  ['wired-by-the-app', 'apps/tracing/src/records/costs/wires.ts', '../calls/calls.ts'],
  ['records-below-domain', 'apps/tracing/src/records/calls/call-threads.ts', '../../views/threads/threads-store.ts'],
  ['records-below-domain', 'apps/tracing/src/records/calls/write/ended-runs.ts', '../../../domain/scoring/score.ts'],
  ['domain-below-views', 'apps/tracing/src/domain/scoring/upward.ts', '../../views/threads/threads-store.ts'],
  ['training-below-resources', 'apps/training/src/body-threads/upward.ts', '../resources/models/models-store.ts'],
  ['training-below-resources', 'apps/training/src/engine/embedded/upward.ts', '../../jobs/attempt.ts'],
  ['tokens-below-engine', 'apps/training/src/constrained/upward.ts', '../engine/engine.ts'],
  ['resources-below-jobs', 'apps/training/src/resources/models/upward.ts', '../../jobs/attempt.ts'],
  ['resources-below-jobs', 'apps/training/src/resources/models/sideward.ts', '../../compatibility/runs/document.ts'],
  ['pretraining-is-a-tool', 'apps/training/src/training/upward.ts', '../../pretraining/plans.ts'],
  ['only-stores-see-the-database', 'apps/tracing/src/records/costs/shortcut.ts', 'kysely'],
  ['shared-parts-know-no-resource', 'apps/tracing/src/query/field.ts', '../records/costs/costs-store.ts'],
  ['shared-parts-know-no-resource', 'apps/tracing/src/deletions/upward.ts', '../domain/scoring/score.ts'],
  ['shared-parts-know-no-resource', 'apps/tracing/src/events/upward.ts', '../views/threads/threads-store.ts'],
  ['queries-and-spans-on-payloads', 'apps/tracing/src/payload/upward.ts', '../query/compile.ts'],
  ['queries-and-spans-on-payloads', 'apps/tracing/src/otlp/sideward.ts', '../query/compile.ts'],
  ['no-deep-imports', 'apps/tracing/src/deep.ts', '../../../packages/datastore/src/target.ts'],
  ['no-test-code-in-products', 'apps/tracing/src/product.ts', './testing/builders.ts'],
  ['no-test-code-in-products', 'packages/datastore/src/product.ts', '@heddle/testing'],
  ['declared-dependencies', 'apps/tracing/src/undeclared.ts', 'undeclared'],
  ['resolvable', 'apps/tracing/src/lost.ts', './nowhere.ts'],
]

/** Imports that look like the refused ones and must pass. */
const allowed: [from: string, to: string][] = [
  ['apps/tracing/src/records/calls/calls-handlers.ts', '../costs/costs-store.ts'],
  ['apps/tracing/src/records/calls/calls-store.sql.ts', 'kysely'],
  ['apps/tracing/src/query/compile.ts', 'kysely'],
  ['apps/tracing/src/create-resources.ts', './records/calls/calls-store.sql.ts'],
  ['apps/tracing/src/create-resources.ts', './records/calls/calls-handlers.ts'],
  ['apps/tracing/src/create-records.ts', './records/calls/calls.ts'],
  ['apps/tracing/src/create-views.ts', './records/calls/calls.ts'],
  ['apps/tracing/src/records/calls/calls.ts', './calls-store.sql.ts'],
  ['apps/tracing/src/records/calls/calls.ts', './calls-handlers.ts'],
  ['apps/tracing/src/views/threads/threads-store.sql.ts', '../../records/calls/calls-store.ts'],
  ['apps/tracing/src/views/threads/threads-scores.ts', '../../domain/scoring/score.ts'],
  ['apps/tracing/src/domain/scoring/scoring.ts', '../../records/calls/calls-store.ts'],
  ['apps/tracing/src/query/reads-payload.ts', '../payload/target.ts'],
  ['apps/training/src/resources/models/models.ts', './models-store.sql.ts'],
  ['apps/training/src/jobs/prepare.ts', '../resources/models/models-store.ts'],
  ['apps/training/pretraining/pretrain.ts', '../src/target.ts'],
  ['packages/identity/src/identity-store.sql.ts', 'kysely'],
  ['packages/jobs/src/store/leases-store.sql.ts', 'kysely'],
  ['packages/jobs/src/store/job-row.ts', '@heddle/json'],
  ['packages/datastore/src/open.ts', 'kysely'],
  ['packages/service-kit/src/answer.ts', '@heddle/json'],
  ['packages/datastore/src/write-row.ts', '@heddle/json'],
  ['packages/datastore/src/write-row.test.ts', '@heddle/testing'],
  ['packages/core-api/src/uses-zod.ts', 'zod'],
  ['packages/otel-exporter/src/uses-node.ts', 'node:fs'],
  ['packages/outgoing/src/exchange.ts', 'node:https'],
  ['packages/otel-exporter/src/ask.ts', 'node:https'],
  ['packages/core-api/src/client.test.ts', 'node:fs'],
  ['packages/core-api/src/client.test.ts', 'vitest'],
  ['apps/web/src/ui/page.ts', '../lib/target.ts'],
  ['apps/web/src/plot/lines.ts', '../ui/target.ts'],
  ['apps/web/src/features/calls/row.ts', '../costs/target.ts'],
  ['apps/web/src/features/calls/row.ts', '../../plot/target.ts'],
  ['apps/web/src/pages/calls/page.ts', '../../features/calls/target.ts'],
  ['apps/web/src/pages/calls/page.ts', './target.ts'],
  ['apps/web/src/app/router.ts', '../pages/calls/target.ts'],
  ['apps/web/src/main.tsx', './app/target.ts'],
]

const targets = [
  ...[
    'packages/agent-instrumentation',
    'packages/datastore',
    'packages/identity',
    'packages/json',
    'packages/service-kit',
    'packages/testing',
    'apps/tracing',
    'apps/training',
  ].map((folder) => `${folder}/src/target.ts`),
  ...['app', 'features/calls', 'features/costs', 'lib', 'pages/calls', 'plot', 'ui'].map((part) => `apps/web/src/${part}/target.ts`),
  'apps/tracing/src/records/calls/calls-store.ts',
  'apps/tracing/src/records/calls/read/calls-read-handlers.ts',
  'apps/tracing/src/views/threads/threads-store.ts',
  'apps/tracing/src/records/costs/costs-handlers.ts',
  'apps/tracing/src/records/costs/costs-store.ts',
  'apps/tracing/src/records/costs/costs-store.sql.ts',
  'apps/tracing/src/domain/scoring/score.ts',
  'apps/tracing/src/payload/target.ts',
  'apps/heddle/src/server/target.ts',
  'apps/training/pretraining/plans.ts',
  'apps/training/src/compatibility/runs/document.ts',
  'apps/training/src/engine/engine.ts',
  'apps/training/src/jobs/attempt.ts',
  'apps/training/src/resources/models/models-store.ts',
  'apps/training/src/resources/models/models-store.sql.ts',
  'apps/training/src/resources/models/models-handlers.ts',
  'apps/tracing/src/testing/builders.ts',
]

let folder = ''
let violations: Violation[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-import-rules-'))
  writeTree(folder)
  violations = await cruise(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(refused)('%s refuses %s → %s', (rule, from) => {
  expect(violations).toContainEqual(expect.objectContaining({ rule: expect.objectContaining({ name: rule }), from }))
})

test('what the drawing allows passes', () => {
  const importers = new Set(refused.map(([, from]) => from))
  const clean = new Set(allowed.map(([from]) => from).filter((from) => !importers.has(from)))
  expect(violations.filter(({ from }) => clean.has(from))).toEqual([])
})

test('every rule is tried here', () => {
  const { forbidden } = createRequire(import.meta.url)(config) as { forbidden: { name: string }[] }
  expect(new Set(refused.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)))
})

function writeTree(base: string): void {
  const imports = new Map<string, string[]>(targets.map((file) => [file, []]))
  imports.set('packages/datastore/src/round-b.ts', ['./round-a.ts'])
  for (const [from, to] of [...refused.map(([, from, to]) => [from, to] as const), ...allowed]) {
    imports.set(from, [...(imports.get(from) ?? []), to])
  }
  for (const [file, paths] of imports) write(base, file, paths.map((path) => `import '${path}'\n`).join('') || 'export {}\n')
  for (const name of ['zod', 'kysely', 'vitest', 'undeclared']) {
    write(base, `node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    write(base, `node_modules/${name}/index.js`, '')
  }
  for (const part of [
    'packages/core-api',
    'packages/agent-instrumentation',
    'packages/datastore',
    'packages/identity',
    'packages/jobs',
    'packages/json',
    'packages/otel-exporter',
    'packages/service-kit',
    'packages/testing',
    'apps/tracing',
    'apps/training',
  ]) {
    const dependencies = { zod: '*', kysely: '*', '@heddle/json': '*', '@heddle/testing': '*' }
    write(base, `${part}/package.json`, JSON.stringify({ name: part, version: '1.0.0', exports: './src/target.ts', dependencies }))
  }
  // Found as packages of the workspace are: through links.
  mkdirSync(join(base, 'node_modules/@heddle'))
  for (const name of ['json', 'testing']) symlinkSync(join(base, 'packages', name), join(base, 'node_modules/@heddle', name))
}

function write(base: string, file: string, text: string): void {
  mkdirSync(dirname(join(base, file)), { recursive: true })
  writeFileSync(join(base, file), text)
}

/** dependency-cruiser exits with the number of violations, so its answer comes with an error. */
async function cruise(cwd: string): Promise<Violation[]> {
  const program = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  const args = [program, '--config', config, '--output-type', 'json', 'packages', 'apps']
  const run = promisify(execFile)(process.execPath, args, { cwd, timeout: 80_000, maxBuffer: 16 * 1024 * 1024 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}
