import type { LanguageModelMiddleware as Middleware5 } from 'ai'
import type { LanguageModelMiddleware as Middleware6 } from 'ai-v6'
import type { LanguageModelMiddleware as Middleware7 } from 'ai-v7'
import { expectTypeOf, test } from 'vitest'
import type { AiSdkMiddleware } from './ai-sdk-middleware.ts'

test('the middleware has the types that each version of the AI SDK takes', () => {
  expectTypeOf<AiSdkMiddleware>().toExtend<Middleware5>()
  expectTypeOf<AiSdkMiddleware>().toExtend<Middleware6>()
  expectTypeOf<AiSdkMiddleware>().toExtend<Middleware7>()
})
