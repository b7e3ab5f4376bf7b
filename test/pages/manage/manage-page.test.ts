import { expect, test } from 'vitest'
import { manageDonePage, managePage } from '../../../src/pages/manage/manage-page.tsx'
import { CONTEXT, MANAGED_GALLERY, MANAGED_IMAGE, MANAGED_IMAGES, select } from '../samples.ts'

const ACTION = 'https://one.example/manage/TOKEN'

test.each([
  ['gallery', MANAGED_GALLERY, ['rename', 'create-guests', 'delete']],
  ['image', MANAGED_IMAGE, ['edit', 'delete']],
])('for an %s there are forms to %j', async (_kind, props, actions) => {
  const html = managePage(props)
  const forms = await select(html, 'form:not([enctype])')
  expect(forms.map(({ attributes }) => [attributes.get('method'), attributes.get('action')])).toEqual(
    actions.map((action) => ['post', action === 'create-guests' ? `${ACTION}#guests` : ACTION]),
  )
  const buttons = await select(html, 'form button[type=submit][name=action]')
  expect(buttons.map(({ attributes }) => attributes.get('value'))).toEqual(actions)
})

test('it says what it is, what it contains and what deleting does', () => {
  const html = managePage(MANAGED_GALLERY)
  expect(html).toContain('<h1>Manage your gallery</h1>')
  expect(html).toContain('<dd dir="auto">Cats</dd>')
  expect(html).toContain('<a class="button" href="https://one.example/gallery/abcdefghij">')
  expect(html).toContain('<dd>2 pictures</dd>')
  expect(html).toContain('This permanently deletes the gallery and all its pictures.')
})

test.each([
  ['the stored name', {}, 'Cats'],
  ['no name for an untitled gallery', { name: '' }, ''],
  ['a refused name, to be mended', { error: 'invalid_name', refusedName: 'Cats "\'<&' }, 'Cats &quot;&#39;&lt;&amp;'],
] as const)('the field contains %s', async (_what, change, value) => {
  const html = managePage({ ...MANAGED_GALLERY, ...change })
  expect(html).toContain(`<input id="name" type="text" name="name" value="${value}"`)
})

test.each([
  [{}, [], []],
  [{ renamedFrom: 'Dogs' }, ['Gallery renamed. Dogs  Cats'], []],
  [{ renamedFrom: '' }, ['Gallery renamed. Untitled gallery  Cats'], []],
  [{ renamedFrom: 'Cats' }, ['Gallery renamed. '], []],
  [{ images: MANAGED_IMAGES, deletedImage: 'dog.jpg' }, ['dog.jpg deleted.'], []],
  [{ images: MANAGED_IMAGES, error: 'image_deleted' }, [], ['Already deleted']],
  [{ images: MANAGED_IMAGES, saved: true }, ['Saved.'], []],
  [{ images: MANAGED_IMAGES, error: 'invalid_texts' }, [], ['Use up to 1,000 characters.']],
  [{ error: 'invalid_name' }, [], ['Use a name of up to 255 characters, without emoji, line breaks, &lt; or &gt;.']],
  [{ error: 'not_confirmed' }, [], ['Nothing has been deleted. Tick the box to confirm.']],
  [{ failed: 2 }, [], ['2 pictures could not be uploaded.']],
  [
    { refused: [{ name: 'notes.jpg', error: { status: 414, code: 'unsupported_image_format', text: '' } }] },
    [],
    ['1 picture could not be uploaded.'],
  ],
] as const)('%j is shown as status %j and alert %j', async (change, status, alert) => {
  const html = managePage({ ...MANAGED_GALLERY, ...change })
  expect((await select(html, '[role=status]')).map(({ text }) => text)).toEqual(status)
  expect((await select(html, ':not([hidden]) > [role=alert]')).map(({ text }) => text)).toEqual(alert)
})

test('each image of a gallery has a button that deletes it, folded away, and NSFW ones no thumbnail', async () => {
  const html = managePage({ ...MANAGED_GALLERY, images: MANAGED_IMAGES })
  const buttons = await select(html, 'details > button.danger')
  expect(buttons.map(({ attributes }) => attributes.get('value'))).toEqual(['delete-image', 'delete-image'])
  const images = await select(html, 'input[type=hidden][name=image]')
  expect(images.map(({ attributes }) => attributes.get('value'))).toEqual(MANAGED_IMAGES.items.map(({ path }) => path))
  expect((await select(html, 'details[open]')).length).toBe(0)
  expect((await select(html, '.managed-images summary')).map(({ text }) => text)).toEqual([
    'Edit caption cat.jpg',
    'Delete cat.jpg',
    'Edit caption a-cat-with-a-long-name.jpg',
    'Delete a-cat-with-a-long-name.jpg',
  ])
  expect((await select(html, '.managed-thumbnail')).map(({ text }) => text)).toEqual(['', 'Adult content'])
  // After it the same page is shown, or the last one if there are fewer.
  expect(html).toContain(`<form method="post" action="${ACTION}?page=2#pictures"`)
})

test('each image of a gallery has its texts, buttons that move it, and one that makes it the cover unless it is', async () => {
  const html = managePage({ ...MANAGED_GALLERY, images: MANAGED_IMAGES })
  expect((await select(html, '.managed-images textarea')).map(({ text }) => text)).toEqual([
    'A cat &lt; a dog',
    'A cat on a mat',
    '',
    '',
  ])
  const values = await select(html, '.managed-images button[name=action]')
  const changes = values.map(({ attributes }) => attributes.get('value')).filter((value) => value !== 'delete-image')
  expect(changes).toEqual(['earlier', 'later', 'edit', 'earlier', 'later', 'edit', 'cover'])
  expect((await select(html, '.managed-moves strong')).map(({ text }) => text)).toEqual(['Cover'])
})

test('deleting must be confirmed', async () => {
  const [box] = await select(managePage(MANAGED_IMAGE), 'form input[type=checkbox][name=confirm]')
  expect(box?.attributes.has('required')).toBe(true)
})

test('a name is text, never markup', async () => {
  const html = managePage({ ...MANAGED_GALLERY, name: `"><script>1</script>` })
  expect(await select(html, 'script:not([src], #words)')).toEqual([])
})

test.each([
  ['the forms', managePage(MANAGED_GALLERY)],
  ['what follows a deletion', manageDonePage({ context: CONTEXT, kind: 'gallery' })],
])('%s protect the token: no indexing, no referrer', (_page, html) => {
  expect(html).toContain('<meta name="robots" content="noindex"><meta name="referrer" content="strict-origin">')
})

test.each([
  ['image', 'Picture deleted'],
  ['gallery', 'Gallery deleted'],
] as const)('after the deletion of an %s it shows: %s', (kind, heading) => {
  const html = manageDonePage({ context: CONTEXT, kind })
  expect(html).toContain(`<h1>${heading}</h1>`)
  expect(html).not.toContain('<form')
  expect(html).toContain('<a class="button" href="/">Go to the home page</a>')
})
