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
  ['packages-below-apps', 'packages/datastore/src/upward.ts', '../../../apps/tracing/src/target.ts'],
  ['apps-beside-apps', 'apps/tracing/src/sideward.ts', '../../training/src/target.ts'],
  ['services-below-clients', 'apps/training/src/upward.ts', '../../../packages/agent-instrumentation/src/target.ts'],
  ['drawing-of-packages', 'packages/service-kit/src/sideward.ts', '../../identity/src/target.ts'],
  ['json-knows-no-service', 'packages/json/src/upward.ts', '../../service-kit/src/target.ts'],
  ['evaluations-run-anywhere', 'packages/evaluations/src/builtin.ts', 'node:fs'],
  ['trace-model-runs-anywhere', 'packages/trace-model/src/builtin.ts', 'node:fs'],
  ['testing-stands-alone', 'packages/testing/src/upward.ts', '../../datastore/src/target.ts'],
  ['identity-below-services', 'packages/identity/src/sideward.ts', '../../service-kit/src/target.ts'],
  ['jobs-below-services', 'packages/jobs/src/upward.ts', '../../service-kit/src/target.ts'],
  ['outgoing-stands-alone', 'packages/outgoing/src/heavy.ts', 'kysely'],
  ['one-way-out', 'apps/tracing/src/resources/costs/ask.ts', 'node:https'],
  ['no-handlers-of-others', 'apps/tracing/src/resources/calls/calls-handlers.ts', '../costs/costs-handlers.ts'],
  ['no-handlers-of-others', 'apps/tracing/src/resources/costs/costs-handlers.ts', '../calls/read/calls-read-handlers.ts'],
  ['rules-below-handlers', 'apps/tracing/src/resources/costs/cost-row.ts', './costs-handlers.ts'],
  ['only-the-app-picks-adapters', 'apps/tracing/src/resources/costs/pick-price.ts', './costs-store.sql.ts'],
  ['only-the-app-picks-adapters', 'apps/tracing/src/resources/costs/calls.ts', './costs-store.sql.ts'],
  ['wired-by-the-app', 'apps/tracing/src/resources/costs/wires.ts', '../calls/calls.ts'],
  ['views-above-records', 'apps/tracing/src/resources/calls/call-threads.ts', '../threads/threads-store.ts'],
  ['only-stores-see-the-database', 'apps/tracing/src/resources/costs/shortcut.ts', 'kysely'],
  ['query-knows-no-resource', 'apps/tracing/src/query/field.ts', '../resources/costs/costs-store.ts'],
  ['no-deep-imports', 'apps/tracing/src/deep.ts', '../../../packages/datastore/src/target.ts'],
  ['no-test-code-in-products', 'apps/tracing/src/product.ts', './testing/builders.ts'],
  ['no-test-code-in-products', 'packages/datastore/src/product.ts', '@heddle/testing'],
  ['declared-dependencies', 'apps/tracing/src/undeclared.ts', 'undeclared'],
  ['resolvable', 'apps/tracing/src/lost.ts', './nowhere.ts'],
]

/** Imports that look like the refused ones and must pass. */
const allowed: [from: string, to: string][] = [
  ['apps/tracing/src/resources/calls/calls-handlers.ts', '../costs/costs-store.ts'],
  ['apps/tracing/src/resources/calls/calls-store.sql.ts', 'kysely'],
  ['apps/tracing/src/query/compile.ts', 'kysely'],
  ['apps/tracing/src/create-resources.ts', './resources/calls/calls-store.sql.ts'],
  ['apps/tracing/src/create-resources.ts', './resources/calls/calls-handlers.ts'],
  ['apps/tracing/src/create-resources.ts', './resources/calls/calls.ts'],
  ['apps/tracing/src/resources/calls/calls.ts', './calls-store.sql.ts'],
  ['apps/tracing/src/resources/calls/calls.ts', './calls-handlers.ts'],
  ['apps/tracing/src/resources/threads/threads-store.sql.ts', '../calls/calls-store.ts'],
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
  'apps/tracing/src/resources/calls/calls-store.ts',
  'apps/tracing/src/resources/calls/read/calls-read-handlers.ts',
  'apps/tracing/src/resources/threads/threads-store.ts',
  'apps/tracing/src/resources/costs/costs-handlers.ts',
  'apps/tracing/src/resources/costs/costs-store.ts',
  'apps/tracing/src/resources/costs/costs-store.sql.ts',
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
  const run = promisify(execFile)(process.execPath, args, { cwd, timeout: 25_000, maxBuffer: 16 * 1024 * 1024 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}
