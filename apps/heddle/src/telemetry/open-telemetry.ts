import type { Telemetry, TelemetryParts } from './telemetry.ts'

/** Undefined unless the operator named a receiver: then nothing of OpenTelemetry is loaded. */
export async function openTelemetry(parts: TelemetryParts): Promise<Telemetry | undefined> {
  if (parts.configuration.telemetryUrl === undefined) return undefined
  const { sendTelemetry } = await import('./send-telemetry.ts')
  return sendTelemetry({ ...parts, url: parts.configuration.telemetryUrl })
}
