import { describe, expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { avif, gif, jpeg, photo, plain, png } from '../contract/support/images.ts'
import { expectResponse, type Outcome, textOf } from './support/outcome.ts'
import { callPackage, clientFile, mayRunClients } from './support/run-client.ts'

const api = sharedApi()

const upload = (method: string, source: string): Promise<Outcome> => callPackage('node-upload-images', method, source)

describe.skipIf(!mayRunClients())('npm node-upload-images 1.0.1, as published', () => {
  test.for([
    ['uploadFromBinary', 'Märchen.jpg', 'marchen.jpg', () => jpeg(photo(300, 200))],
    ['uploadFromFile', 'still.gif', 'still.gif', () => gif(plain(30, 20, [255, 0, 0]))],
    ['uploadFromFile', 'photo.avif', 'photo.avif', () => avif(photo(64, 48))],
  ] as const)('%s of %s finds the direct link in the page', async ([method, filename, name, image]) => {
    const bytes = await image()
    const response = expectResponse(await upload(method, await clientFile(filename, bytes)))
    expect(response).toEqual({
      directLink: expect.stringMatching(`^https://img1\\.pixhost\\.to/images/[0-9]+/[0-9]+_${name}$`),
    })
    expect((await api.follow(textOf(response, 'directLink'))).bytes).toEqual(bytes)
  })

  test('uploadFromUrl copies an image from the service to the service', async () => {
    const bytes = await png(photo(60, 40))
    const first = textOf(
      expectResponse(await upload('uploadFromFile', await clientFile('one.png', bytes))),
      'directLink',
    )
    const second = textOf(expectResponse(await upload('uploadFromUrl', first)), 'directLink')
    expect(second).not.toBe(first)
    expect((await api.follow(second)).bytes).toEqual(bytes)
  })

  test('receives the status of a rejection', async () => {
    const file = await clientFile('letter.png', Buffer.from('not a picture'))
    expect(await upload('uploadFromFile', file)).toEqual({ refusal: expect.stringContaining('status code 414') })
  })
})
