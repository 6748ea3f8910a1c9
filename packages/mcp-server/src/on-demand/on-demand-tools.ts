import { z } from 'zod'
import { nearestName } from '@heddle/spelling'
import { ToolError } from '../answer/tool-error.ts'
import { describeTool } from '../tools/schema/describe-tool.ts'
import { parseArguments } from '../tools/schema/parse-arguments.ts'
import { defineTool, effectOf, type Tool } from '../tools/tool.ts'
import { findTools } from './find-tools.ts'

/** The tools that replace all others, for clients that load a listing into every conversation. */
export interface OnDemandTools {
  /** The listed tools, by name. */
  listed: readonly Tool[]
  /** The tool requested by `tool_call`, with its arguments; undefined for a call of another tool. @throws ToolError if it does not exist */
  resolve(tool: Tool, given: unknown): { tool: Tool; given: Record<string, unknown> } | undefined
}

/** Needed often, so that it is listed itself. */
const alwaysListed = 'eval_summary_get'

const SearchInput = z.object({
  query: z.string().min(1).max(300).describe('What to do, in a few words, such as "rows that got worse"'),
  limit: z.int().min(1).max(10).default(3),
})

const SearchOutput = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      effect: z.enum(['read', 'write', 'destroy']),
      arguments: z.record(z.string(), z.unknown()).describe('JSON Schema'),
    }),
  ),
  names: z.array(z.string()).describe('All tools'),
})

const CallInput = z.object({
  name: z.string().min(1).max(60).describe('Name of the tool, from tools_search'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('Its arguments'),
})

/** Offers `reachable` through two tools: one that finds, and one that calls. */
export function createOnDemandTools(reachable: readonly Tool[]): OnDemandTools {
  const names = reachable.map(({ name }) => name)
  const search = defineTool({
    name: 'tools_search',
    title: 'Find a tool',
    description:
      'Finds tools for evaluations, traces, training jobs and models by what they do, with their arguments. Then run one with tool_call. Example: {"query": "compare two evaluations"}',
    toolset: 'evals',
    effect: 'read',
    input: SearchInput,
    output: SearchOutput,
    async run({ query, limit }) {
      const found = findTools(query, reachable).slice(0, limit)
      const headline =
        found.length > 0
          ? `${found.map(({ name }) => name).join(', ')}. Run one with tool_call.`
          : `No tool is about that. There are ${names.join(', ')}.`
      return { headline, data: { tools: found.map(toFound), names } }
    },
  })
  const effects = new Set(reachable.map(effectOf))
  const call = defineTool({
    name: 'tool_call',
    title: 'Call a tool',
    description:
      'Runs a tool that tools_search found. Its answer is that of the tool. Example: {"name": "evals_list", "arguments": {"limit": 5}}',
    toolset: 'evals',
    effect: effects.has('destroy') ? 'destroy' : effects.has('write') ? 'write' : 'read',
    idempotent: false,
    input: CallInput,
    output: z.object({}),
    run: () => Promise.reject(new ToolError('internal', 'the tool was not resolved', 'Call it by its own name.')),
  })
  return {
    listed: [...reachable.filter(({ name }) => name === alwaysListed), search, call].toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    ),
    resolve(tool, given) {
      if (tool !== call) return undefined
      const { name, arguments: inner, max_tokens } = parseArguments(call, given) as z.output<typeof CallInput> & { max_tokens?: number }
      const wanted = reachable.find((one) => one.name === name)
      if (!wanted) throw noSuchTool(name, names)
      return { tool: wanted, given: { ...(max_tokens !== undefined && { max_tokens }), ...inner } }
    },
  }
}

function toFound(tool: Tool) {
  const { name, title, description, inputSchema } = describeTool(tool)
  return { name, title, description, effect: effectOf(tool), arguments: inputSchema }
}

function noSuchTool(name: string, names: readonly string[]): ToolError {
  const nearest = nearestName(name, names)
  return new ToolError(
    'not_found',
    `no tool ${JSON.stringify(name)} is offered here`,
    nearest === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean ${nearest}?`,
  )
}
