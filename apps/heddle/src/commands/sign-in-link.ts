import type { Configuration } from '../settings/configuration.ts'
import { requestSignInLink } from '../request-sign-in-link.ts'
import { connect } from '../connect.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface SignInLinkDeps {
  configuration: Configuration
  terminal: Terminal
}

/** Prints a link that signs a browser in. The link alone goes to the output, so that it can be piped into what opens it. */
export async function signInLink({ configuration, terminal }: SignInLinkDeps): Promise<void> {
  const link = await requestSignInLink(await connect(configuration))
  terminal.note('This link signs one browser in, once, in the next ten minutes, with all that your key may do:')
  terminal.out(link)
}
