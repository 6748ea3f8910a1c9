import type { ProjectLimits } from '@heddle/core-api/types'
import { formatBytes } from '../../lib/texts/byte-size.ts'

export type LimitName = keyof ProjectLimits

const mebibyte = 2 ** 20

/** A limit as text. */
interface LimitText {
  title: string
  label: string
  /** At the end of the field. Default: none. */
  unit?: string
  show: (value: number) => string
  /** The text of a field; empty: no limit. */
  write: (value: number | null) => string
  /** Null for an empty text; undefined for one that cannot be a limit. */
  read: (text: string) => number | null | undefined
  /** Requirement for the text. */
  rule: string
}

function readBetween(text: string, { pattern, factor, max }: { pattern: RegExp; factor: number; max: number }): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = pattern.test(trimmed) ? Math.round(Number(trimmed) * factor) : 0
  return value >= 1 && value <= max ? value : undefined
}

const ofRequests = {
  show: (value: number) => value.toLocaleString('en'),
  write: (value: number | null) => (value === null ? '' : String(value)),
  read: (text: string) => readBetween(text, { pattern: /^\d{1,7}$/, factor: 1, max: 1_000_000 }),
  rule: 'a whole number from 1 to 1000000',
}

export const limitTexts: Record<LimitName, LimitText> = {
  requests_per_minute: { ...ofRequests, title: 'Requests per minute', label: 'Requests per minute' },
  requests_per_minute_per_key: {
    ...ofRequests,
    title: 'Requests per minute, your key',
    label: 'Requests per minute, per key',
  },
  ingested_bytes_per_day: {
    title: 'Writes today (UTC)',
    label: 'Writes per day',
    unit: 'MiB',
    show: formatBytes,
    write: (value) => (value === null ? '' : String(value / mebibyte)),
    read: (text) => readBetween(text, { pattern: /^(\d{1,10}(\.\d{1,20})?|\.\d{1,20})$/, factor: mebibyte, max: 2 ** 50 }),
    rule: 'a number of MiB up to 1073741824',
  },
}

export const limitNames = Object.keys(limitTexts) as LimitName[]

/** The limits whose text differs from the project's value; undefined if a text cannot be a limit. */
export function changesOf(texts: Readonly<Record<LimitName, string>>, limits: ProjectLimits) {
  const read = limitNames.map((name) => ({ name, value: limitTexts[name].read(texts[name]), own: limits[name].own_limit }))
  if (read.some(({ value }) => value === undefined)) return undefined
  return Object.fromEntries(read.filter(({ value, own }) => value !== own).map(({ name, value }) => [name, value ?? null]))
}
