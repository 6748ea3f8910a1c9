import { spanAttribute } from '@heddle/core-api/attributes'
import { trace } from '@opentelemetry/api'
import type { WeatherTask } from './weather-tasks.ts'

/** Names the trace of the current attempt after its question, to distinguish the attempts in a list. */
export function nameAttempt({ question }: WeatherTask): void {
  trace.getActiveSpan()?.setAttribute(spanAttribute.displayName, question)
}
