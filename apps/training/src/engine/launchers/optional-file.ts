import { readFile } from 'node:fs/promises'

/** Null if there is no such file. */
export const readOptionalFile = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(ifCode('ENOENT', null))

/** For the rejection of a file operation: the value if it has this code, else the error again. */
export function ifCode<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value
    throw error
  }
}
