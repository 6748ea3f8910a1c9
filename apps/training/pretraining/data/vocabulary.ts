import type { Random } from './random.ts'

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

export const words = list(`
  able acid acorn actor adult after again agent air album alarm alley ant anger ankle apple apron arch area arm army arrow art ash aunt awake
  baby back badge bag bake ball band bank bark barn base basin bath beach bead bean bear bed bee bell belt bench berry bike bird black blade
  blanket blue board boat body bone book boot bottle bowl box boy brain branch brave bread brick bridge broom brush bucket bug bus butter button
  cabin cake camel camp candle cap car card carpet cart castle cat cave chain chair chalk cheese cherry chess chest child circle city clay clock
  cloud coal coat coin cold color comb cook corn cotton cow cup curtain cycle dad dance dark dawn day deer desk dice dish doctor dog doll door
  dove dream dress drum duck dust eagle ear early earth east easy echo edge egg eight elbow empty engine eve evening eye face fact fair fall
  family farm fast fence fern field fig film finger fire fish five flag flame floor flour flower fly fog food foot forest fork fox frame free
  friend frog fruit full game garden gate gift girl glass glove goat gold good grape grass green ground group guest guitar hair half hall hammer
  hand happy harp hat hawk head heart heavy hen hill hive home honey hood hook horse hotel hour house ice idea ink inn iron island item ivory ivy
  jacket jam jar jaw jeans jelly jewel job joke joy judge juice jump jungle kettle key kick kid kind king kite kitten knee knife knot lace ladder
  lake lamp land large lawn leaf left leg lemon letter light lily lion lip list log long lunch lung magic mail map mark mask meal meat melon milk
  mill mint mirror moon moss moth mouse mouth music nail name narrow neck needle nest net new nice night nine noise noon north nose note nut oak
  oar oat ocean office oil old olive one onion open orange orbit otter oven owl ox pace page paint palm pan paper park path pea peach pear pen
  pencil people pepper piano pig pillow pin pine pipe plan plant plate plum pond pony pot queen quick quiet quilt quiz rabbit rain ramp red rice
  ring river road robin rock roof room root rope rose round row rug ruler sail salt sand school sea seed seven sheep shell ship shirt shoe
  silver sister six sky sleep slow small smile snail snow soap sock sofa song soup south spider spoon spring star stone storm street sugar sun
  swan table tail tall tea team ten tent tiger tile time toast tool tooth top tower town toy train tree truck tulip turtle uncle under unit up
  upper urn use valley van vase vest village vine violin visit voice wagon walk wall warm wasp water wave web west wheel white wind window wing
  wolf wood wool word yard yarn year yellow yes yogurt young zebra zero zinc zone zoo`)

export const names = list(`
  Ada Amy Ann Anton Bea Ben Bob Cara Carl Dan Dora Ed Ella Emil Eva Finn Fred Gina Greta Hal Hugo Ida Ivan Jan Jill Kai Karl Lea Leo Lina Lou Max
  Mia Nina Noah Olga Otto Pam Paul Rita Rosa Sam Sara Tim Tina Tom Uma Vera Will Zoe`)

export const cities = list(`
  Athens Berlin Bern Boston Cairo Dakar Delhi Dublin Geneva Hanoi Kyoto Lagos Lima Lisbon London Lyon Madrid Milan Moscow Nice Oslo Paris Porto
  Prague Quito Riga Rome Seoul Sofia Sydney Tokyo Tunis Turin Vienna Warsaw Zurich`)

export const colors = list('red green blue yellow black white brown pink grey purple')

export const things = list('ball bag book box car chair coat cup dress hat kite lamp pen ring shoe sofa table tent')

/** A word of the list, or a pronounceable one that is none: tasks about letters must not be learned by heart. */
export function anyWord(random: Random, { short = false } = {}): string {
  if (random.chance(0.5)) {
    const found = random.pick(words)
    if (!short || found.length <= 5) return found
  }
  const syllables = random.int(1, short ? 2 : 3)
  return (
    Array.from({ length: syllables }, () => random.pick('bcdfghjklmnprstvwz'.split('')) + random.pick('aeiou'.split(''))).join('') +
    (random.chance(0.5) ? random.pick('dlmnrst'.split('')) : '')
  )
}
