// The Agents SDK of OpenAI, traced by OpenInference.
import { setSession } from '@arizeai/openinference-core'
import { context } from '@opentelemetry/api'
import * as agents from '@openai/agents'
import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents'
import { z } from 'zod'
import { end, provider } from './tracing.mjs'
import {
  brokenQuestion,
  countQuestion,
  expectRefusal,
  getWeather,
  hardQuestion,
  refusedQuestion,
  tripQuestion,
  weatherDescription,
} from './weather.mjs'

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents)
const weather = agents.tool({
  name: 'get_weather',
  description: weatherDescription,
  parameters: z.object({ city: z.string() }),
  execute: async (input) => getWeather(input),
})
const planner = new agents.Agent({ name: 'trip planner', instructions: 'You plan trips.', model: 'gpt-5-mini', tools: [weather] })
const runner = (sessionId) => {
  const own = new agents.Runner({ workflowName: 'plan trip', groupId: sessionId })
  return { run: (...given) => context.with(setSession(context.active(), { sessionId }), () => own.run(...given)) }
}

await runner('trip-7').run(planner, tripQuestion)
const stream = await runner('trip-7').run(planner, countQuestion, { stream: true })
for await (const event of stream) void event
await stream.completed
await runner('trip-8').run(planner, hardQuestion)
await runner('trip-8').run(planner, brokenQuestion)
await expectRefusal(() => runner('trip-8').run(planner, refusedQuestion))
await agents.getGlobalTraceProvider().forceFlush?.()
await end()
