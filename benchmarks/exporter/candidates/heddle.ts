import { HeddleSpanProcessor } from '@heddle/otel-exporter'
import { withProcessor, type StartCandidate } from './candidate.ts'

export const start: StartCandidate = ({ serverUrl, spoolFolder }) =>
  withProcessor(new HeddleSpanProcessor({ baseUrl: serverUrl, apiKey: 'key', project: 'team/app', spoolDir: spoolFolder }))
