import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findLeaks } from './log-rules.ts'

export interface LogFinding {
  /** File and number of the line. */
  place: string
  leaks: readonly string[]
  line: string
}

/** Findings beyond these are counted and not kept. */
const maxFindings = 20

/** Looks through every line of the logs in a folder. */
export async function scanLogs(folder: string): Promise<{ lines: number; found: number; findings: LogFinding[] }> {
  const findings: LogFinding[] = []
  let lines = 0
  let found = 0
  for (const file of await readdir(folder)) {
    let number = 0
    for await (const line of createInterface({ input: createReadStream(join(folder, file)), crlfDelay: Infinity })) {
      number++
      lines++
      const leaks = findLeaks(line)
      if (leaks.length === 0) continue
      found++
      if (findings.length < maxFindings) findings.push({ place: `${file}:${number}`, leaks, line })
    }
  }
  return { lines, found, findings }
}
