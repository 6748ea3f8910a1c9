import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Pending } from '../../ui/states/pending.tsx'
import { redeemSignInLink, sessionQuery } from '../../lib/server/session.ts'
import { SignIn } from '../../features/sign-in/sign-in.tsx'

/** Target of the link that the server printed: signs in with its token, which follows the `#`, and opens the projects. */
export function SignInLinkPage() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [token] = useState(() => window.location.hash.slice(1))
  const { mutate, error } = useMutation({
    mutationFn: redeemSignInLink,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await navigate({ to: '/', replace: true })
    },
  })
  useEffect(() => {
    if (token !== '') redeemOnce(token, mutate)
  }, [token, mutate])

  if (token !== '' && !error) {
    return (
      <main id="content" className="p-8">
        <Pending what="your session" />
      </main>
    )
  }
  return <SignIn key={error?.message} problem={error?.message} />
}

const redeemed = new Set<string>()

/** A token works once, and React may run an effect twice. */
function redeemOnce(token: string, redeem: (token: string) => void): void {
  if (redeemed.has(token)) return
  redeemed.add(token)
  redeem(token)
}
