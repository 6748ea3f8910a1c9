import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChecks } from './checks.mjs'
import { fail } from './fail.mjs'
import { install } from './install.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'
import { seconds } from './show-progress.mjs'
import { countTests } from './test-counts.mjs'

const args = process.argv.slice(2)
const unknown = args.filter((arg) => arg !== '--long')
if (unknown.length > 0)
  fail(`npm test takes no "${unknown[0]}". One file: npm run unit -- <path>. Full counts of the random trials: npm run test:long`)
const long = args.includes('--long')
const testLimitMs = (long ? 240 : 25) * 60_000

await install()
const failed = [...(await runChecks()), ...(await runTests())]
if (failed.length > 0) process.stdout.write(`\nfailed: ${failed.join(', ')}\n`)
process.exit(failed.length > 0 ? 1 : 0)

/** Runs every check, also after one has failed. Returns the titles of those that failed. */
async function runChecks() {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const failures = []
  for (const { title, script, timeoutMs } of findChecks()) {
    const startedAt = performance.now()
    const { code, output, interrupted } = await runCommand(scripts[script], { timeoutMs })
    if (interrupted) process.exit(130)
    if (code !== 0) failures.push(title)
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${title.padEnd(20)} ${seconds(performance.now() - startedAt)}\n`)
    if (code !== 0) process.stdout.write(`\n${output}\n\nAlone: npm run ${script}\n\n`)
  }
  return failures
}

/** Runs the tests with their output on the terminal, then says the counts. Where a skipped test counts as a failure (CI=true), names it. */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'))
  const report = join(folder, 'report.json')
  const command = [
    'vitest',
    'run',
    '--config',
    '.config/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  try {
    const { code, interrupted } = await runCommand(command, {
      timeoutMs: testLimitMs,
      show: true,
      env: long ? { HEDDLE_TEST_LONG: '1' } : {},
    })
    if (interrupted) process.exit(130)
    const { line, skipped } = countTests(report)
    const refused = process.env['CI'] === 'true' ? skipped : []
    for (const name of refused) process.stdout.write(`skipped, which CI does not allow: ${name}\n`)
    process.stdout.write(`${line}\n`)
    return [...(code === 0 ? [] : ['tests']), ...(refused.length > 0 ? ['skipped tests'] : [])]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
