import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { deleteFiles, putFiles } from '../../src/storage/files.ts'
import { emptyStore, store } from '../domain/store.ts'

const file = (text: string) => ({ bytes: new TextEncoder().encode(text), mediaType: 'image/gif' })

beforeEach(emptyStore)

test('a file is never overwritten', async () => {
  await putFiles(store, '1/1_a.gif', { images: file('mine'), thumbs: file('small') })
  await expect(putFiles(store, '1/1_a.gif', { images: file('other'), thumbs: file('other') })).rejects.toThrow(
    'stored already',
  )
  expect(await (await env.FILES.get('images/1/1_a.gif'))?.text()).toBe('mine')
})

test('deleting missing files is no error', async () => {
  await deleteFiles(store, ['1/1_a.gif', '9/9_nothing.gif'])
  await deleteFiles(store, [])
  expect((await env.FILES.list()).objects).toEqual([])
})
