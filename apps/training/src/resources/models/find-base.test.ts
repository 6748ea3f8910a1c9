import { expect, test } from 'vitest'
import type { BaseModel } from '../../engine/engine.ts'
import { createFindBase } from './find-base.ts'

const served = { id: 'served' } as BaseModel
const findBase = createFindBase({ baseModels: async () => [served] })

test('the base model of a model is found among those that are served', async () => {
  expect(await findBase({ base_model: 'served' })).toBe(served)
})

test('a base model that is not served is named, up to 200 characters of it', async () => {
  const long = 'm'.repeat(300)
  await expect(findBase({ base_model: 'gone' })).rejects.toMatchObject({
    status: 400,
    message: /^the base model "gone" is not served here; /,
  })
  await expect(findBase({ base_model: long })).rejects.toMatchObject({
    message: expect.stringContaining(`"${long.slice(0, 200)}" is`) as string,
  })
})
