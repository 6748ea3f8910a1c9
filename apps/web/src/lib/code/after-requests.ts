/** Resolves when the requests that are being made have been sent. A browser sends few at once: code that is fetched for their answers comes after them. */
export const afterRequests = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
