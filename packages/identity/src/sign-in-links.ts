import { ApiError, type Micros } from '@heddle/core-api'
import { type Caller, toCaller } from './caller.ts'
import type { IdentityStore } from './identity-store.ts'
import { isUsable } from './is-usable.ts'
import { hashToken, tokenKind } from './secret-token.ts'

/** How long a link can be used: 10 minutes. */
export const signInLinkMicros = 10 * 60 * 1_000_000
/** Unused links of one key. One more ends the oldest. */
const maxLinks = 20

const tokens = tokenKind('hl')

/** A link that was just made. Its token is returned this once. */
export interface NewSignInLink {
  token: string
  expiresAt: Micros
}

/** Links that sign a browser in once, for the API key that made them. */
export interface SignInLinks {
  createSignInLink(caller: Pick<Caller, 'keyId'>): Promise<NewSignInLink>
  /**
   * Redeems a link: of several callers with the same token, one is signed in.
   * @throws ApiError 401 for a token that is unknown, used or expired, or whose key has ended; the response does not distinguish these.
   */
  redeemSignInLink(token: string): Promise<Caller>
}

export function createSignInLinks({ store, clock }: { store: IdentityStore; clock: () => Micros }): SignInLinks {
  return {
    async createSignInLink({ keyId: key_id }) {
      const token = tokens.create()
      const created_at = clock()
      const expires_at = created_at + signInLinkMicros
      await store.putSignInLink({ hash: hashToken(token), key_id, created_at, expires_at }, maxLinks)
      return { token, expiresAt: expires_at }
    },
    async redeemSignInLink(token) {
      const key = tokens.matches(token) ? await store.takeSignInLink(hashToken(token), clock()) : undefined
      if (!key || !isUsable(key, clock())) throw unusableLink()
      return toCaller(key)
    },
  }
}

const unusableLink = () =>
  new ApiError(
    'unauthenticated',
    'this sign-in link has been used, has expired or never was one; print a new one with `heddle sign-in-link`, or sign in with a key',
  )
