import { readFileSync } from 'node:fs'

/** How many files and connections this process may have open at a time. Undefined where the system has no `/proc`. */
export function maxOpenFiles(limitsPath = '/proc/self/limits'): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync(limitsPath, 'utf8'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
