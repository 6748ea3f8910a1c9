export { parseAllowedTargets, type AllowedTargets } from './allowed-targets.ts'
export { isPublicAddress } from './is-public-address.ts'
export { createSecretMask, noSecrets, secretMark, type SecretMask, type SecretMaskStream } from './secrets/secret-mask.ts'
export { OutgoingError, type OutgoingErrorKind } from './outgoing-error.ts'
export {
  createOutgoing,
  type Outgoing,
  type OpenResponse,
  type OutgoingResponse,
  type OutgoingOptions,
  type OutgoingRequest,
} from './outgoing.ts'
export { isPlainAddress } from './plain-address.ts'
export { readEvents } from './read-events.ts'
