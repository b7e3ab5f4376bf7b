/**
 * An S3 service refused a request, or its response was not one of S3. The message has the method, the status and the code alone:
 * the body of a response may quote the key id and what was signed.
 */
export class S3Error extends Error {
  override name = 'S3Error'
  /** The status of the response; 0 where there was none. */
  readonly status: number
  /** The code of the error, such as `SlowDown`; empty where the response had none. */
  readonly code: string
  /** The region of the bucket, if the service responds that the request went to another one. */
  readonly region: string | undefined

  constructor(
    request: string,
    status: number,
    code: string,
    { region, ...options }: ErrorOptions & { region?: string | undefined } = {},
  ) {
    super(['S3', request, status || '', code].filter(Boolean).join(' '), options)
    this.status = status
    this.code = code
    this.region = region
  }
}

/** No response came: the connection failed or broke. */
export const NO_RESPONSE = 'NoResponse'
/** A response came that S3 does not have. */
export const ODD_RESPONSE = 'OddResponse'

/**
 * The codes after which a request may be made again. Transient errors and throttling of the AWS SDKs' standard mode
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html), and conflicts of two writes
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html, If-None-Match).
 */
const RETRYABLE_CODES = [
  NO_RESPONSE,
  'RequestTimeout',
  'InternalError',
  'SlowDown',
  'ServiceUnavailable',
  'ConditionalRequestConflict',
  'OperationAborted',
]
const RETRYABLE_STATUSES = [429, 500, 502, 503, 504]

/**
 * Error codes of full storage: quotas of Ceph, MinIO and Swift, and the WebDAV status that Swift and MinIO use for a
 * full disk. Swift says that the file is too large, but S3 accepts 5 GB.
 */
const FULL_CODES = [
  'QuotaExceeded',
  'EntityTooLarge',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'StorageQuotaExceeded',
  'InsufficientStorage',
]
const FULL_STATUS = 507

/** The codes of a service that lacks an operation, or a header that was sent. */
const LACKING_CODES = ['NotImplemented', 'MethodNotAllowed']
const LACKING_STATUSES = [405, 501]

/** Returns whether a request that failed so may be made again. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof S3Error) || isFull(error) || isLacking(error)) return false
  return RETRYABLE_CODES.includes(error.code) || RETRYABLE_STATUSES.includes(error.status)
}

/** Returns whether the service has no room. */
export function isFull(error: unknown): boolean {
  return error instanceof S3Error && (FULL_CODES.includes(error.code) || error.status === FULL_STATUS)
}

/** Returns whether the service lacks an operation, or a header that was sent. */
export function isLacking(error: unknown): boolean {
  return error instanceof S3Error && (LACKING_CODES.includes(error.code) || LACKING_STATUSES.includes(error.status))
}
