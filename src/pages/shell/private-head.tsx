/**
 * For pages that contain a secret or have one in their address: search engines and other sites do not get the address.
 * With the policy `no-referrer`, browsers would send `Origin: null` with the page's forms.
 */
export const PRIVATE_HEAD = (
  <>
    <meta name="robots" content="noindex" />
    <meta name="referrer" content="strict-origin" />
  </>
)
