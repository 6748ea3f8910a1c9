import names from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }

/** A reaction's data about its emoji. */
export interface Emoji {
  /** Short name, as `:thumbs_up_medium_skin_tone:`. */
  alias: string
  /** The emoji without skin tones. */
  detoned: string
  /** Its short name. */
  detoned_alias: string
}

const tones = new Map([
  ['\u{1F3FB}', 'light'],
  ['\u{1F3FC}', 'medium-light'],
  ['\u{1F3FD}', 'medium'],
  ['\u{1F3FE}', 'medium-dark'],
  ['\u{1F3FF}', 'dark'],
])
const anyTone = /[\u{1F3FB}-\u{1F3FF}]/gu
const misplacedTone = /(?:^|[\u{1F3FB}-\u{1F3FF}])[\u{1F3FB}-\u{1F3FF}]/u
const presentation = /\uFE0F/g
/** Part after the tones in the name of a person. */
const trait = / (?:red hair|curly hair|white hair|blond hair|bald|beard|facing right)$/

/** Pairs of persons that are one sign without tones and a sequence of two with them. */
const pairs = new Map([
  ['👩‍🤝‍👩', '👭'],
  ['👩‍🤝‍👨', '👫'],
  ['👨‍🤝‍👨', '👬'],
  ['🫱‍🫲', '🤝'],
  ['🧑‍❤‍💋‍🧑', '💏'],
  ['🧑‍❤‍🧑', '💑'],
  ['🧑‍🐰‍🧑', '👯'],
  ['👨‍🐰‍👨', '👯‍♂'],
  ['👩‍🐰‍👩', '👯‍♀'],
  ['🧑‍🫯‍🧑', '🤼'],
  ['👨‍🫯‍👨', '🤼‍♂'],
  ['👩‍🫯‍👩', '🤼‍♀'],
])

/** Pairs whose name mentions both persons only if each has its own tone. */
const twoPersons = new Set(['🧑‍❤‍💋‍🧑', '🧑‍❤‍🧑'])

const known = new Map(
  Object.entries(names).map(([emoji, about]) => [
    emoji.replace(presentation, ''),
    { emoji, name: about.name, takesTones: about.skin_tone_support },
  ]),
)

/** Reads a text that is exactly one emoji; undefined for any other text. Names are the CLDR short names, their words joined by `_`. */
export function readEmoji(text: string): Emoji | undefined {
  const bare = text.replace(presentation, '')
  const found = [...new Set(bare.match(anyTone) ?? [])]
  return found.length === 0 ? readToneless(text, bare) : readToned(bare, found)
}

function readToneless(text: string, bare: string): Emoji | undefined {
  const name = known.get(bare)?.name
  return name === undefined ? undefined : { alias: toAlias(name), detoned: text, detoned_alias: toAlias(name) }
}

function readToned(bare: string, found: readonly string[]): Emoji | undefined {
  const toneless = bare.replace(anyTone, '')
  const base = known.get(pairs.get(toneless) ?? toneless)
  if (base === undefined || !base.takesTones || misplacedTone.test(bare)) return undefined
  const name = twoPersons.has(toneless) ? `${base.name} person, person` : base.name
  return { alias: toAlias(withTones(name, found)), detoned: base.emoji, detoned_alias: toAlias(base.name) }
}

function withTones(name: string, found: readonly string[]): string {
  const last = trait.exec(name)?.[0] ?? ''
  const words = found.map((tone) => `${tones.get(tone)} skin tone`)
  return `${name.slice(0, name.length - last.length)} ${words.join(' ')}${last}`
}

function toAlias(name: string): string {
  return `:${name.replaceAll(/[,:]/g, '').replaceAll(' ', '_')}:`
}
