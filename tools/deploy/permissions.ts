/** Rights of a token, as Cloudflare's dashboard names them. */
export const PERMISSIONS = {
  accounts: 'Account, Account Settings, Read',
  databases: 'Account, D1, Edit',
  workers: 'Account, Workers Scripts, Edit',
  buckets: 'Account, Workers R2 Storage, Edit',
  zones: 'Zone, Zone, Read',
  routes: 'Zone, Workers Routes, Edit',
  records: 'Zone, DNS, Read',
  certificates: 'Zone, SSL and Certificates, Read',
  plan: 'Account, Billing, Read',
}
