import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Pending } from '../../components/pending.tsx'
import { redeemSignInLink, sessionQuery } from '../../app/session.ts'
import { SignIn } from '../../app/sign-in.tsx'

/** Where the link that the server printed leads: signs in with its token, which stands after `#`, and goes to the projects. */
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

  if (token !== '' && !error) return <Pending what="your session" />
  return (
    <>
      {error && (
        <p role="alert" className="problem">
          {error.message}
        </p>
      )}
      <SignIn />
    </>
  )
}

const redeemed = new Set<string>()

/** A token works once, and React may run an effect twice. */
function redeemOnce(token: string, redeem: (token: string) => void): void {
  if (redeemed.has(token)) return
  redeemed.add(token)
  redeem(token)
}
