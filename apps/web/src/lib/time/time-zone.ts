import { isTimeZone } from '@heddle/trace-model/time'

/** The choice that follows the browser. */
export const systemTimeZone = 'system'

const name = 'heddle.time-zone'
/** Content of another version is dropped. */
const version = 1

/** The time zone chosen in this browser: an IANA name, or `system` when none was chosen or the stored one is invalid. */
export function readTimeZone(store: Pick<Storage, 'getItem'>): string {
  try {
    const stored = Object(JSON.parse(store.getItem(name) ?? 'null')) as { version?: unknown; timeZone?: unknown }
    const isValid = stored.version === version && typeof stored.timeZone === 'string' && isTimeZone(stored.timeZone)
    return isValid ? String(stored.timeZone) : systemTimeZone
  } catch {
    return systemTimeZone
  }
}

/** A browser that stores nothing keeps the time zone until the page is left. */
export function storeTimeZone(store: Pick<Storage, 'setItem'>, timeZone: string): void {
  try {
    store.setItem(name, JSON.stringify({ version, timeZone }))
  } catch {
    // The choice holds for this page all the same.
  }
}
