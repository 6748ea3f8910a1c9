import { type ConnectionLimits, defaultConnectionLimits } from '@heddle/service-kit'

const share = 0.75

/** Connections leave a quarter of the files to the stores, which could write nothing without them; one address leaves a quarter of them to others. */
export function connectionLimits(openFiles: number | undefined): Partial<ConnectionLimits> {
  const maxConnections = Math.floor((openFiles ?? Infinity) * share)
  if (maxConnections >= defaultConnectionLimits.maxConnections) return {}
  return { maxConnections, maxConnectionsPerAddress: Math.floor(maxConnections * share) }
}
