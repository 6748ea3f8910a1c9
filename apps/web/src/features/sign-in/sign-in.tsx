import { Mark } from '../../ui/brand/mark.tsx'
import { Weave } from './weave.tsx'
import { SignInFoot } from './sign-in-foot.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { ThemeMenu } from '../theme/theme-menu.tsx'

/** Requests a key, and keeps the opened address. `problem`: why another way to sign in has failed. */
export function SignIn({ problem }: { problem?: string | undefined }) {
  return (
    <div className="flex min-h-dvh bg-sheet">
      <main id="content" className="flex w-full flex-col p-8 lg:w-[46%] lg:min-w-[480px]">
        <div className="flex items-center gap-2.5">
          <Mark size={24} />
          <span className="text-lg font-semibold tracking-tight">Heddle</span>
          <span className="grow" />
          <ThemeMenu />
        </div>
        <div className="mx-auto flex w-full max-w-88 grow flex-col justify-center py-10">
          <h1 className="text-2xl font-semibold tracking-tight">Sign in</h1>
          <p className="mt-1 mb-6 text-base text-fg-2">
            to <span className="mono text-fg">{window.location.host}</span>
          </p>
          <SignInForm problem={problem} />
          <p className="mt-6 text-fg-3">
            No key? The server printed one when it first started, and <code>heddle sign-in-link</code> prints a link that signs you in.
          </p>
        </div>
        <SignInFoot />
      </main>
      <div className="relative grow overflow-hidden border-l border-line bg-sunken max-lg:hidden" aria-hidden>
        <Weave />
      </div>
    </div>
  )
}

/** Above a page whose session has ended: the page keeps the user's input. */
export function SignInAgain() {
  return (
    <section aria-labelledby="sign-in-again" className="shrink-0 border-b border-line bg-sunken px-4 py-4">
      <h2 id="sign-in-again" className="text-lg font-semibold">
        Your session has ended
      </h2>
      <p className="mb-3 text-fg-2">Sign in again. The page keeps what you typed.</p>
      <div className="max-w-88">
        <SignInForm />
      </div>
    </section>
  )
}
