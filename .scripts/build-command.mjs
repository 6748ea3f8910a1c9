import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from './hash-of.mjs'
import { fail } from './terminal/fail.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'
import { showProgress } from './terminal/show-progress.mjs'

const stampFile = join(projectRoot, 'node_modules', '.heddle-built')
const dist = join(projectRoot, 'apps', 'heddle', 'dist')
const buildLimitMs = 15 * 60_000
const sources = ['packages', 'apps', 'docs', 'pnpm-lock.yaml'].map((name) => join(projectRoot, name))

/** Path of the built command. */
export const builtCommand = join(dist, 'main.js')

/** Builds the command when a source or the result of the last build has changed since. Ends the process with the output of a failed build. */
export async function buildCommand() {
  const sourcesHash = hashOf(sources)
  const stamp = () => `${sourcesHash} ${hashOf([dist])}`
  if (existsSync(builtCommand) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()) return
  const build = ['pnpm', '--filter', 'heddle', 'run', 'build']
  // Whatever the terminal has for programs of its own.
  const env = { NODE_ENV: 'production' }
  const result = await showProgress('Building', () => runCommand(build, { timeoutMs: buildLimitMs, env }))
  if (result.interrupted) process.exit(130)
  if (result.code !== 0) fail(`${result.output}\n\nThe build of apps/heddle failed (exit code ${result.code}).`)
  writeFileSync(stampFile, stamp())
}
