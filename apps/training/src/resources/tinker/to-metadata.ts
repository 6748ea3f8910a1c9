import { badRequest } from '@heddle/core-api/internal'

const maxTexts = 100
const maxCharacters = 10_000

/** Texts of a user about a session or a model; other values become their JSON. @throws ApiError 400 when there are too many */
export function toMetadata(given: unknown): Readonly<Record<string, string>> | null {
  if (typeof given !== 'object' || given === null) return null
  const entries = Object.entries(given).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const)
  const characters = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (entries.length <= maxTexts && characters <= maxCharacters) return Object.fromEntries(entries)
  throw badRequest(
    `user_metadata has ${entries.length} texts of ${characters} characters; at most ${maxTexts} of ${maxCharacters} together are kept`,
  )
}
