import { addressOf } from '../server/base-path.ts'

const longestMs = 5_000

/** Name of the script that this page began with. Each build gives it another name. */
const ownScript = () => document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src.split('/').at(-1)

/**
 * Whether the server has pages of another build than this one. Undefined where it does not answer.
 */
export async function wereUpdated(): Promise<boolean | undefined> {
  const script = ownScript()
  if (script === undefined) return false
  try {
    const signal = AbortSignal.timeout(longestMs)
    const response = await fetch(addressOf('/'), { headers: { accept: 'text/html' }, cache: 'no-store', signal })
    return response.ok ? !(await response.text()).includes(script) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reloads the page if the server has another build, once for each build: where the new one does not arrive, the page would reload without end. False
 * where it does not reload.
 */
export async function reloadIfUpdated(): Promise<boolean> {
  const key = `heddle.reloaded-from.${ownScript()}`
  if (window.sessionStorage.getItem(key) !== null || (await wereUpdated()) !== true) return false
  window.sessionStorage.setItem(key, new Date().toISOString())
  window.location.reload()
  return true
}
