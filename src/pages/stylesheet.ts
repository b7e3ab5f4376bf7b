/** Where the pages expect STYLESHEET, on their own host: a policy of `style-src 'self'` suffices. */
export const STYLESHEET_PATH = '/style.css'

/** The style of every page. It loads nothing. */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  font: 1rem/1.5 system-ui, sans-serif;
}
body {
  max-width: 70rem;
  margin: 0 auto;
  padding: 0 1rem 3rem;
  overflow-wrap: anywhere;
}
header {
  padding: 1rem 0;
  font-weight: 600;
}
h1 {
  font-size: 1.5rem;
  line-height: 1.25;
}
h2 {
  font-size: 1.2rem;
}
.image-img {
  max-width: 100%;
  height: auto;
}
.images {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  align-items: center;
}
.images img {
  display: block;
  max-width: 100%;
  height: auto;
}
.label {
  display: inline-block;
  margin: 0;
  padding: 0 0.5rem;
  border: 1px solid;
  font-weight: 600;
}
.pages {
  display: flex;
  flex-wrap: wrap;
  gap: 1rem;
  margin-top: 1.5rem;
}
.facts {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: 0 1rem;
}
.facts dd {
  margin: 0;
}
label {
  display: block;
  margin: 0.5rem 0;
}
label input {
  display: block;
  box-sizing: border-box;
  width: 100%;
  max-width: 40rem;
}
input,
button {
  padding: 0.4rem 0.6rem;
  font: inherit;
}
pre {
  padding: 0.75rem;
  border: 1px solid;
  white-space: pre-wrap;
}
`
