import { EngineError } from '../engine.ts'
import type { TinkerApi } from './tinker-api.ts'

/** The server's name of one of our base models. @throws EngineError `unknown-model` that lists the server's models */
export type FindRemoteModel = (id: string, signal: AbortSignal) => Promise<string>

/** A model of the server is identified by its whole name, or by the part after the last slash: servers name models by folders and repositories. */
export function createFindRemoteModel(api: TinkerApi): FindRemoteModel {
  let names: Promise<string[]> | null = null

  async function readNames(signal: AbortSignal): Promise<string[]> {
    const { supported_models: models } = await api.get('get_server_capabilities', signal)
    if (!Array.isArray(models))
      throw new EngineError('unavailable', 'the training server does not say which models it has; is it a Tinker server?')
    return models.map((model: unknown) => String((model as { model_name?: unknown } | null)?.model_name ?? ''))
  }

  return async (id, signal) => {
    names ??= readNames(signal)
    const known = await names.catch((error: unknown) => {
      names = null
      throw error
    })
    const found = known.find((name) => name === id) ?? known.find((name) => name.replace(/\/+$/, '').endsWith(`/${id}`))
    if (found !== undefined) return found
    throw new EngineError('unknown-model', `the training server has no model "${id}"; it has ${known.join(', ') || 'none'}`)
  }
}
