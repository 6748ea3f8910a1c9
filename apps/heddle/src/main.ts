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
  // A command may have set what its failure means.
  process.exitCode ??= error instanceof UsageError ? 2 : 1
  terminal.note(`heddle: ${describe(error)}`)
}

/** The message of an expected error; the stack of an unexpected one. */
function describe(error: unknown): string {
  if (isApiError(error) && error.status === 401)
    return 'the server rejected the API key; set HEDDLE_API_KEY, or point --data-dir at the data folder of this server'
  if (isApiError(error) && error.status === 503) return `${error.message}; is the server running? Check with \`heddle doctor\``
  // The message of a StoreError is meant for operators, such as that a disk is full.
  if (error instanceof UsageError || isApiError(error) || (error instanceof Error && error.name === 'StoreError')) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
