// An agent of LangChain, which runs on LangGraph: INSTRUMENTATION names who traces it.
import * as callbacks from '@langchain/core/callbacks/manager'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { z } from 'zod'
import { end, provider, providerUrl } from './tracing.mjs'
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

if (process.env.INSTRUMENTATION === 'openinference') {
  const { LangChainInstrumentation } = await import('@arizeai/openinference-instrumentation-langchain')
  new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks)
} else {
  const { LangChainInstrumentation } = await import('@traceloop/instrumentation-langchain')
  const instrumentation = new LangChainInstrumentation()
  instrumentation.setTracerProvider(provider)
  instrumentation.manuallyInstrument({ callbackManagerModule: callbacks })
}
const model = new ChatOpenAI({ model: 'gpt-5-mini', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${providerUrl}/v1` } })
const weather = tool(getWeather, { name: 'get_weather', description: weatherDescription, schema: z.object({ city: z.string() }) })
const agent = createAgent({ model, tools: [weather], systemPrompt: 'You plan trips.', name: 'trip_planner' })
const config = (id) => ({ configurable: { thread_id: id }, metadata: { session_id: id } })

await agent.invoke({ messages: [{ role: 'user', content: tripQuestion }] }, config('trip-7'))
for await (const chunk of await model.stream(countQuestion, config('trip-7'))) void chunk
await model.invoke(hardQuestion, config('trip-8'))
await agent.invoke({ messages: [{ role: 'user', content: brokenQuestion }] }, config('trip-8')).catch(() => undefined)
await expectRefusal(() => model.invoke(refusedQuestion, config('trip-8')))
await end()
