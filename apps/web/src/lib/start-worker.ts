interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => { createScriptURL: (url: string) => string }
}

/** The content policy takes no text as the address of a script: these were built with the page. Browsers without such policies take texts. */
const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('own-workers', { createScriptURL: (url) => url })

/** Starts a thread of the page from an address that the build gave. */
export function startWorker(builtUrl: string): Worker {
  return new Worker(policy?.createScriptURL(builtUrl) ?? builtUrl, { type: 'module' })
}
