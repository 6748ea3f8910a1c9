import { spanAttribute } from '@heddle/core-api/attributes'
import { trace } from '@opentelemetry/api'

const agentName = 'weather_agent'

/** Says of the span of the current attempt that it is a run of the agent. */
export function nameAttempt(): void {
  const operation = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agentName }
  trace.getActiveSpan()?.setAttributes({ ...operation, [spanAttribute.displayName]: agentName })
}
