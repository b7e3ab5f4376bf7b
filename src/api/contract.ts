// Static assets that tools/build/openapi.ts writes. Their links are on the placeholder's domain.

/** The OpenAPI document in JSON. */
export const OPENAPI_JSON_PATH = '/contract/openapi.json'

/** Path of the OpenAPI document in YAML. */
export const OPENAPI_YAML_PATH = '/contract/openapi.yaml'

/** The markup of the reference of all operations. */
export const REFERENCE_PATH = '/contract/reference.html'
