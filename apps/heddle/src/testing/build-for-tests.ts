import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const app = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(app, 'node_modules', '.test-build')

/** Global setups of one run are in one process, but each project of vitest loads their modules again. */
const ofProcess = globalThis as { heddleBuiltForTests?: Promise<string> }

/**
 * The pages are those that users get, which the checks have built already. Only with all cases of the browser tests they have React as it is in development,
 * where it reports wrong use to the console; the gallery of the parts of pages always has it so.
 */
const env = { ...process.env, NODE_ENV: process.env['HEDDLE_TEST_BROWSER'] === 'all' ? 'test' : 'production' }

/**
 * Builds the command with its children, the server and the worker that trials kill, the program for assistants, what ends the command at
 * a point, and what measures its event loop, once in a run. Resolves to the URL of their folder.
 */
export function buildForTests(): Promise<string> {
  return (ofProcess.heddleBuiltForTests ??= buildAll())
}

async function buildAll(): Promise<string> {
  const server = '../tracing/src/contract-tests/testing/server-process.ts'
  const endAtPoint = 'src/testing/kill-points/end-at-point.ts'
  const worker = '../../packages/jobs/src/testing/worker-process.ts'
  const assistants = '../../packages/mcp-server/src/bin.ts'
  const beat = 'src/testing/loop-delay/loop-beat.ts'
  const entries = [
    `loop-beat=${beat}`,
    `server-process=${server}`,
    `end-at-point=${endAtPoint}`,
    `worker-process=${worker}`,
    `heddle-mcp=${assistants}`,
  ]
  await promisify(execFile)(process.execPath, ['build.mjs', folder, ...entries], { cwd: app, env })
  return pathToFileURL(`${folder}/`).href
}
