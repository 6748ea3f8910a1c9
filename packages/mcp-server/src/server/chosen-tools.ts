import { effectOf, type Tool } from '../tools/tool.ts'
import type { Toolset } from '../tools/toolset.ts'
import { tools } from '../tools/tools.ts'
import type { ToolChoice } from '../connection/server-options.ts'

const defaultToolsets: readonly Toolset[] = ['evals', 'traces', 'training']

/** The tools that a choice allows, by name. */
export function chosenTools(choice: ToolChoice, all: readonly Tool[] = tools): Tool[] {
  const { tools: named, excludeTools = [], readOnly = false, allowWrites = false, allowDestructive = false } = choice
  const toolsets = choice.toolsets ?? (named === undefined ? defaultToolsets : [])
  return all.filter((tool) => {
    if (!toolsets.includes(tool.toolset) && !named?.includes(tool.name)) return false
    if (excludeTools.includes(tool.name)) return false
    const effect = effectOf(tool)
    if (effect === 'destroy') return allowDestructive && !readOnly
    // A tool that previews its writes is kept without the right to write.
    return effect === 'read' || (!readOnly && (allowWrites || tool.previews === true))
  })
}

/** The names among these that no tool has. */
export function unknownTools(names: readonly string[], all: readonly Tool[] = tools): string[] {
  return names.filter((name) => !all.some((tool) => tool.name === name))
}
