import type { FileStore, StoredFile } from './store.ts'

/** Files in a bucket of R2, whose put resolves when the bytes are stored. */
export function r2Files(bucket: R2Bucket): FileStore {
  return {
    async create(key, bytes, { mediaType }) {
      const stored = await bucket.put(key, bytes, {
        httpMetadata: { contentType: mediaType },
        onlyIf: { etagDoesNotMatch: '*' },
      })
      return stored !== null
    },

    async read(key, range) {
      const object = await bucket.get(key, range ? { range: { ...range } } : {})
      return object ? { ...factsOf(object), body: object.body } : undefined
    },

    async head(key) {
      const object = await bucket.head(key)
      return object ? factsOf(object) : undefined
    },

    async delete(keys) {
      await bucket.delete([...keys])
    },

    async list({ prefix, after, limit }) {
      const { objects, truncated } = await bucket.list({
        limit,
        ...(prefix === undefined ? {} : { prefix }),
        ...(after === undefined ? {} : { startAfter: after }),
      })
      return { files: objects.map(factsOf), isLast: !truncated }
    },
  }
}

function factsOf(object: R2Object): StoredFile {
  const { key, size, httpEtag, uploaded, checksums } = object
  return { key, size, etag: httpEtag, uploaded, md5: checksums.md5 && new Uint8Array(checksums.md5) }
}
