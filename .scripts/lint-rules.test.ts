import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Finding {
  code: string
  filename: string
}

const root = fileURLToPath(new URL('..', import.meta.url))

const refused: [rule: string, file: string, text: string][] = [
  ['import(no-default-export)', 'packages/a/src/default-export.ts', 'export default 1'],
  ['eslint(id-denylist)', 'packages/a/src/bloom-filter.ts', 'export interface KnownKeys {\n  size: number\n}'],
  ['eslint(id-denylist)', 'apps/tracing/src/query/stats.ts', 'export const figures: number[] = []'],
  ['import(no-cycle)', 'packages/a/src/round-a.ts', "import { b } from './round-b.ts'\nexport const a = () => b"],
  ['import(no-cycle)', 'packages/a/src/round-b.ts', "import { a } from './round-a.ts'\nexport const b = () => a"],
  ['typescript(no-explicit-any)', 'packages/a/src/any.ts', 'export const a: any = 1'],
  ['eslint(no-console)', 'packages/a/src/console.ts', "console.log('a')"],
  ['eslint(no-restricted-properties)', 'packages/a/src/environment.ts', "export const a = process.env['A']"],
  ['eslint(no-restricted-properties)', 'packages/otel-exporter/src/settings/settings.ts', "export const a = process.env['A']"],
  [
    'eslint(no-restricted-properties)',
    'packages/a/src/imported.ts',
    "import process from 'node:process'\nexport const a = process.env['A']",
  ],
  ['eslint(no-restricted-properties)', 'packages/a/src/taken-apart.ts', 'const { env } = process\nexport const a = env'],
  ['eslint(no-restricted-imports)', 'packages/a/src/process.ts', "import { env } from 'node:process'\nexport const a = env['A']"],
  [
    'eslint(no-restricted-imports)',
    'apps/tracing/src/records/calls/call-row.ts',
    "import { sql } from '@heddle/datastore'\nexport const a = sql`1`",
  ],
  [
    'eslint(no-restricted-imports)',
    'apps/tracing/src/records/costs/costs-store.sql.ts',
    "import type { Analytical } from '@heddle/datastore'\nexport const a = (b: Analytical) => b",
  ],
  ['eslint(no-restricted-imports)', 'apps/tracing/src/deep.ts', "import { a } from '@heddle/datastore/src/a.ts'\nexport const b = a"],
  ['unicorn(no-process-exit)', 'packages/a/src/exit.ts', 'export const a = () => process.exit(1)'],
  ['eslint(no-restricted-globals)', 'packages/a/src/ask.ts', "export const a = () => fetch('http://x')"],
  ['eslint(no-restricted-properties)', 'packages/a/src/ask-globally.ts', "export const a = () => globalThis.fetch('http://x')"],
  ['eslint(no-restricted-imports)', 'packages/a/src/ask-by-http.ts', "import { request } from 'node:http'\nexport const a = request"],
  ['eslint(no-restricted-imports)', 'packages/a/src/ask-by-https.ts', "import { get } from 'node:https'\nexport const a = get"],
  ['eslint(no-alert)', 'apps/web/src/ask.ts', "export const a = () => window.confirm('Sure?')"],
  ['react(jsx-key)', 'apps/web/src/ui/list.tsx', 'export const A = () => [1, 2].map((each) => <i>{each}</i>)'],
  ['react(forbid-elements)', 'apps/web/src/pages/a/page.tsx', 'export const A = () => <button type="button">A</button>'],
  ['react(forbid-elements)', 'apps/web/src/features/choose.tsx', 'export const A = () => <select />'],
  ['react(forbid-dom-props)', 'apps/web/src/pages/a/name.tsx', 'export const A = () => <span title="a">a</span>'],
  ['eslint(no-restricted-globals)', 'packages/a/src/pattern.ts', 'export const a = (text: string) => new RegExp(text)'],
]

const allowed: [file: string, text: string][] = [
  ['apps/web/src/ui/button.tsx', 'export const A = () => <button type="button">A</button>'],
  ['packages/core-api/src/client/ask.ts', "export const a = () => fetch('http://x')"],
  ['packages/outgoing/src/exchange.ts', "import { request } from 'node:https'\nexport const a = request"],
  ['packages/a/src/answer.ts', "import { createServer } from 'node:http'\nexport const a = createServer"],
  [
    'apps/tracing/src/records/calls/calls-store.sql.ts',
    "import { bind, sql } from '@heddle/datastore'\nexport const a = sql`${bind('String', 'a')}`",
  ],
  ['apps/tracing/src/query/compile.ts', "import { sql } from '@heddle/datastore'\nexport const a = sql`1`"],
  ['packages/a/src/engine-child.ts', "import process from 'node:process'\nprocess.exit(1)"],
  ['apps/heddle/src/main.ts', "console.log(process.env['A'])"],
  ['packages/otel-exporter/src/settings/environment.ts', "export const a = process.env['A']"],
  ['packages/agent-instrumentation/src/environment.ts', "export const a = process.env['A']"],
  ['packages/a/tsdown.config.ts', 'export default {}'],
  ['packages/a/src/a.test.ts', "export const a = (text: string) => new RegExp(text).test(process.env['A'] ?? '')"],
]

let folder = ''
let findings: Finding[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-lint-rules-'))
  for (const [file, text] of [...refused.map(([, file, text]) => [file, text] as const), ...allowed]) write(file, `${text}\n`)
  findings = await lint(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(refused)('%s is reported in %s', (rule, file) => {
  expect(findings.filter(({ filename }) => filename.endsWith(file)).map(({ code }) => code)).toContain(rule)
})

test.each(allowed)('nothing is reported in %s', (file) => {
  expect(findings.filter(({ filename }) => filename.endsWith(file))).toEqual([])
})

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** oxlint exits with 1 when it has findings, so its answer comes with an error. */
async function lint(cwd: string): Promise<Finding[]> {
  const program = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint')
  const args = [program, '--config', join(root, '.config', 'oxlint.json'), '--format', 'json', '.']
  const run = promisify(execFile)(process.execPath, args, { cwd, timeout: 80_000, maxBuffer: 16 * 1024 * 1024 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics
}
