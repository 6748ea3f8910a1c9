import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const app = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(app, 'node_modules', '.test-build')

/** Builds what tests start as processes of their own: the command with its children, and the server that trials kill. A global setup of vitest. */
export async function setup(project: TestProject): Promise<void> {
  const server = '../tracing/src/contract-tests/testing/server-process.ts'
  await promisify(execFile)(process.execPath, ['build.mjs', folder, `server-process=${server}`], { cwd: app })
  project.provide('builtChildren', pathToFileURL(`${folder}/`).href)
}
