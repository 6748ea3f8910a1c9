import { HeddleSpanProcessor } from '@heddle/otel-exporter'
import { withProcessor, type StartCandidate } from './candidate.ts'

export const start: StartCandidate = ({ serverUrl }) =>
  withProcessor(new HeddleSpanProcessor({ baseUrl: serverUrl, apiKey: 'key', project: 'team/app', compression: 'gzip' }))
