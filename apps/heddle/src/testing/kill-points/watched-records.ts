import Libsql from 'libsql'
import { watchedNow, type Watch } from './watch.ts'

const names: readonly [RegExp, string][] = [
  [/^commit$/i, 'commit'],
  [/^insert into "analytical_migrations"/, 'note migration'],
]

interface Statement {
  run(parameters: readonly unknown[]): unknown
}

interface Preparing {
  prepare(text: string): Statement
}

/** Watches what the process does to the file of records: `commit` and `note migration`. */
export function watchRecords(watch: Watch): void {
  const { prototype } = Libsql as unknown as { prototype: Preparing }
  const { prepare } = prototype
  prototype.prepare = function prepareWatched(text) {
    const statement = prepare.call(this, text)
    const name = names.find(([pattern]) => pattern.test(text))?.[1]
    if (name === undefined) return statement
    const { run } = statement
    return Object.assign(statement, {
      run: (parameters: readonly unknown[]) => watchedNow(watch, name, () => run.call(statement, parameters)),
    })
  }
}
