import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const leftOut = /^(node_modules|dist|coverage|vectors|\..*|.*\.test(-d)?\.ts|CHANGELOG\.md)$/

/**
 * Hash of the names and contents of files, and of all files in folders except those of tests and those that are made from others.
 * @param {readonly string[]} paths
 */
export function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) addTo(hash, path)
  return hash.digest('hex')
}

/** @param {import('node:crypto').Hash} hash @param {string} path */
function addTo(hash, path) {
  if (!statSync(path).isDirectory()) {
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (!leftOut.test(name)) addTo(hash, join(path, name))
  }
}
