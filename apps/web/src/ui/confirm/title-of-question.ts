/** The first question of a text, and the rest: `''` if there is none. */
export function titleOfQuestion(text: string): { title: string; rest: string } {
  const end = text.indexOf('? ')
  return end === -1 ? { title: text, rest: '' } : { title: text.slice(0, end + 1), rest: text.slice(end + 2) }
}
