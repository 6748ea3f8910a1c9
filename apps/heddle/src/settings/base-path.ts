import { isReservedEntity } from '@heddle/identity'
import { UsageError } from '../terminal/usage-error.ts'
import type { SettingText } from './value-kinds.ts'

/** Checks a path under which browsers see the server, without a slash at the end; `''` is the root. */
export function parseBasePath({ source, text }: Pick<SettingText, 'source' | 'text'>): string {
  if (text === '') return ''
  if (!/^(?:\/[\w~-]+)+$/.test(text) || text.length > 200)
    throw new UsageError(
      `${source} must begin with / and have no / at the end, no empty parts and only letters, digits, -, _ and ~, such as /heddle, got ${JSON.stringify(text)}`,
    )
  const first = text.split('/')[1] ?? ''
  // Behind a proxy that removes the base path, `/v1/v1/models` arrives as `/v1/models`, and would be read as the base path and `/models`.
  if (isReservedEntity(first))
    throw new UsageError(`${source} must not begin with a path of the server, got ${JSON.stringify(text)}; choose another such as /heddle`)
  return text
}
