import names from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readEmoji } from './emoji.ts'

test.each([
  ['👍', ':thumbs_up:', '👍', ':thumbs_up:'],
  ['👍🏽', ':thumbs_up_medium_skin_tone:', '👍', ':thumbs_up:'],
  ['🎅🏿', ':Santa_Claus_dark_skin_tone:', '🎅', ':Santa_Claus:'],
  ['❤️', ':red_heart:', '❤️', ':red_heart:'],
  ['❤', ':red_heart:', '❤', ':red_heart:'],
  ['🕵🏻‍♂️', ':man_detective_light_skin_tone:', '🕵️‍♂️', ':man_detective:'],
  ['👩🏾‍🦰', ':woman_medium-dark_skin_tone_red_hair:', '👩‍🦰', ':woman_red_hair:'],
  ['👩🏼‍🤝‍👨🏿', ':woman_and_man_holding_hands_medium-light_skin_tone_dark_skin_tone:', '👫', ':woman_and_man_holding_hands:'],
  ['👨🏻‍❤️‍💋‍👨🏻', ':kiss_man_man_light_skin_tone:', '👨‍❤️‍💋‍👨', ':kiss_man_man:'],
  ['🏳️‍🌈', ':rainbow_flag:', '🏳️‍🌈', ':rainbow_flag:'],
  ['🇩🇪', ':flag_Germany:', '🇩🇪', ':flag_Germany:'],
  ['3️⃣', ':keycap_3:', '3️⃣', ':keycap_3:'],
])('%s is %s, without tones %s %s', (text, alias, detoned, detoned_alias) => {
  expect(readEmoji(text)).toEqual({ alias, detoned, detoned_alias })
})

test.each(['', 'x', '👍👍', '👍 ', '👍x', ':thumbs_up:', '🏽', '👍🏽🏽', '🏽👍', '🔥🏽', '👩‍🤝‍👨', '3', '🇩', '️'])(
  '%j is not exactly one emoji',
  (text) => expect(readEmoji(text)).toBeUndefined(),
)

test('every known emoji is one, with every tone that it takes', () => {
  const unread = Object.entries(names).flatMap(([emoji, { skin_tone_support }]) => {
    const [first = '', ...rest] = emoji.replaceAll('\uFE0F', '')
    const toned = skin_tone_support ? ['🏻', '🏼', '🏽', '🏾', '🏿'].map((tone) => first + tone + rest.join('')) : []
    return [emoji, ...toned].filter((text) => readEmoji(text) === undefined)
  })
  expect(unread).toEqual([])
})
