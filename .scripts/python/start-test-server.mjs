import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { builtCommand } from '../build-command.mjs'
import { keepLastOutput } from '../terminal/keep-last-output.mjs'

const readyLimitMs = 60_000
const stopLimitMs = 20_000
const askEveryMs = 200

/**
 * Starts the built server on a free port of this machine, with data and a key of its own. Its log is left in a folder for the caller to remove.
 * @throws when it does not answer within a minute; the message holds what it said.
 */
export async function startTestServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-python-'))
  const apiKey = `heddle${randomBytes(30).toString('hex')}`
  const port = await freePort()
  const environment = { HEDDLE_HOST: '127.0.0.1', HEDDLE_PORT: String(port), HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: apiKey }
  const child = spawn(process.execPath, [builtCommand, 'serve', '--log-level', 'info'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = keepLastOutput(child)
  const logFolder = mkdtempSync(join(tmpdir(), 'heddle-python-log-'))
  child.stderr.pipe(createWriteStream(join(logFolder, 'server.log')))
  const stop = async () => {
    await stopChild(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  if (await answers(`${url}/health`, child)) return { url, apiKey, output, logFolder, stop }
  await stop()
  throw new Error(`the server did not answer at ${url}/health within ${readyLimitMs / 1000} s; it said:\n${output()}`)
}

/** @param {string} url @param {import('node:child_process').ChildProcess} child */
async function answers(url, child) {
  const limit = performance.now() + readyLimitMs
  while (child.exitCode === null && child.signalCode === null && performance.now() < limit) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    if (response?.ok) return true
    await wait(askEveryMs)
  }
  return false
}

/** @param {import('node:child_process').ChildProcess} child */
async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await ended
  clearTimeout(timer)
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
