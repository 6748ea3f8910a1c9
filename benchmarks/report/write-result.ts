import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes figures as JSON, one file per benchmark. */
export function writeResult(path: string, result: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`\nWritten to ${path}`)
}
