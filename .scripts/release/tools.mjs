import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from './execute.mjs'
import { projectRoot } from '../project-root.mjs'

const toolsFolder = join(projectRoot, 'node_modules', '.release-tools')
const installLimitMs = 10 * 60_000

/**
 * Installs a package that only releases need, once per checkout.
 * @param {string} name
 * @param {string} version or a range
 * @param {Record<string, string>} [overrides] versions of its dependencies, if the requested ones are not available
 * @returns {Promise<string>} the folder of the installed package
 * @throws {Error} with the output of npm if the registry does not have it
 */
export async function releaseTool(name, version, overrides = {}) {
  const folder = join(toolsFolder, `${name.replace('/', '+')}@${version}`)
  const installed = join(folder, 'node_modules', name)
  if (existsSync(join(installed, 'package.json'))) return installed
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
  const command = ['npm', 'install', '--prefix', folder, '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await execute([...command, `${name}@${version}`], { cwd: folder, timeoutMs: installLimitMs })
  return installed
}
