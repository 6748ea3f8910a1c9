import { SpanStatusCode, trace } from '@opentelemetry/api'

/** The data of the tool: a small table instead of a weather service, so that the demo needs no network. */
export const weatherOf: Readonly<Record<string, string>> = {
  Athens: 'sunny',
  Berlin: 'rain',
  Bern: 'snow',
  Boston: 'wind',
  Cairo: 'sunny',
  Dakar: 'clouds',
  Delhi: 'storm',
  Dublin: 'rain',
  Geneva: 'fog',
  Hanoi: 'storm',
  Kyoto: 'clouds',
  Lagos: 'storm',
  Lima: 'fog',
  Lisbon: 'sunny',
  London: 'rain',
  Lyon: 'wind',
  Madrid: 'sunny',
  Milan: 'fog',
  Moscow: 'snow',
  Oslo: 'snow',
  Paris: 'clouds',
  Porto: 'wind',
  Prague: 'fog',
  Quito: 'clouds',
  Riga: 'snow',
  Rome: 'sunny',
  Seoul: 'clouds',
  Sofia: 'wind',
  Tokyo: 'rain',
  Tunis: 'wind',
  Turin: 'rain',
  Vienna: 'clouds',
  Warsaw: 'snow',
  Zurich: 'fog',
}

/** The tool definition that is sent to the model. */
export const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

export interface ToolCall {
  id: string
  function: { name: string; arguments: string }
}

/** What a call of a tool came to. */
export interface ToolResult {
  /** Goes back to the model. */
  content: string
  /** The requested city; undefined if the tool does not accept the call. */
  city: string | undefined
}

/** Runs a tool call in its own span. Invalid arguments are returned to the model as the tool's result. */
export function runTool({ function: called }: ToolCall): ToolResult {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': called.name,
    'gen_ai.tool.call.arguments': called.arguments,
  }
  return trace.getTracer('heddle-demo').startActiveSpan(`execute_tool ${called.name}`, { attributes }, (span) => {
    const result = lookUp(called)
    span.setAttribute('gen_ai.tool.call.result', result.content)
    if (result.city === undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: result.content })
    span.end()
    return result
  })
}

function lookUp({ name, arguments: text }: ToolCall['function']): ToolResult {
  if (name !== weatherTool.function.name) return { content: 'no such tool', city: undefined }
  const city = readCity(text)
  const weather = city !== undefined && Object.hasOwn(weatherOf, city) ? weatherOf[city] : undefined
  return weather === undefined ? { content: 'unknown city', city: undefined } : { content: weather, city }
}

function readCity(text: string): string | undefined {
  try {
    const { city } = Object(JSON.parse(text)) as { city?: unknown }
    return typeof city === 'string' ? city : undefined
  } catch {
    return undefined
  }
}
