import { isReservedEntity } from '@heddle/identity'
import { UsageError } from '../terminal/usage-error.ts'

/** Checks a path under which browsers see the server, without a slash at the end; `''` is the root. `source` names the setting in errors. */
export function parseBasePath({ source, value = '' }: { source: string; value: string | undefined }): string {
  if (value === '') return ''
  if (!/^(?:\/[\w~-]+)+$/.test(value) || value.length > 200)
    throw new UsageError(
      `${source} must begin with / and have no / at the end, no empty parts and only letters, digits, -, _ and ~, such as /heddle, got ${JSON.stringify(value)}`,
    )
  const first = value.split('/')[1] ?? ''
  // Behind a proxy that takes the base path off, `/v1/v1/models` arrives as `/v1/models`, and would be taken for the base path and `/models`.
  if (isReservedEntity(first))
    throw new UsageError(`${source} must not begin with a path of the server, got ${JSON.stringify(value)}; choose another such as /heddle`)
  return value
}
