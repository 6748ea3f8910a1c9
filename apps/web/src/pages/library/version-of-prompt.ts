import { parseRef } from '@heddle/core-api'
import type { ProjectName } from '../../lib/use-project.ts'

/** Depth to which the value of a model is searched. */
const maxDepth = 6

/** The version of a prompt that a model is built with: the first reference to the prompt in its value. A digest, or `v3`. */
export function versionOfPrompt(model: unknown, { entity, project }: ProjectName, name: string): string | undefined {
  const find = (value: unknown, depth: number): string | undefined => {
    if (typeof value === 'string') {
      const ref = value.startsWith(`weave:///${entity}/${project}/object/`) ? parseRef(value) : undefined
      return ref?.kind === 'object' && ref.name === name ? ref.digest : undefined
    }
    if (typeof value !== 'object' || value === null || depth === maxDepth) return undefined
    for (const one of Object.values(value)) {
      const found = find(one, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(model, 0)
}
