import type { HttpOptions } from './http-options.ts'
import type { ToolChoice } from '../connection/server-options.ts'
import { toolsets, type Toolset } from '../tools/toolset.ts'

/** The tools that a request's headers select, or the selection without headers: never more than the operator allowed. Undefined: all of those. */
export function readChoice(headers: Headers, allowed: ToolChoice, withoutHeaders?: HttpOptions['withoutHeaders']): ToolChoice | undefined {
  const listed = (name: string) =>
    headers
      .get(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .slice(0, 100)
  const wanted = listed('x-heddle-toolsets')
  const tools = listed('x-heddle-tools')
  const excludeTools = listed('x-heddle-exclude-tools')
  const readOnly = headers.get('x-heddle-read-only')?.trim().toLowerCase() === 'true'
  const byDefault = wanted || tools ? undefined : withoutHeaders
  if (!wanted && !tools && !excludeTools && !readOnly && !byDefault) return undefined
  const { allowWrites = false, allowDestructive = false } = allowed
  return {
    ...(wanted && { toolsets: toolsets.filter((name): name is Toolset => wanted.includes(name)) }),
    ...(!wanted && tools && { toolsets: [] }),
    ...(byDefault?.toolsets && { toolsets: byDefault.toolsets }),
    ...(tools && { tools }),
    ...(excludeTools && { excludeTools }),
    readOnly: readOnly || allowed.readOnly === true,
    allowWrites,
    allowDestructive: allowDestructive && byDefault?.allowDestructive !== false,
  }
}
