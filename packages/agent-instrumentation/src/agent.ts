import { v7 as newUuid } from 'uuid'
import type { TrainingConfig, TrainingEvent } from '@heddle/core-api/types'
import { type AgentOptions, toSettings } from './agent-options.ts'
import { type AiSdkMiddleware, createAiSdkMiddleware } from './capture/ai-sdk/ai-sdk-middleware.ts'
import { createLangChainHandler, type LangChainHandler } from './capture/langchain/langchain-handler.ts'
import { createOpenAiAgentsProcessor, type OpenAiAgentsProcessor } from './capture/openai-agents/openai-agents-processor.ts'
import { createRecordingFetch } from './capture/recording-fetch.ts'
import { wrapClient } from './capture/wrap-client.ts'
import { activeRecorder, activeTrajectory } from './capture/active-trajectory.ts'
import { type CheckOptions, checkGroups, type GroupsReport } from './groups/check-groups.ts'
import { createGroup, type Group, type GroupOptions } from './groups/run-group.ts'
import { createTrainingClient, createTrainingJob, type LoggedGroups, logGroups, watchJob } from './sending/send-groups.ts'
import { continueTrajectory, type ContinuedTrajectory } from './trajectory/continue-trajectory.ts'
import { logprobsOf } from './trajectory/find-logprobs.ts'
import type { RecordedGroup } from './trajectory/recorded.ts'
import type { ModelClient, TrajectoryCarrier } from './context/trajectory.ts'

/** A training job that was started. */
export interface StartedJob {
  id: string
  /** Events of the job as they arrive; ends after the last. Leaving the loop stops the polling. */
  events(): AsyncIterable<TrainingEvent>
}

/** Records what an agent does as trajectories, and sends them to the training service. */
export interface AgentTracing {
  /** One batch of data collection: every trajectory of this object belongs to it. UUID, version 7. */
  readonly rolloutId: string
  /** @throws RangeError for options out of range */
  group(options?: GroupOptions): Group
  /**
   * Continues an attempt in a worker, a child process or a service, from what `toCarrier` of its trajectory returned: `run` what belongs to it, `finish`,
   * and hand the text back to `join` of the trajectory.
   * @throws TypeError for a carrier that is not whole
   */
  continueTrajectory(carrier: Readonly<TrajectoryCarrier>): ContinuedTrajectory
  /** Records where it is called within a trajectory, and is the plain one elsewhere. */
  readonly fetch: typeof fetch
  /** The client with chat completions and responses recorded wherever they are made within a trajectory. @throws TypeError for one of `openai` before 5 */
  wrapOpenAI<Client extends ModelClient<Client>>(client: Client): Client
  /** The client of `@anthropic-ai/sdk` with messages recorded wherever they are made within a trajectory. */
  wrapAnthropic<Client extends ModelClient<Client>>(client: Client): Client
  /** For `wrapLanguageModel` of the AI SDK, where the provider of a model takes no `fetch`, or its API has no form as a chat completion. */
  readonly aiSdkMiddleware: AiSdkMiddleware
  /**
   * For `callbacks` of LangChain and LangGraph: spans of nodes and tools, and the model calls of any provider. A call that `fetch` or a wrapped client
   * records too is recorded once, by them.
   */
  readonly langChainHandler: LangChainHandler
  /**
   * For `addTraceProcessor` of the OpenAI Agents SDK: spans of agents, tools and handoffs, and the model calls of any client. A call that `fetch` or a
   * wrapped client records too is recorded once, by them.
   */
  readonly openAiAgentsProcessor: OpenAiAgentsProcessor
  /** Reports why training would learn nothing from the groups. Sends nothing. */
  dryRun(groups: readonly RecordedGroup[], options?: CheckOptions): GroupsReport
  /** Id of the model on the training service, which is registered if it is not there. */
  modelId(): Promise<string>
  /** Logs groups for reading; trains nothing. @throws GroupsRefused, ApiError */
  log(split: string, groups: readonly RecordedGroup[]): Promise<LoggedGroups>
  /**
   * Starts a training job.
   * @throws Error before anything is sent when no choice has log-probabilities and `allow_training_without_logprobs` is not set; GroupsRefused, ApiError
   */
  train(groups: readonly RecordedGroup[], options?: { config?: Partial<TrainingConfig> }): Promise<StartedJob>
}

/** @throws TypeError for settings that cannot work, naming the option and its variable of the environment */
export function createAgentTracing(options: AgentOptions = {}): AgentTracing {
  const { capture, connection, model } = toSettings(options)
  const rolloutId = newUuid()
  const recordingFetch = createRecordingFetch(capture.fetch, activeRecorder)
  const wrap = <Client extends ModelClient<Client>>(client: Client) =>
    wrapClient(client, createRecordingFetch(capture.fetchOf(client), activeRecorder))
  const client = createTrainingClient(connection)
  let registered: Promise<string> | undefined

  async function register(): Promise<string> {
    const { id, ...record } = model()
    return id ?? (await client.models.create({ ...record, return_existing: true })).id
  }

  function modelId(): Promise<string> {
    registered ??= register().catch((error: unknown) => {
      registered = undefined
      throw error
    })
    return registered
  }

  return {
    rolloutId,
    group: (groupOptions = {}) => createGroup(rolloutId, capture, groupOptions),
    continueTrajectory: (carrier) => continueTrajectory(carrier, capture),
    fetch: recordingFetch,
    wrapOpenAI: wrap,
    wrapAnthropic: wrap,
    aiSdkMiddleware: createAiSdkMiddleware(activeRecorder),
    langChainHandler: createLangChainHandler({
      recorderNow: activeRecorder,
      trajectoryNow: activeTrajectory,
      captureContent: capture.captureContent,
    }),
    openAiAgentsProcessor: createOpenAiAgentsProcessor({
      recorderNow: activeRecorder,
      trajectoryNow: activeTrajectory,
      captureContent: capture.captureContent,
    }),
    dryRun: checkGroups,
    modelId,
    log: async (split, groups) => logGroups(client, await modelId(), split, groups),
    async train(groups, { config } = {}) {
      if (config?.allow_training_without_logprobs !== true) checkLogprobs(groups)
      const id = await createTrainingJob(client, await modelId(), groups, config)
      return { id, events: () => watchJob(client, id) }
    },
  }
}

function checkLogprobs(groups: readonly RecordedGroup[]) {
  if (groups.some(({ trajectories }) => trajectories.some((one) => logprobsOf(one) !== 'none'))) return
  throw new Error(
    'no choice of these groups has log-probabilities, so nothing can be trained: ask the model for `logprobs: true`, or set `allow_training_without_logprobs`',
  )
}
