import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildCommand, builtCommand } from './build-command.mjs'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { fail } from './terminal/fail.mjs'
import { install } from './install.mjs'
import { projectRoot } from './project-root.mjs'
import { environmentName, findPython, pythonEnvironment, pythonNeededBy } from './python/python-environment.mjs'
import { runCommand } from './terminal/run-command.mjs'
import { startTestServer } from './python/start-test-server.mjs'

/** Suites for a service each, with a client of its own in one or more versions, and suites that start servers of their own beside other programs. */
const clientSuites = [
  'apps/tracing/python',
  'apps/training/python',
  'apps/training/tinker',
  'apps/training/environments',
  'apps/docs/python',
]
const serverSuites = [
  'apps/training/ray',
  'apps/training/skyrl',
  'apps/training/vllm',
  'apps/training/exports',
  'apps/training/agents',
  'apps/training/cookbook',
]
/** Suites that compare parts of the product with other programs, without a server. */
const comparingSuites = ['apps/training/chat-templates']
/** Modules that suites have in common. */
const sharedModules = join(projectRoot, 'packages/testing/python')
const suites = [...clientSuites, ...serverSuites, ...comparingSuites]
const testLimitMs = 60 * 60_000
const scanLimitMs = 60_000
const interruptedCode = 130
/** The exit code of pytest when no test has the requested name. */
const nothingSelectedCode = 5

const { chosen, pytestArguments } = readArguments(process.argv.slice(2))
const environments = chosen.flatMap((suite) => requirementsOf(suite).map((requirements) => ({ suite, requirements })))
refuseSharedNames(environments.map(({ requirements }) => environmentName(requirements)))
const runnable = environments.flatMap(({ suite, requirements }) => {
  const needed = pythonNeededBy(requirements)
  const python = findPython(needed)
  if (python !== undefined) return [{ suite, requirements, python }]
  const message = `skipped: ${environmentName(requirements)} needs Python ${needed} or newer, and none was found`
  if (process.env['CI'] === 'true') fail(message)
  process.stdout.write(`${message}\n`)
  return []
})
if (runnable.length === 0) process.exit(0)
endWithNpm()
await install()
const programs = []
for (const { suite, requirements, python } of runnable)
  programs.push({ suite, requirements, program: await pythonEnvironment(python, requirements) })
await buildCommand()
let worst = 0
for (const { suite, requirements, program } of programs) {
  process.stdout.write(`\nPython: ${environmentName(requirements)}\n`)
  const code = clientSuites.includes(suite) ? await runPytest(program, suite) : await runServerSuite(program, suite)
  if (code === interruptedCode) process.exit(code)
  worst = Math.max(worst, code)
}
process.exit(worst)

/** Each file has an environment of its own. @param {string[]} names */
function refuseSharedNames(names) {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) fail(`two files of requirements share the environment ${twice}; rename one of them`)
}

/**
 * Folders of suites choose them; everything else goes to pytest.
 * @param {string[]} given
 */
function readArguments(given) {
  const folders = given.filter((argument) => suites.includes(argument))
  return { chosen: folders.length > 0 ? folders : suites, pytestArguments: given.filter((argument) => !suites.includes(argument)) }
}

/** @param {string} suite */
function requirementsOf(suite) {
  const folder = join(projectRoot, suite, 'requirements')
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  if (files.length === 0) fail(`${suite}/requirements is empty, so it is not known which Python clients to test.`)
  return files.map((name) => join(folder, name))
}

/**
 * Runs the tests against a server of their own, which they find in HEDDLE_TEST_URL and HEDDLE_TEST_API_KEY.
 * Shows what the server said when one fails. No line of its log may hold a key.
 * @param {string} program path of Python
 * @param {string} suite folder of the tests
 */
async function runPytest(program, suite) {
  const server = await startTestServer()
  try {
    const code = await runTests(program, suite, server).finally(server.stop)
    const scan = await runCommand(['tsx', '.scripts/scan-log.ts', server.logFolder], { timeoutMs: scanLimitMs, show: true })
    return code === interruptedCode ? code : Math.max(code, scan.code)
  } finally {
    rmSync(server.logFolder, { recursive: true })
  }
}

/**
 * Runs tests that start the built command, which they find in HEDDLE_TEST_COMMAND, or no server.
 * @param {string} program path of Python
 * @param {string} suite folder of the tests
 */
async function runServerSuite(program, suite) {
  const { code, interrupted } = await pytest(program, suite, { HEDDLE_TEST_COMMAND: builtCommand })
  if (code === nothingSelectedCode && pytestArguments.length > 0) return 0
  return interrupted ? interruptedCode : code
}

/** @param {string} program @param {string} suite @param {Record<string, string>} variables */
async function pytest(program, suite, variables) {
  const command = [program, '-m', 'pytest', '-p', 'no:cacheprovider', ...pytestArguments, suite]
  return runCommand(command, {
    timeoutMs: testLimitMs,
    show: true,
    env: { ...variables, PYTHONPATH: sharedModules, PYTHONDONTWRITEBYTECODE: '1' },
  })
}

/** @param {string} program @param {string} suite @param {Awaited<ReturnType<typeof startTestServer>>} server */
async function runTests(program, suite, server) {
  const { code, interrupted } = await pytest(program, suite, { HEDDLE_TEST_URL: server.url, HEDDLE_TEST_API_KEY: server.apiKey })
  if (code !== 0 && !interrupted) process.stdout.write(`\nThe server said:\n${server.output()}\n`)
  if (code === nothingSelectedCode && pytestArguments.length > 0) return 0
  return interrupted ? interruptedCode : code
}
