import type { TinkerApi } from './tinker-api.ts'
import { textField } from './tinker-api.ts'

const sdkVersion = '0.38.0'
/** A server drops the models of a session after 300 s of silence. */
const heartbeatMs = 10_000

export interface TinkerSession {
  /** The id of the session, which is opened if necessary. */
  id(signal: AbortSignal): Promise<string>
  /** Numbers for models and for sampling sessions: each counts up from 0. */
  nextNumber(of: 'model' | 'sampling'): number
  close(): void
}

/** The one session on a server, kept alive while it is used. A session that the server forgot is reopened. */
export function createTinkerSession(api: TinkerApi): TinkerSession {
  const closing = new AbortController()
  let opened: Promise<string> | null = null
  let timer: NodeJS.Timeout | null = null
  const numbers = { model: 0, sampling: 0 }

  function forget(): void {
    opened = null
    if (timer) clearInterval(timer)
    timer = null
  }

  async function open(signal: AbortSignal): Promise<string> {
    const body = { tags: ['heddle'], user_metadata: {}, sdk_version: sdkVersion }
    const id = textField(await api.post('create_session', body, { signal }), 'session_id')
    timer = setInterval(() => {
      api.post('session_heartbeat', { session_id: id }, { signal: closing.signal, isRepeatable: false }).catch(forget)
    }, heartbeatMs)
    timer.unref()
    return id
  }

  return {
    async id(signal) {
      opened ??= open(signal)
      try {
        return await opened
      } catch (error) {
        forget()
        throw error
      }
    },
    nextNumber: (of) => numbers[of]++,
    close() {
      closing.abort()
      forget()
    },
  }
}
