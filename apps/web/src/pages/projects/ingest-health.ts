import { countText } from '../../lib/texts/count-text.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Whether calls of a project arrive, as text: from the start of its newest call, the only thing that the service reports. */
export function ingestHealth(lastCallAt: string | null, nowMs = Date.now()): string {
  if (lastCallAt === null) return 'No traces yet'
  const silentMs = nowMs - Date.parse(lastCallAt)
  if (silentMs < hourMs) return 'Traces in the last hour'
  if (silentMs < 2 * dayMs) return `Quiet for ${countText(Math.floor(silentMs / hourMs), 'hour')}`
  return `Quiet for ${countText(Math.floor(silentMs / dayMs), 'day')}`
}
