import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { keepLastOutput } from './keep-last-output.mjs'
import { signalGroup } from './signal-group.mjs'
import { projectRoot } from '../project-root.mjs'

const killAfterMs = 5000
const endingSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * The environment of a tool: the project's own tools come first on PATH, since turbo and publint look for pnpm there, and no tool reports home.
 * @param {Record<string, string>} [extra]
 */
export function toolEnvironment(extra = {}) {
  return {
    ...process.env,
    PATH: [join(projectRoot, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter),
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    npm_config_update_notifier: 'false',
    ...extra,
  }
}

/**
 * Runs a tool to its end and keeps what it said, the last 2 MB of it. A text is a line for the shell, an array a program with its arguments.
 * `code` is 124 when the tool was ended because it took longer than `timeoutMs`, 127 when it could not be started. `interrupted` is set when
 * this process was asked to end meanwhile; the tool has ended then, too.
 * @param {string | string[]} command
 * @param {{ timeoutMs: number, env?: Record<string, string>, show?: boolean }} options `show` copies the output to the terminal as it comes, and why it ended early
 * @returns {Promise<{ code: number, output: string, interrupted: boolean }>}
 */
export function runCommand(command, { timeoutMs, env, show = false }) {
  const [program = '', ...args] = typeof command === 'string' ? [command] : command
  // A group of its own, so that what the tool started ends with it.
  const child = spawn(program, args, {
    cwd: projectRoot,
    env: toolEnvironment(env),
    shell: typeof command === 'string',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kept = keepLastOutput(child, show)
  return new Promise((resolve) => {
    const outcome = { code: 0, interrupted: false, note: '' }
    const end = () => endGroup(child)
    const timer = setTimeout(() => {
      Object.assign(outcome, { code: 124, note: `\nended: it did not finish within ${Math.round(timeoutMs / 1000)} s` })
      end()
    }, timeoutMs)
    const stopListening = onEndingSignal(() => {
      outcome.interrupted = true
      end()
    })
    const finish = (/** @type {number} */ code, note = outcome.note) => {
      clearTimeout(timer)
      stopListening()
      if (show && note !== '') process.stdout.write(`${note}\n`)
      resolve({ code: outcome.code || code, output: kept() + note, interrupted: outcome.interrupted })
    }
    child.on('error', (error) => finish(127, `cannot start ${program}: ${error.message}`))
    child.on('close', (code, signal) => finish(exitCode(code, signal)))
  })
}

/**
 * Runs a program in the terminal of this one: same input, same output, signals passed on.
 * @param {string[]} command
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>} its exit code
 */
export function runInTerminal([program = '', ...args], env) {
  const child = spawn(program, args, { cwd: projectRoot, env: toolEnvironment(env), stdio: 'inherit' })
  const stopListening = onEndingSignal((signal) => {
    // The terminal sends a key press to the child as well.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      stopListening()
      resolve(exitCode(code, signal))
    })
  })
}

/** @param {import('node:child_process').ChildProcess} child */
function endGroup(child) {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs)
  child.once('close', () => clearTimeout(timer))
}

/**
 * @param {(signal: NodeJS.Signals) => void} listener called instead of ending this process
 * @returns {() => void} takes the listener back
 */
function onEndingSignal(listener) {
  for (const signal of endingSignals) process.on(signal, listener)
  return () => {
    for (const signal of endingSignals) process.off(signal, listener)
  }
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
function exitCode(code, signal) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
