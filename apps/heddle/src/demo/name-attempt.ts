import { spanAttribute } from '@heddle/core-api/attributes'
import { trace } from '@opentelemetry/api'
import type { WeatherTask } from './weather-tasks.ts'

/** Shows the trace of the attempt that runs by its question, so that the attempts of a list can be told apart. */
export function nameAttempt({ question }: WeatherTask): void {
  trace.getActiveSpan()?.setAttribute(spanAttribute.displayName, question)
}
