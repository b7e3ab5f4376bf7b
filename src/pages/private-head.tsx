/** For pages that show or are reached by a secret: no search engine keeps them, no other site is told their address. */
export const PRIVATE_HEAD = (
  <>
    <meta name="robots" content="noindex" />
    <meta name="referrer" content="no-referrer" />
  </>
)
