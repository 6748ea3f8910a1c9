import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import { UsageError } from '../../terminal/usage-error.ts'
import { type AtifDocument, readAtifDocument, toNumber } from './atif-document.ts'

/** An attempt whose trajectory was written as ATIF. */
export interface Trial {
  /** Attempts with the same task are a group. */
  task: string
  /** Null: it failed before the agent wrote anything. */
  document: AtifDocument | null
  /** Null without one. */
  reward: number | null
  /** Why the attempt failed; null if it did not. */
  exception: { type: string; message: string; traceback: string | null } | null
  /** The file, for messages. */
  path: string
}

/** Bytes of one file. */
const maxBytes = 256 * 2 ** 20
/** Folders below the one that is named. */
const maxDepth = 6

/**
 * Attempts at a path: one file of a trajectory, a folder of such files, or the folder of a job of Harbor, whose trials have their reward, task and
 * exception in `result.json`. One at a time, in the order of their names.
 * @throws UsageError that names the file, or a folder that is too deep
 */
export async function* readTrials(path: string, depth = 0): AsyncGenerator<Trial> {
  if (!(await stat(path)).isDirectory()) {
    yield trialOf(await readJson(path), path)
    return
  }
  const entries = (await readdir(path, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(entries.map(({ name }) => name))
  const result = names.has('result.json') ? await readJson(join(path, 'result.json')) : null
  if (isJsonObject(result) && typeof result['task_name'] === 'string') {
    yield await harborTrial(path, result)
    return
  }
  for (const entry of entries) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) {
      if (depth === maxDepth)
        throw new UsageError(`${inner} is more than ${maxDepth} folders below the path that was named; name a folder nearer to it`)
      yield* readTrials(inner, depth + 1)
    } else if (entry.isFile() && entry.name.endsWith('.json')) {
      const value = await readJson(inner)
      if (isJsonObject(value) && String(value['schema_version']).startsWith('ATIF-')) yield trialOf(value, inner)
    }
  }
}

/** A trajectory alone: its reward and group are in `extra`, where we write them. */
function trialOf(value: unknown, path: string): Trial {
  const document = readAtifDocument(value, path)
  const { reward, group_id: group } = document.extra ?? {}
  const found = toNumber(reward)
  const task = typeof group === 'string' ? group : path
  return { task, document, reward: Number.isFinite(found) ? found : null, exception: null, path }
}

async function harborTrial(folder: string, result: JsonObject): Promise<Trial> {
  const path = join(folder, 'agent', 'trajectory.json')
  const isThere = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  const { verifier_result: verified, exception_info: info } = result
  const rewards = isJsonObject(verified) && isJsonObject(verified['rewards']) ? verified['rewards'] : {}
  const [only, ...more] = Object.values(rewards)
  const reward = toNumber(rewards['reward'] ?? (more.length === 0 ? only : undefined))
  return {
    task: String(result['task_name']),
    document: isThere ? readAtifDocument(await readJson(path), path) : null,
    reward: Number.isFinite(reward) ? reward : null,
    exception: isJsonObject(info)
      ? {
          type: String(info['exception_type']),
          message: String(info['exception_message']),
          traceback: typeof info['exception_traceback'] === 'string' ? info['exception_traceback'] : null,
        }
      : null,
    path: isThere ? path : folder,
  }
}

async function readJson(path: string): Promise<unknown> {
  const { size } = await stat(path)
  if (size > maxBytes) throw new UsageError(`${path} has ${size} bytes; at most ${maxBytes} are read`)
  try {
    return parseJson(await readFile(path, 'utf8'), { maxKeys: Infinity, loneSurrogates: 'keep' })
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${String(error).slice(0, 300)}`)
  }
}
