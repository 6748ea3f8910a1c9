import { describe, expect, test } from 'vitest'
import type { BaseModel } from '../../engine/engine.ts'
import { createFindBaseModel } from './find-base-model.ts'

const bases = ['Llama-3.2-1B', 'tiny'].map((id) => ({ id }) as BaseModel)
const refusedBaseModels = [{ folder: '/models/odd', reason: 'config.json has no model_type' }]
const findBaseModel = createFindBaseModel({ engine: { baseModels: async () => bases }, refusedBaseModels })

describe('a base model is found', () => {
  test.each([
    ['by its id', 'tiny', 'tiny'],
    ['with an organization before it', 'meta-llama/Llama-3.2-1B', 'Llama-3.2-1B'],
    ['by the path of a folder', '/home/me/models/tiny', 'tiny'],
  ])('%s', async (_, name, id) => {
    expect((await findBaseModel(name)).id).toBe(id)
  })

  test('by its whole id rather than by the part after a slash', async () => {
    const find = createFindBaseModel({
      engine: { baseModels: async () => [{ id: 'b' }, { id: 'a/b' }] as BaseModel[] },
      refusedBaseModels: [],
    })
    expect((await find('a/b')).id).toBe('a/b')
    expect((await find('other/b')).id).toBe('b')
  })
})

describe('a name of no base model', () => {
  test.each(['Qwen/Qwen3-8B', 'meta-llama', 'tiny/', '', 'TINY'])('%o is refused with the models there are', async (name) => {
    await expect(findBaseModel(name)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(
        `base_model ${JSON.stringify(name)} is not a base model; this server has Llama-3.2-1B, tiny. Name one`,
      ) as string,
    })
  })

  test('is refused with the name that a folder would need', async () => {
    await expect(findBaseModel('Qwen/Qwen3-8B')).rejects.toThrow('add a folder of the name "Qwen3-8B" to the base models')
  })

  test.each(['odd', 'org/odd'])('%s of a refused folder is refused with the reason', async (name) => {
    await expect(findBaseModel(name)).rejects.toThrow(`base_model "${name}" cannot be used: config.json has no model_type`)
  })

  test('is repeated up to 200 characters', async () => {
    const long = 'm'.repeat(300)
    await expect(findBaseModel(long)).rejects.toThrow(`base_model "${long.slice(0, 200)}" is not`)
  })
})
