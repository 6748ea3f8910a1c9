import type { ToolChoice } from '../server/server-options.ts'
import { toolsets, type Toolset } from '../tools/toolset.ts'

/** The tools that headers of a request leave: they can only take away from what the operator allowed. */
export function readChoice(headers: Headers, allowed: ToolChoice): ToolChoice | undefined {
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
  if (!wanted && !tools && !excludeTools && !readOnly) return undefined
  const { allowWrites = false, allowDestructive = false } = allowed
  return {
    ...(wanted && { toolsets: toolsets.filter((name): name is Toolset => wanted.includes(name)) }),
    ...(!wanted && tools && { toolsets: [] }),
    ...(tools && { tools }),
    ...(excludeTools && { excludeTools }),
    readOnly: readOnly || allowed.readOnly === true,
    allowWrites,
    allowDestructive,
  }
}
