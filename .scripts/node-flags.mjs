import { readFileSync } from 'node:fs'

/** Flags of Node in the first line of a program, for those who start it by its path: `#!/usr/bin/env -S node --flag`. @param {string} program */
export function nodeFlagsOf(program) {
  const [first = ''] = readFileSync(program, 'utf8').split('\n', 1)
  return first.startsWith('#!') ? (first.match(/ --\S+/g) ?? []).map((flag) => flag.trim()) : []
}
