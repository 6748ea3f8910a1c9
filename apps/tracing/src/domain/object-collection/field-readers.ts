/** A field that should hold text; empty where it does not. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

/** A field that should hold text or nothing. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
