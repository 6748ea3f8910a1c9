import { Session } from 'chdb'
import { watched, watchedNow, type Watch } from './watch.ts'

const names: readonly [RegExp, string][] = [
  [/\bINSERT INTO\b/, 'insert'],
  [/\bCREATE TABLE\b/, 'create table'],
  [/\bBACKUP\b/, 'backup'],
]

/** Watches what the engine does: `insert`, `create table`, `backup` and `close engine`. */
export function watchEngine(watch: Watch): void {
  const { queryAsync, close } = Session.prototype
  Object.assign(Session.prototype, {
    queryAsync(this: Session, ...args: Parameters<typeof queryAsync>) {
      const name = names.find(([pattern]) => pattern.test(args[0]))?.[1] ?? 'statement'
      return watched(watch, name, () => queryAsync.apply(this, args))
    },
    close(this: Session) {
      watchedNow(watch, 'close engine', () => close.call(this))
    },
  })
}
