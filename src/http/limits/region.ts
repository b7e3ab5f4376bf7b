/** East of the first, of North America, and of the second, of Europe, another region is nearer; in Asia, west of the third. */
const MERIDIANS = { enam: -100, eeur: 15, me: 60 }

/**
 * Returns the region of Durable Objects that is nearest to where the client's address is registered; undefined where that is unknown.
 * Its data centre would not do: it may change with every connection, and each region counts by itself.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/#supported-locations
 */
export function regionOf({ cf }: Request): DurableObjectLocationHint | undefined {
  const longitude = Number(cf?.longitude ?? Number.NaN)
  switch (cf?.continent) {
    case 'NA':
      return longitude < MERIDIANS.enam ? 'wnam' : 'enam'
    case 'SA':
      return 'sam'
    case 'EU':
      return longitude >= MERIDIANS.eeur ? 'eeur' : 'weur'
    case 'AS':
      return longitude < MERIDIANS.me ? 'me' : 'apac'
    case 'OC':
      return 'oc'
    case 'AF':
      return 'afr'
    default:
      return undefined
  }
}
