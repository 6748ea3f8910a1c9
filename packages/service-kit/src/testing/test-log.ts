import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceLog } from '../response/error-body.ts'
import { loggedError } from '../http/logged-error.ts'

export interface TestLogOptions {
  /** Folder of the logs of a run of the tests, which are looked through at its end; '' writes nowhere. */
  folder: string
  /** Which test a line belongs to. */
  test: () => string
  /** Receives everything as well, errors as they are. */
  also?: ServiceLog | undefined
}

/** The log of a server in a test. A line is in its file at once, so that a killed server leaves it too. */
export function createTestLog({ folder, test, also }: TestLogOptions): ServiceLog {
  const write = (level: number, fields: object, msg: string) => {
    const { err, ...others } = fields as { err?: unknown }
    appendLine(folder, JSON.stringify({ level, test: test(), ...others, ...(err !== undefined && { err: loggedError(err) }), msg }))
  }
  return {
    info(fields, message) {
      write(30, fields, message)
      also?.info(fields, message)
    },
    error(fields, message) {
      write(50, fields, message)
      also?.error(fields, message)
    },
  }
}

const files = new Map<string, number>()
process.once('exit', () => files.forEach((file) => closeSync(file)))

/** Adds a line, or what a child process wrote, to the logs of the run. */
export function appendLine(folder: string, line: string): void {
  if (folder === '') return
  let file = files.get(folder)
  if (file === undefined) {
    file = openSync(join(folder, `${process.pid}.log`), 'a')
    files.set(folder, file)
  }
  writeSync(file, `${line}\n`)
}
