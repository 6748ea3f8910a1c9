import { spawn } from 'node:child_process'
import { signalGroup } from '../terminal/signal-group.mjs'

/**
 * @typedef {object} Server
 * @property {string} printed what it had printed when it was ready
 * @property {() => Promise<void>} end asks it to end by SIGTERM, kills it after 30 s, and waits
 */

const endLimitMs = 30_000

/**
 * Starts a program that serves, and waits until it prints that it is ready.
 * @param {string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, ready: RegExp, timeoutMs: number }} options `ready` is matched against the whole output
 * @returns {Promise<Server>}
 * @throws {Error} with what it printed when it ends or is not ready in time
 */
export function startServer([program = '', ...args], { cwd, env, ready, timeoutMs }) {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const killWithUs = () => signalGroup(child, 'SIGKILL')
  process.once('exit', killWithUs)
  const end = async () => {
    signalGroup(child, 'SIGTERM')
    const timer = setTimeout(killWithUs, endLimitMs)
    await ended
    clearTimeout(timer)
    process.off('exit', killWithUs)
  }
  return new Promise((resolve, reject) => {
    let printed = ''
    const giveUp = async (/** @type {string} */ how) => {
      clearTimeout(timer)
      await end()
      reject(new Error(`${[program, ...args].join(' ')} ${how}:\n${printed}`))
    }
    const timer = setTimeout(() => void giveUp(`was not ready within ${timeoutMs / 1000} s`), timeoutMs)
    const read = (/** @type {string} */ text) => {
      if (ready.test(printed)) return
      printed += text
      if (!ready.test(printed)) return
      clearTimeout(timer)
      resolve({ printed, end })
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('error', reject)
    child.once('close', (code) => void giveUp(`ended with ${code} before it was ready`))
  })
}
