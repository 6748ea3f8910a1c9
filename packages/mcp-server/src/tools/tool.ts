import type { Operation } from '@heddle/core-api'
import type { z } from 'zod'
import type { Answer } from '../answer/answer.ts'
import type { Confirmation } from './confirmation.ts'
import type { ToolContext } from './tool-context.ts'
import type { Toolset } from './toolset.ts'

/** What an assistant can call. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  /** `noun_verb`, at most 40 characters. */
  name: string
  title: string
  /** What for, when not, one example of its arguments. */
  description: string
  toolset: Toolset
  /** The operation of the contract that the tool calls: arguments, effect and text are derived from it. Undefined for tools about tools. */
  operation?: Operation
  /** Fields of the operation, and those that page and shorten an answer. */
  input: Input
  /** Levels of the arguments that the listing writes out. Default: 1, which names objects and lists of objects without their fields. */
  inputDepth?: number
  /** `data` of its answers. */
  output: z.ZodObject
  /** Whether its effect is undone by calling it again with the same arguments. Default: it is for reads. */
  idempotent?: boolean
  /** The effect where it differs from that of the operation, for tools that only read, and leave the write to another tool. */
  effect?: Operation['effect']
  /** True for a tool that writes, but only previews its changes without the right to write. */
  previews?: true
  run: (input: z.output<Input>, context: ToolContext) => Promise<Answer | Confirmation>
}

/** Declares a tool. The value is the argument; the call checks that `run` takes what `input` gives. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}

export function effectOf({ effect, operation }: Pick<Tool, 'effect' | 'operation'>): Operation['effect'] {
  return effect ?? operation?.effect ?? 'read'
}
