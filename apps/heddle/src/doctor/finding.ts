import type { SecretMask } from '@heddle/outgoing'

/** The result of one check. */
export interface Finding {
  /** What was looked at. */
  name: string
  state: 'ok' | 'warning' | 'failure'
  /** What was found. */
  detail: string
  /** What to do about it; absent when the check passed. */
  remedy?: string
}

export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail }
}

export function warning(name: string, detail: string, remedy: string): Finding {
  return { name, state: 'warning', detail, remedy }
}

export function failure(name: string, detail: string, remedy: string): Finding {
  return { name, state: 'failure', detail, remedy }
}

/** A finding may quote what another server said. */
export function maskFinding({ detail, remedy, ...finding }: Finding, secrets: SecretMask): Finding {
  return { ...finding, detail: secrets.text(detail), ...(remedy !== undefined && { remedy: secrets.text(remedy) }) }
}

const marks = { ok: '✓', warning: '!', failure: '✗' } as const

/** One line for each finding, and its remedy under it. */
export function formatFinding({ name, state, detail, remedy }: Finding): string {
  const line = `${marks[state]} ${name}: ${detail}`
  return remedy === undefined ? line : `${line}\n    → ${remedy}`
}
