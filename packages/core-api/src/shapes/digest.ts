import { Identifier } from './identifier.ts'

/** Digest of a content: SHA-256 in 43 letters and digits. */
export const Digest = Identifier.describe('Digest of the content: 43 letters and digits')

/** Names one version of an object. */
export const VersionName = Identifier.describe('Digest, `latest`, `v<index>` or an alias of the version')
