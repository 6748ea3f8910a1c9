#!/usr/bin/env node
import { isApiError } from '@heddle/core-api'
import { createProgram } from './program.ts'
import { createTerminal } from './terminal/terminal.ts'
import { UsageError } from './terminal/usage-error.ts'

const terminal = createTerminal(process)
// Whatever a command writes, the data folder, backups and exports, holds prompts and answers.
process.umask(0o077)

try {
  await createProgram({ environment: process.env, terminal }).parseAsync(process.argv)
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1
  terminal.note(`heddle: ${describe(error)}`)
}

/** What was done wrong, in a line; for a fault of ours, also where. */
function describe(error: unknown): string {
  if (isApiError(error) && error.status === 401)
    return 'the server refuses the key; set HEDDLE_API_KEY, or --data-dir to the folder of this server'
  if (isApiError(error) && error.status === 503) return `${error.message}; is the server running? \`heddle doctor\` tells`
  // A store says by itself what is wrong, such as a disk that is full.
  if (error instanceof UsageError || isApiError(error) || (error instanceof Error && error.name === 'StoreError')) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
