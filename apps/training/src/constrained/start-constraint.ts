import type { Constraint, JsonConstraint } from './constraint.ts'
import type { Places, TextSymbol } from './frames/frame.ts'
import { valueFrame } from './frames/value.ts'
import { anyObject } from './schema/any-node.ts'
import type { CompiledSize } from './grammar/compiled-size.ts'
import { compileSchema } from './schema/compile-schema.ts'
import { startTextOrCalls } from './text-or-calls.ts'
import { startToolCalls } from './tool-calls.ts'

/** Where a text under this constraint begins. @throws SchemaError when it cannot be enforced */
export function startConstraint(constraint: Constraint, spell: (text: string) => TextSymbol[], size: CompiledSize): Places {
  switch (constraint.kind) {
    case 'json-object':
    case 'json-schema':
      return startJson(constraint, size)
    case 'tool-call': {
      const { otherwise } = constraint
      if (otherwise === undefined) return startToolCalls(constraint, spell, size)
      if (otherwise.kind === 'text') return startTextOrCalls(constraint, otherwise.open, spell, size)
      return [...startJson(otherwise, size), ...startToolCalls(constraint, spell, size)]
    }
  }
}

function startJson(constraint: JsonConstraint, size: CompiledSize): Places {
  const node = constraint.kind === 'json-object' ? anyObject : compileSchema(constraint.schema, { size })
  return [{ frame: valueFrame(node), rest: null }]
}
