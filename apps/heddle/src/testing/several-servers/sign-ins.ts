import { ask, askForStatus, Unanswered, untilAnswered, type Work } from './work.ts'

/** People who sign in by links, are known by their cookies on every server, and sign out. */
export function signIns(url: string, apiKey: string): Work {
  const found: string[] = []
  const authorization = `Bearer ${apiKey}`
  /** Signed in for as long as everything runs. */
  let lasting: string | undefined
  const note = (fault: string, isWrong: boolean) => void (isWrong && found.push(fault))
  const who = (cookie: string) => askForStatus(`${url}/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  const redeem = (token: string) => ask(`${url}/session/link/redeem`, { method: 'POST', body: JSON.stringify({ token }) })

  async function signInByLink(): Promise<string> {
    const { token } = (await (await ask(`${url}/session/link`, { method: 'POST', headers: { authorization } })).json()) as { token: string }
    const [first, second] = await Promise.allSettled([redeem(token), redeem(token)])
    const answers = [first, second].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const accepted = answers.filter(({ ok }) => ok)
    note(`a link signed in ${accepted.length} times`, accepted.length > 1 || (answers.length === 2 && accepted.length === 0))
    const cookie = accepted[0]?.headers.get('set-cookie')?.split(';')[0]
    if (cookie === undefined) throw new Unanswered('the answer that signed in by a link was lost')
    return cookie
  }

  return {
    name: 'sign-ins',
    async step() {
      lasting ??= await signInByLink()
      const cookie = await signInByLink()
      for (let request = 0; request < 3; request++) {
        note('the session of a cookie that was just set is not known', (await untilAnswered(() => who(cookie))) !== 200)
        note('a session was lost', (await untilAnswered(() => who(lasting ?? ''))) !== 200)
      }
      await untilAnswered(() => ask(`${url}/session`, { method: 'DELETE', headers: { cookie, 'sec-fetch-site': 'same-origin' } }))
      for (let request = 0; request < 3; request++)
        note('a session that was ended is still known', (await untilAnswered(() => who(cookie))) !== 401)
    },
    async faults() {
      note('the session from the beginning was lost', lasting === undefined || (await who(lasting)) !== 200)
      return found
    },
  }
}
