import { register } from '@arizeai/phoenix-otel'
import type { StartCandidate } from './candidate.ts'

export const start: StartCandidate = ({ serverUrl }) => {
  const provider = register({ projectName: 'app', url: serverUrl, apiKey: 'key', global: false })
  return { tracer: provider.getTracer('bench', '1.0.0'), flush: () => provider.forceFlush(), shutdown: () => provider.shutdown() }
}
