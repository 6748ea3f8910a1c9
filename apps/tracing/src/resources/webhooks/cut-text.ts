import { webhookLimits } from './webhook-limits.ts'

/** The beginning of a text that a message may hold. */
export const cutText = (text: string): string => text.slice(0, webhookLimits.textCharacters).toWellFormed()
