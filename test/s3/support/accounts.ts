/** The owner of the buckets, and a user who may only read them. */
export const OWNER = { accessKeyId: 'test:owner', secretAccessKey: 'secret-of-the-owner' }
export const READER = { accessKeyId: 'test:reader', secretAccessKey: 'secret-of-the-reader' }

export const BUCKET = 'pictures'
/** A bucket with a quota. */
export const SMALL_BUCKET = 'small'
export const SMALL_BUCKET_BYTES = 300_000
