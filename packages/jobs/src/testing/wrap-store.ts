import type { JobsStore } from '../store/jobs-store.ts'

/** What happens around each call of a store. */
export type AroundCall = <T>(call: () => Promise<T>, name: keyof JobsStore) => Promise<T>

/** The store, with all calls made through `around`. */
export function wrapStore(store: JobsStore, around: AroundCall): JobsStore {
  return new Proxy(store, {
    get(target, name: keyof JobsStore) {
      const member = target[name]
      if (typeof member !== 'function') return member
      return (...args: never[]) => around(() => (member as (...args: never[]) => Promise<unknown>)(...args), name)
    },
  })
}
