/** Token counts of one reply. `input` includes `cached` and `written`, `output` includes `reasoning`. */
export interface ServedUsage {
  input: number
  output: number
  cached: number
  written: number
  reasoning: number
}

/** The situations that programs can put a model into. A request is recognized by its last question of a user. */
export type Scene = 'trip' | 'count' | 'hard' | 'broken' | 'refuse' | 'embed' | 'other'

/** What a provider answers, in no particular wire format. */
export interface Reply {
  scene: Scene
  thinking?: string
  text?: string
  tool?: { name: string; input: Record<string, unknown> }
  usage: ServedUsage
  /** The request is answered by 400. */
  refused?: true
}

/** A message that a program sent: its texts, the names of tools that it calls and the values that it hands to them. */
export interface AskedMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  texts: string[]
}

/** What of a request decides the reply. */
export interface Question {
  messages: readonly AskedMessage[]
  toolNames: readonly string[]
}

const scenes: readonly [Scene, RegExp][] = [
  ['refuse', /REFUSE/],
  ['hard', /six times seven/],
  ['count', /count to three/],
  ['broken', /weather in Atlantis/],
  ['trip', /weather in Ulm/],
]

const usageOf = (input: number, output: number, more: Partial<ServedUsage> = {}): ServedUsage => ({
  input,
  output,
  cached: 0,
  written: 0,
  reasoning: 0,
  ...more,
})

/** Picks the reply to a request by its newest question that is known here. */
export function replyTo({ messages, toolNames }: Question): Reply {
  const userTexts = messages.filter(({ role }) => role === 'user').flatMap(({ texts }) => texts)
  const isAnswered = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1).some(isToolResult)
  const scene = userTexts.toReversed().flatMap((text) => scenes.filter(([, pattern]) => pattern.test(text)).map(([name]) => name))[0]
  switch (scene) {
    case 'refuse':
      return { scene, usage: usageOf(0, 0), refused: true }
    case 'hard':
      return answer({ scene, toolNames, thinking: 'Six times seven.', text: 'Forty-two, after some thought.', usage: hardUsage })
    case 'count':
      return answer({ scene, toolNames, text: 'One, two, three.', usage: usageOf(53, 11) })
    case 'trip':
    case 'broken':
      return weatherReply(scene, isAnswered, toolNames)
    default:
      return { scene: 'other', text: 'Nothing to add.', usage: usageOf(19, 3) }
  }
}

/** Some frameworks hand results back as messages of the user. */
export const isToolResult = ({ role, texts }: AskedMessage) => role === 'tool' || texts.some((text) => /^(Observation|Error):/.test(text))

const hardUsage = usageOf(1409, 257, { cached: 1024, written: 100, reasoning: 128 })
const cities = { trip: 'Ulm', broken: 'Atlantis' }
const weatherAnswers = {
  trip: { text: 'It is 17 degrees in Ulm.', usage: usageOf(307, 17, { cached: 192 }) },
  broken: { text: 'The weather in Atlantis is not known.', usage: usageOf(331, 13) },
}

function weatherReply(scene: 'trip' | 'broken', isAnswered: boolean, toolNames: readonly string[]): Reply {
  const name = toolNames.find((each) => /get_?weather/i.test(each))
  if (isAnswered || name === undefined) return answer({ scene, toolNames, ...weatherAnswers[scene] })
  return { scene, tool: { name, input: { city: cities[scene] } }, usage: usageOf(211, 31) }
}

/** A final text, by the tool for final answers where the request brings one. */
function answer({ toolNames, text, ...reply }: Reply & { toolNames: readonly string[]; text: string }): Reply {
  if (!toolNames.includes('final_answer')) return { ...reply, text }
  return { ...reply, tool: { name: 'final_answer', input: { answer: text } } }
}
