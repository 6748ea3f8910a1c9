import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildCommand } from './build-command.mjs'
import { fail } from './fail.mjs'
import { install } from './install.mjs'
import { projectRoot } from './project-root.mjs'
import { findPython, pythonEnvironment } from './python-environment.mjs'
import { runCommand } from './run-command.mjs'
import { startTestServer } from './start-test-server.mjs'

const tests = 'apps/tracing/python'
const requirements = join(projectRoot, tests, 'requirements.txt')
const testLimitMs = 60 * 60_000

if (!existsSync(requirements)) fail(`${tests}/requirements.txt is missing, so it is not known which Python clients to test.`)
const python = findPython()
if (python === undefined) {
  const message = 'skipped: the Python tests need Python 3.10 or newer, and none was found on PATH'
  if (process.env['CI'] === 'true') fail(message)
  process.stdout.write(`${message}\n`)
  process.exit(0)
}
await install()
const program = await pythonEnvironment(python, requirements)
await buildCommand()
process.exit(await runPytest(program))

/**
 * Runs the tests against a server of their own, which they find in HEDDLE_TEST_URL and HEDDLE_TEST_API_KEY. Shows what the server said when one fails.
 * @param {string} program path of Python
 */
async function runPytest(program) {
  const server = await startTestServer()
  try {
    const env = { HEDDLE_TEST_URL: server.url, HEDDLE_TEST_API_KEY: server.apiKey, PYTHONDONTWRITEBYTECODE: '1' }
    const command = [program, '-m', 'pytest', '-p', 'no:cacheprovider', ...process.argv.slice(2), tests]
    const { code, interrupted } = await runCommand(command, { timeoutMs: testLimitMs, show: true, env })
    if (code !== 0 && !interrupted) process.stdout.write(`\nThe server said:\n${server.output()}\n`)
    return interrupted ? 130 : code
  } finally {
    await server.stop()
  }
}
