import { existsSync } from 'node:fs'
import { fail } from '../terminal/fail.mjs'
import { findChromium } from './find-chromium.mjs'
import { runCommand } from '../terminal/run-command.mjs'
import { showProgress } from '../terminal/show-progress.mjs'

const installLimitMs = 10 * 60_000
const manager = '/usr/bin/apt-get'
const advice = 'Install Chromium, or set HEDDLE_TEST_CHROMIUM to the path of one, and run this again.'

/** Installs Debian's package of Chromium unless there is a Chromium. If that fails, ends the process with instructions. */
export async function installChromium() {
  if (findChromium() !== undefined) return
  if (!existsSync(manager)) fail(`The browser tests need Chromium: none was found on PATH, and this system has no apt-get. ${advice}`)
  const apt = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), manager]
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  const run = (/** @type {string[]} */ ...args) => runCommand([...apt, ...args], { timeoutMs: installLimitMs, env: environment })
  const result = await showProgress('Installing Chromium', async () => {
    const updated = await run('update', '--quiet')
    return updated.code === 0 ? run('install', '--yes', '--no-install-recommends', 'chromium') : updated
  })
  if (result.interrupted) process.exit(130)
  if (result.code !== 0) fail(`${result.output}\n\nThe browser tests need Chromium, and apt-get could not install it. ${advice}`)
  if (findChromium() === undefined) fail(`apt-get installed Chromium, but there is no "chromium" on PATH. ${advice}`)
}
