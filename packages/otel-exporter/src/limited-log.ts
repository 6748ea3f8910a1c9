import { diag } from '@opentelemetry/api'
import type { Clock } from './clock.ts'

const quietMs = 60_000

/** Logs through OpenTelemetry's `diag`, each kind of message once a minute. */
export interface LimitedLog {
  warn(kind: string, message: string): void
  error(kind: string, message: string): void
}

export function createLimitedLog(clock: Clock): LimitedLog {
  const logger = diag.createComponentLogger({ namespace: '@heddle/otel-exporter' })
  const toldAt = new Map<string, { at: number; kept: number }>()
  const log = (level: 'warn' | 'error') => (kind: string, message: string) => {
    const last = toldAt.get(kind)
    const now = clock.now()
    if (last !== undefined && now - last.at < quietMs) {
      last.kept++
      return
    }
    toldAt.set(kind, { at: now, kept: 0 })
    logger[level](last?.kept ? `${message} (and ${last.kept} more of this kind since the last message)` : message)
  }
  return { warn: log('warn'), error: log('error') }
}
