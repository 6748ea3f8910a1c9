import { LangfuseSpanProcessor } from '@langfuse/otel'
import { withProcessor, type StartCandidate } from './candidate.ts'

export const start: StartCandidate = ({ serverUrl }) =>
  withProcessor(new LangfuseSpanProcessor({ publicKey: 'public', secretKey: 'secret', baseUrl: serverUrl }))
