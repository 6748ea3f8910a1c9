import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { fail } from '../terminal/fail.mjs'
import { projectRoot } from '../project-root.mjs'
import { runCommand } from '../terminal/run-command.mjs'
import { showProgress } from '../terminal/show-progress.mjs'

const environments = join(projectRoot, '.python')
const installLimitMs = 20 * 60_000
/** Unlike pip it replaces requirements of packages. */
const uv = 'uv==0.13.9'
const names = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python']

/**
 * The first Python that is at least this new: on PATH, or else among the versions that pyenv has installed. Undefined when there is none.
 * @param {string} atLeast as `3.12`
 */
export function findPython(atLeast) {
  for (const name of [...names, ...pyenvPrograms()]) {
    const version = versionOf(name)
    if (isAtLeast(version, atLeast)) return { name, version }
  }
  return undefined
}

/**
 * The oldest Python that a requirements file is for, from its comment `# python >= 3.12`; `3.10` without one.
 * @param {string} requirements path of the requirements file
 */
export function pythonNeededBy(requirements) {
  return /^# python >= (\d+\.\d+)$/m.exec(readFileSync(requirements, 'utf8'))?.[1] ?? '3.10'
}

/** @param {string} version @param {string} atLeast */
function isAtLeast(version, atLeast) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = atLeast.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/** Only the version that is switched on is on PATH. */
function pyenvPrograms() {
  const versions = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions')
  if (!existsSync(versions)) return []
  return readdirSync(versions).map((version) => join(versions, version, 'bin', 'python'))
}

/**
 * Makes the virtual environment of a requirements file in `.python/<its name>`, again when the requirements or the Python have changed.
 * A file of the same name that ends in `.overrides` has requirements that replace those of its packages, which uv installs. Ends the process when it cannot be made.
 * @param {{ name: string, version: string }} python
 * @param {string} requirements path of the requirements file
 * @returns {Promise<string>} path of the Python in it
 */
export async function pythonEnvironment(python, requirements) {
  const folder = join(environments, environmentName(requirements))
  const stampFile = join(folder, '.installed')
  const inside = join(folder, 'bin', 'python')
  const overrides = requirements.replace(/\.txt$/, '.overrides')
  const hasOverrides = existsSync(overrides)
  const stamp = createHash('sha256')
    .update(python.version)
    .update(readFileSync(requirements))
    .update(hasOverrides ? readFileSync(overrides) : '')
    .digest('hex')
  if (existsSync(inside) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return inside
  rmSync(folder, { recursive: true, force: true })
  await step(`Making the environment ${environmentName(requirements)} of Python ${python.version}`, [python.name, '-m', 'venv', folder])
  const pip = [inside, '-m', 'pip', 'install', '--disable-pip-version-check', '--quiet']
  if (hasOverrides) await step('Installing uv', [...pip, uv])
  const uvInstall = [join(folder, 'bin', 'uv'), 'pip', 'install', '--quiet', '--python', inside, '--override', overrides]
  await step('Installing the Python packages', [...(hasOverrides ? uvInstall : pip), '-r', requirements])
  writeFileSync(stampFile, stamp)
  return inside
}

/** `tracing-newest` for `apps/tracing/python/requirements/newest.txt`. @param {string} requirements */
export function environmentName(requirements) {
  return `${basename(join(requirements, '../../..'))}-${basename(requirements, '.txt')}`
}

/** @param {string} label @param {string[]} command */
async function step(label, command) {
  const result = await showProgress(label, () => runCommand(command, { timeoutMs: installLimitMs }))
  if (result.interrupted) process.exit(130)
  if (result.code !== 0) fail(`${result.output}\n\n${label}: it failed (exit code ${result.code}).`)
}

/** Version as `3.11.7`; empty when there is no such program, or one that only pretends. @param {string} name */
function versionOf(name) {
  try {
    const script = 'import platform; print(platform.python_version())'
    return execFileSync(name, ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 }).trim()
  } catch {
    return ''
  }
}
