import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from './terminal/fail.mjs'
import { installPlatformPackages } from './platform-packages.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'
import { showProgress } from './terminal/show-progress.mjs'

const stampFile = join(projectRoot, 'node_modules', '.heddle-installed')
const installLimitMs = 15 * 60_000

/**
 * Brings the dependencies of the lock file, by the pinned pnpm, which comes through npm, and what the lock file lacks for this machine.
 * Does nothing when they are there.
 * Ends the process with a message that says what to do when Node is too old or the installation fails.
 */
export async function install() {
  const { engines, packageManager } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  refuseOldNode(engines.node)
  await installLocked(packageManager)
  await completeForThisMachine()
}

/** @param {string} packageManager name and version */
async function installLocked(packageManager) {
  const wanted = lockHash()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const command = [
    'npx',
    '--yes',
    packageManager,
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
    '--config.confirmModulesPurge=false',
  ]
  const result = await showProgress('Installing (the first time about a minute: an embedded database comes along)', () =>
    runCommand(command, { timeoutMs: installLimitMs }),
  )
  if (result.interrupted) process.exit(130)
  if (result.code !== 0) {
    fail(
      `${result.output}\n\nThe installation failed. Check that the npm registry can be reached and that 2 GB of disk are free, then run this again.`,
    )
  }
  writeFileSync(stampFile, wanted)
}

/** Brings the packages with machine code that the lock file lacks for this machine. One that is not available is noted: the code that needs it reports it. */
async function completeForThisMachine() {
  const failed = await installPlatformPackages()
  for (const { wanted } of failed)
    process.stderr.write(`Not installed: ${wanted.name} ${wanted.version}, which the npm registry does not give.\n`)
}

/** @param {string} range of the form `>=20.19` */
function refuseOldNode(range) {
  const [major = 0, minor = 0] = range.replace('>=', '').split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  fail(
    `Node ${process.versions.node} is too old: Heddle needs ${major}.${minor} or newer. Install one from https://nodejs.org and run this again.`,
  )
}

/** What an installation depends on: the versions, and which packages may run install scripts. */
function lockHash() {
  const hash = createHash('sha256')
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(projectRoot, file)))
  return hash.digest('hex')
}
