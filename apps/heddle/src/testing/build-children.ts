import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const app = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(app, 'node_modules', '.test-build')

/** Builds what tests start as processes of their own: the command with its children, the server and the worker that trials kill, the program for assistants, and what ends the command at a point. A global setup of vitest. */
export async function setup(project: TestProject): Promise<void> {
  const server = '../tracing/src/contract-tests/testing/server-process.ts'
  const endAtPoint = 'src/testing/kill-points/end-at-point.ts'
  const worker = '../../packages/jobs/src/testing/worker-process.ts'
  const assistants = '../../packages/mcp-server/src/bin.ts'
  const entries = [`server-process=${server}`, `end-at-point=${endAtPoint}`, `worker-process=${worker}`, `heddle-mcp=${assistants}`]
  await promisify(execFile)(process.execPath, ['build.mjs', folder, ...entries], { cwd: app })
  project.provide('builtChildren', pathToFileURL(`${folder}/`).href)
}
