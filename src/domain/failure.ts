/**
 * Every reason to refuse a request. `http/responses/failures.ts` has the HTTP status of each; the codes are also the stable `error`
 * of ApiError.
 */
export type FailureCode =
  | 'unsupported_endpoint'
  | 'malformed_request'
  | 'missing_field'
  | 'duplicate_field'
  | 'invalid_idempotency_key'
  | 'invalid_option'
  | 'invalid_gallery_name'
  | 'invalid_urls'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'file_too_large'
  | 'body_too_large'
  | 'unsupported_image_format'
  | 'unreadable_image'
  | 'image_too_large'
  | 'gallery_not_found'
  | 'gallery_already_finalized'
  | 'gallery_full'
  | 'upload_token_incorrect'
  | 'idempotency_key_reused'
  | 'request_in_progress'
  | 'gallery_not_finalizable'
  | 'management_token_not_found'
  | 'content_deleted'
  | 'operation_not_allowed'
  | 'blocked_content'
  | 'rate_limited'
  | 'client_limit_reached'
  | 'content_not_found'
  | 'operator_key_incorrect'
  | 'foreign_origin'
  | 'unsupported_format'
  | 'body_too_slow'
  | 'overloaded'
  | 'storage_unavailable'
  | 'storage_full'

/** A refusal: a stable code and one sentence that tells the caller what to change. It never holds a token. */
export class Failure extends Error {
  readonly code: FailureCode
  /** Whole seconds after which the same request may pass, where that can be told. */
  readonly retryAfterS: number | undefined

  constructor(code: FailureCode, message: string, retryAfterS?: number) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.retryAfterS = retryAfterS
  }
}
