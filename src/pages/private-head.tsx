/** For pages that contain a secret or have one in their address: search engines and other sites do not get the address. */
export const PRIVATE_HEAD = (
  <>
    <meta name="robots" content="noindex" />
    <meta name="referrer" content="no-referrer" />
  </>
)
