import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildCommand } from './build-command.mjs'
import { endWithNpm } from './end-with-npm.mjs'
import { fail } from './fail.mjs'
import { install } from './install.mjs'
import { projectRoot } from './project-root.mjs'
import { environmentName, findPython, pythonEnvironment } from './python-environment.mjs'
import { runCommand } from './run-command.mjs'
import { startTestServer } from './start-test-server.mjs'

const tests = 'apps/tracing/python'
const requirementsFolder = join(projectRoot, tests, 'requirements')
const testLimitMs = 60 * 60_000
const scanLimitMs = 60_000
const interruptedCode = 130

const requirements = readdirSync(requirementsFolder).filter((name) => name.endsWith('.txt'))
if (requirements.length === 0) fail(`${tests}/requirements is empty, so it is not known which Python clients to test.`)
const python = findPython()
if (python === undefined) {
  const message = 'skipped: the Python tests need Python 3.10 or newer, and none was found on PATH'
  if (process.env['CI'] === 'true') fail(message)
  process.stdout.write(`${message}\n`)
  process.exit(0)
}
endWithNpm()
await install()
const programs = new Map()
for (const name of requirements) programs.set(environmentName(name), await pythonEnvironment(python, join(requirementsFolder, name)))
await buildCommand()
let worst = 0
for (const [name, program] of programs) {
  process.stdout.write(`\nPython client: ${name}\n`)
  const code = await runPytest(program)
  if (code === interruptedCode) process.exit(code)
  worst = Math.max(worst, code)
}
process.exit(worst)

/**
 * Runs the tests against a server of their own, which they find in HEDDLE_TEST_URL and HEDDLE_TEST_API_KEY.
 * Shows what the server said when one fails. No line of its log may hold a key.
 * @param {string} program path of Python
 */
async function runPytest(program) {
  const server = await startTestServer()
  try {
    const code = await runTests(program, server).finally(server.stop)
    const scan = await runCommand(['tsx', '.scripts/scan-log.ts', server.logFolder], { timeoutMs: scanLimitMs, show: true })
    return code === interruptedCode ? code : Math.max(code, scan.code)
  } finally {
    rmSync(server.logFolder, { recursive: true })
  }
}

/** @param {string} program @param {Awaited<ReturnType<typeof startTestServer>>} server */
async function runTests(program, server) {
  const env = { HEDDLE_TEST_URL: server.url, HEDDLE_TEST_API_KEY: server.apiKey, PYTHONDONTWRITEBYTECODE: '1' }
  const command = [program, '-m', 'pytest', '-p', 'no:cacheprovider', ...process.argv.slice(2), tests]
  const { code, interrupted } = await runCommand(command, { timeoutMs: testLimitMs, show: true, env })
  if (code !== 0 && !interrupted) process.stdout.write(`\nThe server said:\n${server.output()}\n`)
  return interrupted ? interruptedCode : code
}
