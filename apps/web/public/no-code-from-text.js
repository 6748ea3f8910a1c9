// The schemas of the contract would compile themselves into functions, which the content policy refuses. This runs before they are made.
globalThis.__zod_globalConfig = { jitless: true }
