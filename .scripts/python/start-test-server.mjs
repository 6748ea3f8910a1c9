import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtCommand } from '../build-command.mjs'

/** @typedef {typeof import('../../packages/testing/src/server-process.ts')} ServerProcesses */

/**
 * Starts the built server with data and a key of its own, once packages are installed. Its log is left in a folder for the caller to remove.
 * @throws when it is not ready within a minute; the message has its output
 */
export async function startTestServer() {
  const { tsImport } = await import('tsx/esm/api')
  const { startServerProcess } = /** @type {ServerProcesses} */ (
    await tsImport('../../packages/testing/src/server-process.ts', import.meta.url)
  )
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-python-'))
  const logFolder = mkdtempSync(join(tmpdir(), 'heddle-python-log-'))
  const apiKey = `heddle${randomBytes(30).toString('hex')}`
  const environment = { HEDDLE_HOST: '127.0.0.1', HEDDLE_PORT: '0', HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: apiKey }
  const removeData = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startServerProcess({
      args: [builtCommand, 'serve', '--log-level', 'info'],
      env: { ...process.env, ...environment },
      logFile: join(logFolder, 'server.log'),
    })
    return { url: server.url, apiKey, output: server.output, logFolder, stop: () => server.stop().finally(removeData) }
  } catch (error) {
    removeData()
    rmSync(logFolder, { recursive: true, force: true })
    throw error
  }
}
