import { randomUUID } from 'node:crypto'
import {
  type Datum,
  decodeForwardBackwardOutput,
  decodeSampleOutput,
  encodeForwardBackward,
  type ForwardBackwardOutput,
  type ForwardBackwardRequest,
  type SampleOutput,
} from '../../../engine/tinker/protobuf/messages.ts'
import type { TrainingServer } from '../../../testing/start-training-app.ts'

/** One sequence as clients send it: each target is the token after. */
export function aDatum(tokens: readonly number[], floats: Record<string, readonly number[]> = {}): Datum {
  return {
    tokens: Int32Array.from(tokens.slice(0, -1)),
    targets: Int32Array.from(tokens.slice(1)),
    floats: Object.fromEntries(Object.entries(floats).map(([name, values]) => [name, Float32Array.from(values)])),
  }
}

const message = 'application/x-protobuf'

type SessionServer = Pick<TrainingServer, 'client' | 'service' | 'apiKey'>

/** A client of one session in a project of its own, whose requests of a model have numbers from 1 on. */
export async function openTinker({ client, service, apiKey }: SessionServer, project: string | null = `p-${randomUUID()}`) {
  const { tinker } = client
  const { session_id } = await tinker.createSession({ project_id: project })
  const sequences = new Map<string, number>()
  const nextOf = (model_id: string) => {
    const seq_id = (sequences.get(model_id) ?? 0) + 1
    sequences.set(model_id, seq_id)
    return { model_id, seq_id }
  }

  async function retrieve(request_id: string, accept: string): Promise<{ type: string | null; bytes: Buffer }> {
    for (;;) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept }
      const asked = new Request('http://heddle.test/api/v1/retrieve_future', {
        method: 'POST',
        headers,
        body: JSON.stringify({ request_id }),
      })
      const answer = await service.fetch(asked)
      if (answer.status === 408) continue
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (!answer.ok) throw new Error(`${answer.status}: ${bytes.toString()}`)
      return { type: answer.headers.get('content-type'), bytes }
    }
  }

  /** @throws Error with the category and the message of a result that failed */
  async function read<T>({ request_id }: { request_id: string }): Promise<T> {
    const { bytes } = await retrieve(request_id, 'application/json')
    const value = JSON.parse(bytes.toString()) as T & { error?: string; category?: string }
    if (value.error !== undefined) throw new Error(`${value.category}: ${value.error}`)
    return value
  }

  async function readMessage({ request_id }: { request_id: string }): Promise<Uint8Array> {
    const { bytes, type } = await retrieve(request_id, message)
    if (type === message) return bytes
    const { category, error } = JSON.parse(bytes.toString()) as Record<string, string>
    throw new Error(`${category}: ${error}`)
  }

  return {
    session_id,
    project,
    /** Ends the session, so that the engine has room for models of others. */
    close: () => tinker.finishSession({ session_id }),
    read,
    nextOf,
    async createModel(more: Partial<Parameters<typeof tinker.createModel>[0]> = {}) {
      const asked = { session_id, model_seq_id: 0, base_model: 'tiny', lora_config: { rank: 4, seed: 7 }, ...more }
      return read<{ model_id: string }>(await tinker.createModel(asked)).then(({ model_id }) => model_id)
    },
    async pass(model_id: string, data: readonly Datum[], more: Partial<ForwardBackwardRequest> = {}): Promise<ForwardBackwardOutput> {
      const { seq_id: sequenceId } = nextOf(model_id)
      const asked = { modelId: model_id, sequenceId, data, lossFunction: 'cross_entropy', forwardOnly: false, ...more }
      const bytes = encodeForwardBackward(asked)
      return decodeForwardBackwardOutput(await readMessage(await tinker.forwardBackward({ bytes, content_type: message })))
    },
    async step(model_id: string, adam_params: object = { learning_rate: 1e-2 }) {
      return read<{ metrics: Record<string, number> }>(await tinker.optimStep({ ...nextOf(model_id), adam_params }))
    },
    async save(model_id: string, path: string, more: object = {}) {
      return (await read<{ path: string }>(await tinker.saveWeights({ ...nextOf(model_id), path, ...more }))).path
    },
    async saveForSampler(model_id: string, path: string, more: object = {}) {
      return (await read<{ path: string }>(await tinker.saveWeightsForSampler({ ...nextOf(model_id), path, ...more }))).path
    },
    async sample(sampling_session_id: string, tokens: readonly number[], more: object = {}): Promise<SampleOutput> {
      const asked = { sampling_session_id, prompt: { chunks: [{ tokens: [...tokens] }] }, sampling_params: {}, ...more }
      return decodeSampleOutput(await readMessage(await tinker.sample(asked as Parameters<typeof tinker.sample>[0])))
    },
  }
}

export type TinkerClient = Awaited<ReturnType<typeof openTinker>>
