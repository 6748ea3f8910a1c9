import { z } from 'zod'

/** Most characters of an id or name: more than any client produces, and short enough to look up and compare quickly. */
export const maxIdentifierLength = 1_024

/** An id, or a name by which something is found. */
export const Identifier = z.string().max(maxIdentifierLength)

/** A reference. Longer than an identifier, since it leads on into a value, and percent-encodes what it contains. */
export const Reference = z.string().max(16_384)
