import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../terminal/usage-error.ts'
import type { Environment } from './value-kinds.ts'

/** More than any key, token or address with a password. */
const maxBytes = 64 * 1024

/** The variable that names a file with the value of another one. */
export function fileVariableOf(name: string): string {
  return `${name}_FILE`
}

/**
 * The value of a variable that may hold a secret, from the variable or, as containers mount secrets, from the file that the variable with `_FILE` names,
 * without line breaks at its end. Undefined if neither is set; an empty variable counts as not set.
 * @throws UsageError when both are set, and when the file cannot be read, is empty or has more than 64 KiB; never with the content of the file
 */
export function readSecretVariable(environment: Environment, name: string): string | undefined {
  const value = environment[name] || undefined
  const fileVariable = fileVariableOf(name)
  const path = environment[fileVariable] || undefined
  if (path === undefined) return value
  if (value !== undefined) throw new UsageError(`${name} and ${fileVariable} are both set; remove one of them`)
  const text = readText(fileVariable, path).replace(/[\r\n]+$/, '')
  if (text === '') throw new UsageError(`the file ${path} of ${fileVariable} is empty`)
  return text
}

function readText(fileVariable: string, path: string): string {
  try {
    // A secret is a small file, or a pipe whose size is unknown.
    const { size } = statSync(path)
    if (size <= maxBytes) return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UsageError(`cannot read the file ${path} of ${fileVariable} (${code})`)
  }
  throw new UsageError(`the file ${path} of ${fileVariable} has more than ${maxBytes} bytes; it should hold the secret alone`)
}
