/** Longitudes at which another region of the same continent becomes nearer, in degrees. */
const MERIDIANS = { northAmerica: -100, europe: 15, asia: 60 }

/**
 * Returns the region of Durable Objects that is nearest to the client's location; undefined where that is unknown. The location
 * is that of the address, because the data centre may change with every connection, and each region counts by itself.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/#supported-locations
 */
export function regionOf({ cf }: Request): DurableObjectLocationHint | undefined {
  const longitude = Number(cf?.longitude ?? Number.NaN)
  switch (cf?.continent) {
    case 'NA':
      return longitude < MERIDIANS.northAmerica ? 'wnam' : 'enam'
    case 'SA':
      return 'sam'
    case 'EU':
      return longitude >= MERIDIANS.europe ? 'eeur' : 'weur'
    case 'AS':
      return longitude < MERIDIANS.asia ? 'me' : 'apac'
    case 'OC':
      return 'oc'
    case 'AF':
      return 'afr'
    default:
      return undefined
  }
}
