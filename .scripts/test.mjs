import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findChecks } from './checks.mjs'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { fail } from './terminal/fail.mjs'
import { install } from './install.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'
import { seconds } from './terminal/show-progress.mjs'
import { countTests } from './test-counts.mjs'

const report = join(projectRoot, 'node_modules', '.vitest', 'report.json')
const vitest = [
  'vitest',
  'run',
  '--config',
  '.config/vitest.config.ts',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]

const args = process.argv.slice(2)
const paths = args.filter((arg) => !arg.startsWith('-'))
const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--long')
if (unknown !== undefined)
  fail(`npm test does not know "${unknown}". It takes paths of tests, and --long for the full counts of random trials.`)
const long = args.includes('--long') || paths.some((path) => path.endsWith('.long.test.ts'))
const testLimitMs = (long ? 240 : 45) * 60_000
const rehearsalLimitMs = 60 * 60_000

endWithNpm()
await install()
// With paths, only the tests there run: the quick way while writing.
const [first, ...others] = paths.length > 0 ? [] : findChecks()
const failed = await runInTurn(first ? [first] : [])
// The others run beside the tests, which wait for processes and timers for part of their time. The build leaves no processor free.
const othersDone = runInTurn(others)
const { line, failures } = await runTests()
failed.push(...(await othersDone), ...failures)
if (long && paths.length === 0) failed.push(...(await rehearseRelease()))
if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`)
process.stdout.write(`${line}\n`)
process.exit(failed.length > 0 ? 1 : 0)

/** Runs checks one after the other, also after one has failed. Resolves to the titles of those that failed. @param {import('./checks.mjs').Check[]} checks */
async function runInTurn(checks) {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const titles = /** @type {string[]} */ ([])
  for (const { title, script, timeoutMs } of checks) {
    const startedAt = performance.now()
    const { code, output, interrupted } = await runCommand(scripts[script], { timeoutMs })
    if (interrupted) process.exit(130)
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${title.padEnd(20)} ${seconds(performance.now() - startedAt)}\n`)
    if (code === 0) continue
    titles.push(title)
    process.stdout.write(`\n${output}\n\nAlone: npm run ${script}\n\n`)
  }
  return titles
}

/** After the tests, since it builds what they read. */
async function rehearseRelease() {
  const { code, interrupted } = await runCommand(['npm', 'run', 'release:rehearse'], { timeoutMs: rehearsalLimitMs, show: true })
  if (interrupted) process.exit(130)
  return code === 0 ? [] : ['release rehearsal']
}

/** Runs the tests with their output on the terminal, and counts them. With CI=true a skipped test is a failure, and is named. */
async function runTests() {
  rmSync(report, { force: true })
  const env = { ...(long && { HEDDLE_TEST_LONG: '1' }), ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) }
  const { code, interrupted } = await runCommand([...vitest, ...paths], { timeoutMs: testLimitMs, show: true, env })
  if (interrupted) process.exit(130)
  const counts = countTests(report)
  const refused = process.env['CI'] === 'true' ? counts.skipped : []
  for (const name of refused) process.stdout.write(`skipped, which CI does not allow: ${name}\n`)
  return {
    line: counts.line,
    failures: [...(code === 0 && counts.hasPassed ? [] : ['tests']), ...(refused.length === 0 ? [] : ['skipped tests'])],
  }
}
