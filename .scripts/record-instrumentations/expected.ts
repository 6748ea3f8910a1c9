import { type AskedMessage, isToolResult, type ServedUsage } from './stand-in/scripted-replies.ts'
import { datedModels, type ServedRequest } from './stand-in/start-stand-in.ts'
import type { RecordingEntry, Told } from './manifest.ts'

const longestText = 60

/**
 * What is true of a recording, from what the stand-in served: the counts and messages of each request, in the traces that the manifest names.
 * What the spans do not carry is left out, as the manifest says.
 */
export function expectedOf(entry: RecordingEntry, served: readonly ServedRequest[], made_with: Record<string, string>) {
  const { traces, lacks = [], told = {}, ...facts } = entry.expected
  const models = new Set(served.map(({ model }) => modelPattern(model)))
  return {
    made_with,
    ...facts,
    model: `/^(${[...models].join('|')})$/`,
    traces: traces.map(({ scenes, only, isRetried = false, lacks: more = [], ...trace }) => ({
      ...trace,
      model_calls: served
        .filter(({ scene }) => scenes.includes(scene))
        .filter((_, at, requests) => (only === undefined || at === only) && (!isRetried || at === requests.length - 1))
        .map((request) => (request.scene in told ? { ...request, usage: told[request.scene] ?? null } : request))
        .map((request) => expectedCall(request, new Set([...lacks, ...more]))),
    })),
  }
}

/** A model by its name, its alias, or either with the provider's name before it. */
function modelPattern(model: string): string {
  const alias = Object.entries(datedModels).find(([, dated]) => dated === model)?.[0]
  return `([a-z]+/)?${alias === undefined ? model : `${alias}(${model.slice(alias.length)})?`}`
}

function expectedCall(request: ServedRequest, lacks: ReadonlySet<Told>) {
  if (request.scene === 'embed') return countsOf(request.usage ?? {}, lacks)
  if (request.refused)
    return {
      ...(!lacks.has('failed') && { failed: true }),
      ...(request.usage && countsOf(request.usage, lacks)),
      ...(lacks.has('in') ? {} : { in: textsOf(request.messages, lacks) }),
    }
  return {
    ...countsOf(request.usage ?? {}, lacks),
    ...(lacks.has('in') ? {} : { in: textsOf(request.messages, lacks) }),
    ...(lacks.has('out') ? {} : { out: replyTexts(request.reply, lacks) }),
  }
}

/** Counts that are 0 are left out, but for input and output. */
function countsOf(usage: Partial<ServedUsage>, lacks: ReadonlySet<Told>) {
  const { input = 0, cached = 0, written = 0 } = usage
  const counts = lacks.has('cachedInput') ? { input: input - cached - written, output: usage.output ?? 0 } : usage
  const told = Object.entries(counts).filter(
    ([name, count]) => !lacks.has(name as Told) && (count > 0 || name === 'input' || name === 'output'),
  )
  return lacks.has('usage') ? {} : Object.fromEntries(told)
}

const textsOf = (messages: readonly AskedMessage[], lacks: ReadonlySet<Told>) =>
  messages
    .filter(({ role }) => !(role === 'system' && lacks.has('system')))
    .filter(({ role }) => !(role === 'tool' && lacks.has('results')))
    .map((message) => ({ ...message, role: isToolResult(message) ? 'tool' : message.role }))
    .map(({ role, texts }) => ({ role, has: texts.map(beginningOf).filter((text) => text !== '') }))

function replyTexts({ thinking, text, tool }: ServedRequest['reply'], lacks: ReadonlySet<Told>) {
  const said = [...(thinking === undefined || lacks.has('thinking') ? [] : [thinking]), ...(text === undefined ? [] : [text])]
  const called = tool === undefined || lacks.has('calls') ? [] : [tool.name, ...Object.values(tool.input).map(String)]
  return [...said.map((each) => ({ role: 'assistant', has: [each] })), ...(called.length > 0 ? [{ role: 'assistant', has: called }] : [])]
}

/** Enough of a text to know it by, without what JSON would escape. */
const beginningOf = (text: string) => (/[^\n"\\]+/.exec(text.trim())?.[0] ?? '').slice(0, longestText).trim()
