/** Bounds of one completion, whole or streamed. */
export const completionLimits = { maxResponseBytes: 8 * 2 ** 20, timeoutMs: 180_000 }
