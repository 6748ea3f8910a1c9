import { spawn } from 'node:child_process'
import { signalGroup } from '../terminal/signal-group.mjs'

/** What a failed command printed is shown up to this many characters of its end. */
const shownOnFailure = 8000

/**
 * @typedef {object} Options
 * @property {string} cwd
 * @property {number} timeoutMs after which the command and what it started are killed
 * @property {NodeJS.ProcessEnv} [env] default: that of this process
 */

/**
 * Runs a program to its end.
 * @param {string[]} command
 * @param {Options} options
 * @returns {Promise<string>} what it wrote to standard output
 * @throws {Error} with the end of its output when it fails or takes longer than `timeoutMs`
 */
export function execute([program = '', ...args], { cwd, timeoutMs, env = process.env }) {
  // A process group of its own, so that nothing that the program started outlives it.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
  return new Promise((resolve, reject) => {
    const failure = (/** @type {string} */ how) =>
      new Error(`${[program, ...args].join(' ')} ${how}:\n${printed.slice(-shownOnFailure).trim()}`)
    const timer = setTimeout(() => {
      signalGroup(child, 'SIGKILL')
      reject(failure(`did not end within ${timeoutMs / 1000} s`))
    }, timeoutMs)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(failure(`ended with ${code ?? signal}`))
    })
  })
}
