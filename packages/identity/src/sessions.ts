import type { Micros } from '@heddle/core-api'
import type { Caller } from './caller.ts'
import type { IdentityStore } from './identity-store.ts'
import { hashToken, tokenKind } from './secret-token.ts'

/** How long a session lasts from its start: 7 days. Its use does not prolong it. */
export const sessionMicros = 7 * 24 * 3_600 * 1_000_000
/** Sessions of one key. One more ends the oldest. */
const maxSessions = 100

const tokens = tokenKind('hs')

/** A session that was just started. Its token is returned this once. */
export interface NewSession {
  token: string
  expiresAt: Micros
}

/** Sessions of browsers. Each acts for the API key that opened it, with all that the key may do, and ends with it. */
export interface Sessions {
  /** Starts a session for the key of a caller. */
  startSession(caller: Pick<Caller, 'keyId'>): Promise<NewSession>
  /** Ends a session. Idempotent; a token that names none is ignored. */
  endSession(token: string): Promise<void>
}

export function createSessions({ store, clock }: { store: IdentityStore; clock: () => Micros }): Sessions {
  return {
    async startSession({ keyId: key_id }) {
      const token = tokens.create()
      const created_at = clock()
      const expires_at = created_at + sessionMicros
      await store.putSession({ hash: hashToken(token), key_id, created_at, expires_at }, maxSessions)
      return { token, expiresAt: expires_at }
    },
    async endSession(token) {
      if (isSessionToken(token)) await store.deleteSession(hashToken(token))
    },
  }
}

/** True for a text of the form of the tokens of sessions, which no generated API key has. */
export const isSessionToken = (secret: string): boolean => tokens.matches(secret)
