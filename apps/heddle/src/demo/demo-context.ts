import { type AgentTracing, createAgentTracing } from '@heddle/agent-instrumentation'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { TracingClient, TrainingClient } from '../connect.ts'
import { splitProject } from '../training/find-model.ts'
import { modelsOf } from '../training/models-of.ts'
import { createWeatherTasks, type WeatherTasks } from './weather-tasks.ts'

/** Options of `heddle demo`. */
export interface DemoOptions {
  /** `entity/project`. */
  project: string
  /** Tasks of a round. */
  tasks: number
  rounds: number
  seed: number
}

/** What the parts of the demo share. Everything goes over the public API of the server. */
export interface DemoContext {
  options: DemoOptions
  /** Entity and name of the project. */
  place: { entity: string; project: string }
  /** Name of the model, new in each run. */
  modelName: string
  /** Address of the model in chat completions: its newest step. */
  address: string
  tracing: TracingClient
  training: TrainingClient
  agent: AgentTracing
  /** Chat completions over it are recorded in the trajectory in which they are made. */
  agentClient: TrainingClient
  tasks: WeatherTasks
  signal: AbortSignal
}

/** Learns within seconds on one processor. */
export const baseModel = 'heddle-nano'

const modelNamePrefix = 'weather-agent'
/** A server that has too much to do refuses requests for a while. */
const retries = 8
/** Time of a chat completion, with its wait while the server has much to do. */
const completionTimeoutMs = 120_000

export async function createDemoContext(
  server: { baseUrl: string; apiKey: string },
  options: DemoOptions,
  signal: AbortSignal,
): Promise<DemoContext> {
  const place = splitProject(options.project)
  const trainingClient = createClient({ ...server, contract: training, retries })
  const modelName = await newModelName(trainingClient, options.project, signal)
  const model = { name: modelName, baseModel }
  const agent = createAgentTracing({ ...server, project: options.project, model, environment: {} })
  return {
    options,
    place,
    modelName,
    address: `${options.project}/${modelName}`,
    tracing: createClient({ ...server, contract: tracing, retries }),
    training: trainingClient,
    agent,
    agentClient: createClient({ ...server, contract: training, fetch: agent.fetch, timeoutMs: completionTimeoutMs, retries }),
    tasks: createWeatherTasks(options.seed),
    signal,
  }
}

/** The first number that no model of an earlier run has. */
async function newModelName(client: TrainingClient, project: string, signal: AbortSignal): Promise<string> {
  const names = new Set<string>()
  for await (const { name } of modelsOf(client, project, { signal })) names.add(name)
  let number = 1
  while (names.has(`${modelNamePrefix}-${number}`)) number++
  return `${modelNamePrefix}-${number}`
}
