import { join } from 'node:path'
import { execute } from './execute.mjs'
import { releaseTool } from './tools.mjs'

/** Lines of Node that the published packages promise to run on. */
export const nodeMajors = /** @type {const} */ ([20, 22, 24])

/** @typedef {{ major: number, version: string, bin: string }} Node `bin` is the folder of its program */

/**
 * A Node of this line: the running one, or what the registry has for this machine.
 * @param {number} major
 * @returns {Promise<Node>}
 * @throws {Error} when the registry has none
 */
export async function findNode(major) {
  const own = Number(process.versions.node.split('.')[0])
  const bin =
    own === major ? join(process.execPath, '..') : join(await releaseTool(`node-${process.platform}-${process.arch}`, `${major}`), 'bin')
  const version = (await execute([join(bin, 'node'), '--version'], { cwd: bin, timeoutMs: 60_000 })).trim()
  return { major, version, bin }
}
